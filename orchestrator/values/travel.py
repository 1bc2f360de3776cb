"""How far a setting may travel from one evaluation to the next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from orchestrator.values.finite import is_number, written

ROUNDING = 1e-6
"""Of how far a setting may travel, as a part of it: 0.3 is 0.1 from 0.2, whatever floats make of that, or the
grid of 10^12 positions between bounds of which the least travel is a part in 10^6.
"""
PARTS = 1e6
"""Of the way between the bounds: what lies nearer together than one of them counts as one point."""
BESIDE_WHEN = (
    "expected no `travel` beside `when`: where a parameter does not count it stands nowhere, from which it"
    " could travel"
)


@dataclass(frozen=True, slots=True)
class Travel:
    """``limit`` is in the parameter's own units; on a logarithmic scale it is a factor, above 1. ``step`` is
    how far apart values are, 0 for any.
    """

    limit: float
    logarithmic: bool = False
    step: float = field(default=0.0, compare=False)

    def ends(self, start: float) -> tuple[float, float]:
        """The lowest and the highest value within reach of one."""
        if self.logarithmic:
            return start / self.limit, start * self.limit
        return start - self.limit, start + self.limit

    def lets(self, start: float, end: float) -> bool:
        """Whether a setting may go from one value to another at once."""
        low, high = self.ends(start)
        # A factor that is large says nothing of how coarsely what it leads to is rounded.
        slack = ROUNDING * (abs(end) * min(self.limit - 1.0, 1.0) if self.logarithmic else self.limit)
        return low - slack <= end <= high + slack

    def steps(self, start: float, end: float) -> int:
        """How many evaluations that takes at the least, the one at the end among them."""
        if self.logarithmic:
            # No logarithm of their ratio, which may be larger than a float, or nothing.
            way = (math.log(end) - math.log(start)) / math.log(self.limit)
        else:
            at_once = self.limit
            if self.step > 0.0:
                at_once = self.step * math.floor(self.limit / self.step + ROUNDING)
            way = (end - start) / at_once
        return max(1, math.ceil(abs(way) - ROUNDING))

    @property
    def words(self) -> str:
        """``5``, or ``a factor of 2``."""
        return f"a factor of {written(self.limit)}" if self.logarithmic else written(self.limit)


Travels: TypeAlias = Mapping[str, Travel]
"""By the parameters' names; those that may go anywhere at once are not among them."""


def travel_of(limit: Any, scale: str, bounds: tuple[float, float], step: float) -> Travel:
    """That of numbers between bounds which are a ``step`` apart, 0 for any. Raises ValueError, which says
    what was expected, for what is no limit, or would keep a setting where it is.
    """
    low, high = bounds
    if scale == "log":
        # Whole numbers are farthest apart, as factors, at the lower bound.
        least = max((low + step) / low, high ** (1.0 / PARTS) / low ** (1.0 / PARTS))
        if not is_number(limit) or limit <= 1:
            raise ValueError("a factor above 1, as the scale is log: 2 lets it double, or halve")
        if limit < least:
            raise ValueError(f"a factor of at least {written(least)}, by which it can change at all")
    else:
        least = max(step, (high - low) / PARTS)
        if not is_number(limit) or limit <= 0:
            raise ValueError("a number above 0, in the parameter's own units")
        if limit < least:
            raise ValueError(f"at least {written(least)}, by which it can change at all")
    return Travel(float(limit), scale == "log", step)


def too_far(travels: Travels, start: Mapping[str, Any], end: Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters that may not go from one point to another at once."""
    return tuple(
        name
        for name, travel in travels.items()
        if name in start and name in end and not travel.lets(start[name], end[name])
    )


def too_far_words(travels: Travels, start: Mapping[str, Any], end: Mapping[str, Any]) -> str:
    """``current = 80 is too far from 20, where it may travel 5: at least 12 evaluations`` of each of them."""
    return ", ".join(
        f"{name} = {end[name]:.10g} is too far from {start[name]:.10g}, where it may travel"
        f" {travels[name].words}: {travels[name].steps(start[name], end[name])} evaluations away"
        for name in too_far(travels, start, end)
    )
