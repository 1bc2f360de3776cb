"""An activity for the tests: a coordinate that does not always count."""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray


class SecondCountsAbove:
    """The second coordinate counts where the first is above a half, and rests at a quarter."""

    resting: FloatArray = np.array([0.0, 0.25])

    def active(self, points: FloatArray) -> BoolArray:
        counts = np.ones(points.shape, dtype=bool)
        counts[:, 1] = points[:, 0] > 0.5
        return counts
