"""Where whole numbers lie in the unit interval: each at the centre of its cell, linearly or by its logarithm.

Notation: n positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


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

    @property
    def narrowest(self) -> float:
        """The width of the narrowest cell, that of ``high``."""
        if self.logarithmic:
            start, end = self._log_ends
            return (end - math.log(self.high - 0.5)) / (end - start)
        return 1.0 / self.count

    @cached_property
    def _log_ends(self) -> tuple[float, float]:
        return math.log(self.low - 0.5), math.log(self.high + 0.5)

    def position(self, value: int) -> float:
        """In (0, 1), of one of them."""
        if self.logarithmic:
            start, end = self._log_ends
            return (math.log(value) - start) / (end - start)
        return (value - self.low + 0.5) / self.count

    def at(self, position: float) -> int:
        """The one whose position is nearest on the scale."""
        if self.logarithmic:
            start, end = self._log_ends
            value = round(math.exp(start + float(position) * (end - start)))
        else:
            value = self.low + math.floor(float(position) * self.count)
        return min(max(int(value), self.low), self.high)

    def snap(self, positions: FloatArray) -> FloatArray:
        """(n,) the position of the whole number at each of (n,) positions: what `at` and `position` give."""
        flat = [self.position(self.at(position)) for position in np.ravel(positions)]
        return np.array(flat, dtype=float).reshape(np.shape(positions))
