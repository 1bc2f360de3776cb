"""How a condition varies in use, as a person says it: evenly, about a mean, by chances, or as recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.spelling import meant_instead
from orchestrator.values.distributions import (
    LEAST_INSIDE,
    AboutMean,
    ByChance,
    about_mean,
    by_chance,
    lies_within,
    of_as_many,
)
from orchestrator.values.finite import is_number, written
from orchestrator.values.steps import Steps

EXPECTED = (
    "how it varies in use, as `evenly`, `{mean: 8, deviation: 3}`, `{chances: [0.2, 0.8]}` or"
    " `{recorded: [4.1, 7.8, 6.3]}`"
)
KEYS = ("evenly", "mean", "deviation", "chances", "recorded")
STAYS = "what does not vary is `{{type: fixed, value: {}}}`"
NO_CHANCES = "no `chances` of any number between bounds; say `mean` and `deviation`, or `evenly`"
FEWEST_RECORDED = 2


@dataclass(frozen=True, slots=True)
class Evenly:
    """Every value as often as another."""

    @property
    def told(self) -> str:
        """As a spec says it."""
        return "evenly"


@dataclass(frozen=True, slots=True)
class Recorded:
    """The values that came up; those of several conditions at the same places came up together."""

    values: tuple[Any, ...]

    @property
    def told(self) -> dict[str, list[Any]]:
        """As a spec says it."""
        return {"recorded": list(self.values)}


InUse: TypeAlias = Evenly | AboutMean | ByChance | Recorded
"""How one condition varies."""
AllInUse: TypeAlias = Mapping[str, InUse]
"""By the parameters' names; what is chosen in use is not among them."""


def in_use_of(told: Any, *, of_numbers: bool = False) -> InUse:
    """What is told of one, ``of_numbers`` if it is any between bounds. Raises ValueError, which says what was
    expected.
    """
    if told == "evenly":
        return Evenly()
    if isinstance(told, Mapping):
        if told.keys() == {"mean", "deviation"}:
            return about_mean(told["mean"], told["deviation"])
        if told.keys() == {"chances"}:
            if of_numbers:
                raise ValueError(NO_CHANCES)
            return by_chance(told["chances"])
        if told.keys() == {"recorded"}:
            return _recorded(told["recorded"])
    raise ValueError(f"{EXPECTED}{meant_instead(told, KEYS)}")


def _recorded(values: Any) -> Recorded:
    listed = list(values) if isinstance(values, Sequence) and not isinstance(values, str) else []
    if len(listed) < FEWEST_RECORDED:
        raise ValueError(f"at least {FEWEST_RECORDED} values that came up, as `recorded: [4.1, 7.8, 6.3]`")
    return Recorded(tuple(listed))


def require_variation(in_use: InUse) -> None:
    """Raises ValueError, which says what was expected, for what has one value alone. Searches that were begun
    with one go on.
    """
    if isinstance(in_use, ByChance) and sum(one > 0 for one in in_use.chances) < 2:
        raise ValueError(f"chances above 0 of at least 2 values: {STAYS.format('...')}")
    if isinstance(in_use, Recorded) and all(one == in_use.values[0] for one in in_use.values):
        one = in_use.values[0]
        same = written(one) if is_number(one) else one
        raise ValueError(f"recorded values that differ, and not {same} each time: {STAYS.format(same)}")


def require_of_numbers(
    in_use: InUse, bounds: tuple[float, float], *, whole: bool = False, step: float | None = None
) -> None:
    """Raises ValueError, which says what was expected, for how numbers between bounds, ``whole`` ones if so,
    or those that a ``step`` leads to, do not vary.
    """
    low, high = bounds
    if isinstance(in_use, ByChance):
        raise ValueError(NO_CHANCES)
    if isinstance(in_use, AboutMean) and not lies_within(in_use, low, high):
        raise ValueError(
            f"bounds that hold what comes up in use, and not less than {100 * LEAST_INSIDE:g} % of it"
        )
    for value in in_use.values if isinstance(in_use, Recorded) else ():
        if not is_number(value) or not low <= value <= high:
            raise ValueError(f"recorded numbers within the bounds, and not {value!r}")
        if whole and value != round(value):
            raise ValueError(f"recorded whole numbers, and not {value!r}")
        if step is not None and (steps := Steps(low, high, step)).number_of(value) is None:
            raise ValueError(f"recorded values of {steps}, and not {value!r}{steps.beside(value)}")


def require_of_values(in_use: InUse, values: Sequence[Any]) -> None:
    """The same of one of some values."""
    if isinstance(in_use, AboutMean):
        numbers = [value for value in values if is_number(value)]
        if len(numbers) < len(values):
            raise ValueError("no `mean` of values that are no numbers; say `chances`")
        require_of_numbers(in_use, (min(numbers), max(numbers)))
    if isinstance(in_use, ByChance):
        of_as_many(in_use, len(values))
    for value in in_use.values if isinstance(in_use, Recorded) else ():
        if value not in values:
            raise ValueError(f"recorded values that are among its values, and not {value!r}")
