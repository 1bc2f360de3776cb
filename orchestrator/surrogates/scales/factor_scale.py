"""The unit in which one factor's values are learned, where evaluators report them (decomposed outputs)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

# In the unit of all factors' values, which is about the deviation of their sum. The square of what is divided
# by less is no double any more.
_SMALLEST_SCALE = 1e-100


@dataclass(frozen=True, slots=True)
class FactorScale:
    """The affine map of one factor's values to those its GP sees: z = (y - shift) / scale."""

    shift: float = 0.0
    scale: float = 1.0

    @classmethod
    def of(cls, values: FloatArray) -> FactorScale:
        """To mean 0 and deviation 1; constant values are scaled by their magnitude, or 1; those that are
        next to nothing, by 1e-100.
        """
        if not len(values):
            return cls()
        shift, scale = float(values.mean()), float(values.std())
        magnitude = float(np.abs(values).max())
        if scale <= 1e-14 * magnitude:
            scale = magnitude
        return cls(shift, max(scale, _SMALLEST_SCALE) if scale > 0 else 1.0)

    def apply(self, values: FloatArray) -> FloatArray:
        """(n,) z of (n,) values."""
        return (values - self.shift) / self.scale
