"""Sums of coordinates that kernels see as they see coordinates: what other shares leave of a whole.

Where a component of a mixture is computed from the others it is no coordinate, but a function may depend on
it as much as on any, and length-scales along the others cannot say so.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Sum:
    """``constant`` and D ``factors``, of coordinates that always count and are not categorical. From 0 to 1,
    where what is computed by it keeps to its range.
    """

    constant: float
    factors: tuple[float, ...]

    def at(self, points: FloatArray) -> FloatArray:
        """(n,) of (n, D) points."""
        return np.asarray(self.constant + points @ np.array(self.factors))
