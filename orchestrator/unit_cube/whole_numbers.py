"""Where whole numbers lie in the unit interval: each at the centre of its cell, linearly or by its logarithm.

Notation: n positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray

MOST_LISTED = 4096
"""Of more numbers than that the positions are not listed: they are searched as if continuous, and snapped."""
LARGEST_EXACT = 2**52
"""Whole numbers below are floats to the unit."""
# The parts of the scale that lie between a number and far alternatives to it.
FAR = (1 / 8, 1 / 4)


@dataclass(frozen=True)
class WholeNumbers:
    """Those from ``low`` to ``high``, which is not below it. By their logarithms, ``low`` >= 1.

    k of them on a linear scale have cells of width 1/k; on a log scale v lies at log(v) between
    log(low - 1/2) and log(high + 1/2).
    """

    low: int
    high: int
    logarithmic: bool = False

    @property
    def count(self) -> int:
        """k."""
        return self.high - self.low + 1

    @cached_property
    def _log_ends(self) -> tuple[float, float]:
        return math.log(self.low - 0.5), math.log(self.high + 0.5)

    def position(self, value: int) -> float:
        """In (0, 1), of one of them."""
        if self.logarithmic:
            start, end = self._log_ends
            return (math.log(value) - start) / (end - start)
        return (value - self.low + 0.5) / self.count

    def edge(self, value: int) -> float:
        """Where in [0, 1] the cell of one of them begins, or for ``high`` + 1 the last one ends."""
        if self.logarithmic:
            start, end = self._log_ends
            return (math.log(value - 0.5) - start) / (end - start)
        return (value - self.low) / self.count

    def at(self, position: float) -> int:
        """The one whose position is nearest on the scale."""
        if self.logarithmic:
            start, end = self._log_ends
            value = round(math.exp(start + float(position) * (end - start)))
        else:
            value = self.low + math.floor(float(position) * self.count)
        return min(max(int(value), self.low), self.high)

    def numbers(self, positions: FloatArray) -> FloatArray:
        """(n,) what `at` says of each of (n,) positions, as floats."""
        if self.logarithmic:
            start, end = self._log_ends
            logs = start + positions * (end - start)
            # Not numpy's, which may differ in the last bit.
            values = np.rint(np.array([math.exp(value) for value in logs.tolist()], dtype=float))
        elif max(abs(self.low), abs(self.high)) < LARGEST_EXACT:
            values = self.low + np.floor(positions * self.count)
        else:
            values = np.array([float(self.at(position)) for position in positions.tolist()], dtype=float)
        return np.asarray(np.clip(values, float(self.low), float(self.high)))

    def snap(self, positions: FloatArray) -> FloatArray:
        """(n,) the position of the whole number at each of (n,) positions: what `at` and `position` give."""
        flat = np.asarray(positions, dtype=float).ravel()
        if max(abs(self.low), abs(self.high)) >= LARGEST_EXACT:
            snapped = np.array([self.position(self.at(position)) for position in flat.tolist()], dtype=float)
        elif self.logarithmic:
            start, end = self._log_ends
            logs = np.array([math.log(value) for value in self.numbers(flat).tolist()], dtype=float)
            snapped = (logs - start) / (end - start)
        else:
            snapped = (self.numbers(flat) - self.low + 0.5) / self.count
        return snapped.reshape(np.shape(positions))

    def beside(self, position: float) -> FloatArray:
        """(2,) the positions of the neighbours of the one at a position; it is its own beyond an end."""
        value = self.at(position)
        return np.array([self.position(max(value - 1, self.low)), self.position(min(value + 1, self.high))])

    def between(self, lower: float, upper: float) -> WholeNumbers | None:
        """Those whose positions lie from ``lower`` to ``upper``, if any, on the same kind of scale."""
        low, high = self.at(lower), self.at(upper)
        low += 1 if self.position(low) < lower else 0
        high -= 1 if self.position(high) > upper else 0
        return WholeNumbers(low, high, self.logarithmic) if low <= high else None

    def alternatives(self, value: int) -> list[int]:
        """Others, ascending: the nearest, ever farther ones to both sides, and those about an eighth and a
        quarter of the scale away, so that a search can close in as well as leave a plateau.
        """
        steps = {1, 2, *(4**k for k in range(1, self.count.bit_length() // 2 - 1))}
        others = {value + sign * step for step in steps for sign in (-1, 1)}
        others |= {self.at(self.position(value) + sign * part) for part in FAR for sign in (-1, 1)}
        return sorted(v for v in others if v != value and self.low <= v <= self.high)
