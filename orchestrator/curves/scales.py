"""Scales that spread out what is near the best, and draw together what is far off.

Notation: d by how much a value is worse than the best one, n values.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

LARGEST = 300.0
"""Of a logarithm that is undone: beyond, doubles overflow."""
SMALLEST_SHARE = 1e-300
"""Of the largest: what is divided by a smaller one may be no double."""


@dataclass(frozen=True, slots=True)
class DistanceScale:
    """Of d: logarithmic beyond ``unit`` > 0, and linear where a value beats the best."""

    unit: float

    @classmethod
    def of(cls, worse: FloatArray) -> DistanceScale:
        """From (n,) distances: a quarter of those that are not the best lie within the unit."""
        positive = worse[worse > 0.0]
        if not len(positive):
            return cls(1.0)
        return cls(max(float(np.quantile(positive, 0.25)), SMALLEST_SHARE * float(positive.max())))

    def apply(self, d: FloatArray) -> FloatArray:
        """(n,) on this scale."""
        return np.where(d >= 0.0, np.log1p(np.maximum(d, 0.0) / self.unit), d / self.unit)

    def undo(self, scaled: float) -> float:
        """The distance that was scaled."""
        return self.unit * (math.expm1(min(scaled, LARGEST)) if scaled >= 0.0 else scaled)

    def log_slopes(self, d: FloatArray) -> FloatArray:
        """(n,) logarithms of the scale's derivative."""
        return -np.log(self.unit + np.maximum(d, 0.0))


@dataclass(frozen=True, slots=True)
class LevelScale:
    """Of what curves report at a step: linear where the good ones are, and logarithmic far from them."""

    centre: float
    unit: float

    @classmethod
    def of(cls, levels: FloatArray, worse: FloatArray) -> LevelScale:
        """From (n,) levels of evaluations that ended at (n,) distances; n is 1 or more."""
        good = levels[np.argsort(worse)[: max(1, len(levels) // 4)]]
        centre = float(np.median(good))
        distances = np.abs(levels - centre)
        return cls(centre, float(np.median(distances)) or float(distances.max()) or 1.0)

    def apply(self, levels: FloatArray) -> FloatArray:
        """(n,) on this scale."""
        with np.errstate(over="ignore"):
            times = (levels - self.centre) / self.unit
        return np.arcsinh(np.clip(times, -sys.float_info.max, sys.float_info.max))
