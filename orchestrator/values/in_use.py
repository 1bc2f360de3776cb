"""How a condition varies in use, as a person says it: evenly, about a mean, by chances, or as recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.spelling import meant_instead
from orchestrator.values.finite import is_number, written
from orchestrator.values.steps import Steps

EXPECTED = (
    "how it varies in use, as `evenly`, `{mean: 8, deviation: 3}`, `{chances: [0.2, 0.8]}` or"
    " `{recorded: [4.1, 7.8, 6.3]}`"
)
KEYS = ("evenly", "mean", "deviation", "chances", "recorded")
STAYS = "what does not vary is `{{type: fixed, value: {}}}`"
FEWEST_RECORDED = 2
LEAST_INSIDE = 0.01
"""Of a normal distribution that is cut at the bounds."""
ROUNDING = 1e-6
"""Of what chances add up to."""


@dataclass(frozen=True, slots=True)
class Evenly:
    """Every value as often as another."""

    @property
    def told(self) -> str:
        """As a spec says it."""
        return "evenly"


@dataclass(frozen=True, slots=True)
class AboutMean:
    """Normally distributed in its own units, cut at the bounds."""

    mean: float
    deviation: float

    def until(self, number: float) -> float:
        """How often it would be below a number, were it not cut."""
        return 0.5 * math.erfc((self.mean - number) / (self.deviation * math.sqrt(2.0)))

    @property
    def told(self) -> dict[str, float]:
        """As a spec says it."""
        return {"mean": self.mean, "deviation": self.deviation}


@dataclass(frozen=True, slots=True)
class ByChance:
    """Of each of some values how often it comes up."""

    chances: tuple[float, ...]

    @property
    def told(self) -> dict[str, list[float]]:
        """As a spec says it."""
        return {"chances": list(self.chances)}


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


def in_use_of(told: Any) -> InUse:
    """What is told of one. Raises ValueError, which says what was expected."""
    if told == "evenly":
        return Evenly()
    if isinstance(told, Mapping):
        if told.keys() == {"mean", "deviation"}:
            return _about_mean(told["mean"], told["deviation"])
        if told.keys() == {"chances"}:
            return _by_chance(told["chances"])
        if told.keys() == {"recorded"}:
            return _recorded(told["recorded"])
    raise ValueError(f"{EXPECTED}{meant_instead(told, KEYS)}")


def _about_mean(mean: Any, deviation: Any) -> AboutMean:
    if not is_number(mean):
        raise ValueError("a number as its `mean` in use")
    if not is_number(deviation) or deviation <= 0:
        raise ValueError("a number above 0 as its `deviation` in use")
    return AboutMean(float(mean), float(deviation))


def _by_chance(chances: Any) -> ByChance:
    listed = list(chances) if isinstance(chances, Sequence) and not isinstance(chances, str) else []
    if len(listed) < 2 or not all(is_number(one) and one >= 0 for one in listed):
        raise ValueError("a chance for each value, as `chances: [0.2, 0.8]`")
    if abs(math.fsum(listed) - 1.0) > ROUNDING:
        raise ValueError(f"chances that add up to 1, and not to {written(round(math.fsum(listed), 9))}")
    return ByChance(tuple(float(one) for one in listed))


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
        raise ValueError("no `chances` of any number between bounds; say `mean` and `deviation`, or `evenly`")
    if isinstance(in_use, AboutMean) and in_use.until(high) - in_use.until(low) < LEAST_INSIDE:
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
    if isinstance(in_use, ByChance) and len(in_use.chances) != len(values):
        raise ValueError(f"as many chances as there are values, {len(values)}, and not {len(in_use.chances)}")
    for value in in_use.values if isinstance(in_use, Recorded) else ():
        if value not in values:
            raise ValueError(f"recorded values that are among its values, and not {value!r}")
