"""How many slots of a worker a trial takes, where that is not one for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from orchestrator.values.named import Values

ROUNDING = 1e-9
"""Of a number of slots: 4.000000000001 are 4, as floats add them up."""


@dataclass(frozen=True, slots=True)
class SlotsNeeded:
    """``same``: how many every trial takes; None where it depends on the trial, as the ``formula`` of its
    parameters says, which is NaN where it has no value. ``most`` is how many the largest worker can have, and
    ``whose`` says of which that is so, in words. The formula of a spec that is read twice is the same.
    """

    formula: Callable[[Values], float] = field(compare=False)
    same: int | None = None
    most: int = 1
    whose: str = "a worker"

    def of(self, parameters: Values) -> int:
        """A whole number, rounded up; 0 where the formula has no value, or less than a slot."""
        if self.same is not None:
            return self.same
        value = self.formula(parameters)
        return max(0, math.ceil(value - ROUNDING * abs(value))) if math.isfinite(value) else 0

    def why_not(self, slots: int) -> str:
        """Why no worker can ever have a trial of so many, in a sentence; nothing if one can."""
        if slots == 0:
            return "expected `slots` of a worker, 1 or more, got none, as the formula comes to no such number"
        return f"it takes {slots} slots, and {self.whose} has {self.most}" if slots > self.most else ""
