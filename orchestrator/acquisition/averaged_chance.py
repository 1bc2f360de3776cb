"""How likely something is at points that are a little off, on average over where they come out.

Notation: n points, each of which comes out in m ways; E embedded columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Function
from orchestrator.arrays import FloatArray
from orchestrator.numerics.log_sum import log_sum
from orchestrator.unit_cube.settings_off import SettingsOff


@dataclass(frozen=True, eq=False)
class AveragedChance:
    """The logarithm of the average of a probability that ``function`` has the logarithm of, at (n, E) inputs
    that are ``off``: values (n,) and gradients (n, E).
    """

    function: Function
    off: SettingsOff

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        points = self.off.around(X).points
        each = self.function.values(points.reshape(-1, X.shape[1])).reshape(points.shape[:2])
        return log_sum(each.T) - math.log(points.shape[1])

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        around = self.off.around(X)
        n, m, E = around.points.shape
        found, slopes = self.function.values_and_gradients(around.points.reshape(-1, E))
        each = found.reshape(n, m)
        total = log_sum(each.T)
        shares = np.exp(each - total[:, None])[:, :, None]
        return total - math.log(m), (shares * around.slopes * slopes.reshape(n, m, E)).sum(axis=1)
