"""What is believed of hyperparameters before anything is observed: each is log-normal.

Notation: D parameters, k hyperparameters, theta (k,) their logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class LogNormal:
    """A positive number whose logarithm is normal: ``median`` > 0, ``deviation`` > 0 of the logarithm.

    Densities are with respect to the logarithm, in which hyperparameters are fitted: the mode is the median.
    """

    median: float
    deviation: float

    def log_density(self, logarithm: FloatArray) -> FloatArray:
        """Log density at each logarithm."""
        z = (logarithm - math.log(self.median)) / self.deviation
        return -0.5 * z * z - math.log(self.deviation * math.sqrt(2.0 * math.pi))

    def log_density_slope(self, logarithm: FloatArray) -> FloatArray:
        """Derivative of `log_density`."""
        return (math.log(self.median) - logarithm) / self.deviation**2


@dataclass(frozen=True, eq=False, slots=True)
class LogNormals:
    """Independent `LogNormal` beliefs in k numbers, as fits see them: (k,) ``medians`` and ``deviations``
    of theta, their logarithms.
    """

    medians: FloatArray
    deviations: FloatArray

    @classmethod
    def of(cls, beliefs: Sequence[LogNormal]) -> LogNormals:
        """In their order."""
        medians = np.log([belief.median for belief in beliefs])
        return cls(medians, np.array([belief.deviation for belief in beliefs]))

    def within(self, reach: float) -> FloatArray:
        """(k, 2) bounds of theta, so many deviations either side of the medians."""
        apart = reach * self.deviations
        return np.stack([self.medians - apart, self.medians + apart], axis=1)

    def scores(self, theta: FloatArray) -> FloatArray:
        """(k,) how many deviations theta is above the medians."""
        return np.asarray((theta - self.medians) / self.deviations)


@dataclass(frozen=True, slots=True)
class Prior:
    """Independent beliefs in each length-scale, the variance and the noise variance."""

    length_scale: LogNormal
    variance: LogNormal = LogNormal(1.0, 1.5)
    noise_variance: LogNormal = LogNormal(1e-3, 2.5)

    @classmethod
    def for_dimension(cls, dimension: int) -> Prior:
        """Length-scales that grow with the square root of the dimension, as distances in the cube do.

        Hvarfner, Hellsten & Nardi 2024: l ~ LogNormal(sqrt(2) + log(D) / 2, sqrt(3)). Their estimate is the
        mode of the density of l, exp(sqrt(2) - 3) sqrt(D); ours is of log l, so that point is our median:
        the posterior maximised is the same. Noise is believed smaller and less surely than theirs, since a
        simulator is often deterministic.
        """
        deviation = math.sqrt(3.0)
        return cls(LogNormal(math.exp(math.sqrt(2.0) - deviation**2) * math.sqrt(dimension), deviation))
