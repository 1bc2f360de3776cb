"""A box about the best point that grows with success and shrinks with failure.

A value: every result makes another one. Source: Eriksson, Pearce, Gardner, Turner & Poloczek 2019, section 2
and App. B.

Notation: L the box's base side length, in the unit cube.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

# The paper's: L at first, at most, and where a region is given up; and successes in a row that double it.
FIRST_LENGTH, LONGEST, SHORTEST = 0.8, 1.6, 0.5**7
SUCCESSES_TO_GROW = 3
# A success improves on the best by this part of its magnitude, or of the range of values if that is less.
LEAST_GAIN = 1e-3


@dataclass(frozen=True, slots=True)
class TrustRegion:
    """``failures_to_shrink`` is the tolerance. ``best`` is the highest value since the region's beginning, at
    row ``centre`` of the history; None while there is none.
    """

    failures_to_shrink: int
    length: float = FIRST_LENGTH
    successes: int = 0
    failures: int = 0
    best: float | None = None
    worst: float | None = None
    centre: int | None = None

    @property
    def exhausted(self) -> bool:
        """Whether it has shrunk so far that there is nothing left to find in it."""
        return self.length < SHORTEST

    def seen(self, value: float | None, row: int) -> TrustRegion:
        """After a result that was not chosen by the region: it may move the centre, nothing else."""
        if value is None:
            return self
        lower = self if self.worst is not None and self.worst <= value else replace(self, worst=value)
        if self.best is not None and value <= self.best:
            return lower
        return replace(lower, best=value, centre=row)

    def after(self, value: float | None, row: int) -> TrustRegion:
        """After a result that the region chose; None for a failed evaluation."""
        succeeded = value is not None and (self.best is None or value > self.best + self._least_gain)
        moved = self.seen(value, row)
        if succeeded:
            moved = replace(moved, successes=self.successes + 1, failures=0)
        else:
            moved = replace(moved, successes=0, failures=self.failures + 1)
        if moved.successes >= SUCCESSES_TO_GROW:
            return replace(moved, length=min(2.0 * self.length, LONGEST), successes=0)
        if moved.failures >= self.failures_to_shrink:
            return replace(moved, length=0.5 * self.length, failures=0)
        return moved

    @property
    def _least_gain(self) -> float:
        if self.best is None or self.worst is None:
            return 0.0
        return LEAST_GAIN * min(abs(self.best), self.best - self.worst)
