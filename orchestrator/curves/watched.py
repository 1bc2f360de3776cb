"""An evaluation that is watched while it runs: its curve, and when it is worth looking at."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from orchestrator.curves.curve import Curve

STEP_UP = 1.2
"""It is looked at again once it has gone on by a fifth: each look is a chance to be wrong."""


@dataclass(slots=True)
class Watched:
    """One evaluation. ``looked_at`` is the step of the last look, 0 before the first; ``not_finite_at`` the
    first step at which what it reported was NaN or infinite, None if it never was.
    """

    curve: Curve = field(default_factory=Curve)
    looked_at: int = 0
    not_finite_at: int | None = None

    def reported(self, step: int, value: float, after: int = 0) -> bool:
        """Take a reading; whether now is the time to look, which it never is before step ``after``."""
        if not math.isfinite(value):
            if self.not_finite_at is None:
                self.not_finite_at = step
        elif not self.curve.add(step, value):
            return False
        if step < max(after, STEP_UP * self.looked_at):
            return False
        self.looked_at = step
        return True
