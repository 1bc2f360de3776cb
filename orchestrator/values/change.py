"""What it takes to change a setting from one evaluation to the next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.values.durations import duration_of
from orchestrator.values.finite import is_number, written

BESIDE_WHEN = (
    "expected no `change` beside `when`: where a parameter does not count nobody can say from where it is"
    " changed"
)
KEYS = ("takes", "up", "down", "per")
OF_NUMBERS = "`takes`, or `up` and `down`, and perhaps `per`, as {takes: 2 min, per: 10}"
CLOSE = 1e-9
"""Numbers that differ by less, as a part of them, are one setting: grids round."""


@dataclass(frozen=True, slots=True)
class Change:
    """``up_s`` and ``down_s`` are seconds, for each ``per`` by which a number changes, in its own units or,
    on a logarithmic scale, as a factor above 1; where ``per`` is 0, whatever it changes by.
    """

    up_s: float
    down_s: float
    per: float = 0.0
    logarithmic: bool = False

    @property
    def told(self) -> float | dict[str, float]:
        """As `change_of` takes it, in seconds."""
        alike = self.up_s == self.down_s
        if alike and not self.per:
            return self.up_s
        own = {"takes": self.up_s} if alike else {"up": self.up_s, "down": self.down_s}
        return {**own, "per": self.per} if self.per else own

    def takes(self, start: Any, end: Any) -> float:
        """Seconds from one value to another: 0 where nothing changes."""
        if is_same(start, end):
            return 0.0
        numbers = is_number(start) and is_number(end)
        seconds = self.down_s if numbers and end < start else self.up_s
        if not (self.per and numbers):
            return seconds
        if self.logarithmic:
            # No logarithm of their ratio, which may be larger than a float, or nothing.
            return seconds * abs(math.log(end) - math.log(start)) / math.log(self.per)
        return float(seconds * abs(end - start) / self.per)


class ChangeMistake(ValueError):
    """What was expected, and what ``came`` instead; ``within`` is the key of a mapping that it came as."""

    def __init__(self, sentence: str, came: object, within: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.came, self.within = came, within


Changes: TypeAlias = Mapping[str, Change]
"""By the parameters' names; those that take no time are not among them."""


def change_of(told: Any, scale: str | None) -> Change:
    """As a person says it of numbers on a ``scale``, or of values that have none. Raises ChangeMistake."""
    if not isinstance(told, Mapping):
        seconds = _seconds(told)
        return Change(seconds, seconds)
    keys = set(told)
    if scale is None:
        raise ChangeMistake("one duration, as 20 min, for there is nothing that values lie apart", told)
    if not keys <= set(KEYS) or not ({"takes"} == keys - {"per"} or {"up", "down"} == keys - {"per"}):
        raise ChangeMistake(OF_NUMBERS, list(told))
    up, down = (
        _seconds(told[key], key) for key in (("takes", "takes") if "takes" in told else ("up", "down"))
    )
    if "per" not in told:
        return Change(up, down)
    per, logarithmic = told["per"], scale == "log"
    if not is_number(per) or per <= (1.0 if logarithmic else 0.0):
        wanted = (
            "a factor above 1, as the scale is log"
            if logarithmic
            else "a number above 0, in the parameter's own units"
        )
        raise ChangeMistake(f"as `per` {wanted}", per, ("per",))
    return Change(up, down, float(per), logarithmic)


def _seconds(told: Any, key: str = "") -> float:
    try:
        return duration_of(told)
    except ValueError as error:
        as_it = f"as `{key}` " if key else ""
        raise ChangeMistake(f"{as_it}{error}", told, (key,) if key else ()) from None


def taken_by(changes: Changes, start: Mapping[str, Any], end: Mapping[str, Any]) -> dict[str, float]:
    """The seconds that each setting takes that changes from one point to another."""
    return {
        name: seconds
        for name, change in changes.items()
        if name in start and name in end and (seconds := change.takes(start[name], end[name])) > 0.0
    }


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are one setting."""
    if is_number(one) and is_number(other):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=0.0)
    return bool(one == other)


def words_of(change: Change) -> str:
    """``1800 s``, or ``60 s up and 240 s down for each 10``."""
    up, down = written(change.up_s), written(change.down_s)
    said = f"{up} s" if up == down else f"{up} s up and {down} s down"
    if not change.per:
        return said
    return f"{said} for each {'factor of ' if change.logarithmic else ''}{written(change.per)}"
