"""The normal distribution that CMA-ES draws from, and all that it remembers.

Notation: n coordinates, k points; C the covariance, B its eigenvectors and D the roots of its eigenvalues.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class SearchDistribution:
    """N(``mean``, ``step``^2 ``covariance``): (n,), a number above 0 and (n, n); with the (n,) paths that the
    mean has come of late, p_σ and p_c, and how many ``generations`` have made it what it is.
    """

    mean: FloatArray
    step: float
    covariance: FloatArray
    step_path: FloatArray
    covariance_path: FloatArray
    generations: int = 0

    @classmethod
    def begun(cls, mean: FloatArray, step: float) -> SearchDistribution:
        """Alike in all directions."""
        n = len(mean)
        return cls(mean, step, np.eye(n), np.zeros(n), np.zeros(n))

    @cached_property
    def axes(self) -> tuple[FloatArray, FloatArray]:
        """(n,) D and (n, n) B, in columns."""
        squares, directions = np.linalg.eigh(self.covariance)
        # What rounding has made of the smallest is no length.
        floor = np.finfo(float).eps * max(float(squares[-1]), np.finfo(float).tiny)
        return np.sqrt(np.maximum(squares, floor)), directions

    @property
    def deviations(self) -> FloatArray:
        """(n,) those of the single coordinates."""
        return np.asarray(self.step * np.sqrt(self.covariance.diagonal()))

    @property
    def precision(self) -> FloatArray:
        """(n, n) the inverse of the covariance of what is drawn."""
        lengths, directions = self.axes
        return np.asarray((directions / (self.step * lengths) ** 2) @ directions.T)

    @property
    def condition(self) -> float:
        """By how much the variance along the longest axis is more than along the shortest."""
        lengths, _ = self.axes
        return float((lengths.max() / lengths.min()) ** 2)

    def draw(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, n) points."""
        lengths, directions = self.axes
        normal = rng.standard_normal((count, len(self.mean)))
        return np.asarray(self.mean + self.step * (normal * lengths) @ directions.T)

    def whitened(self, steps: FloatArray) -> FloatArray:
        """C^(-1/2) y, for steps y (n,) or (k, n) in units of ``step``."""
        lengths, directions = self.axes
        return np.asarray((steps @ directions / lengths) @ directions.T)


def expected_length(dimension: int) -> float:
    """Of a vector of n standard normal numbers, n >= 1, about."""
    n = dimension
    return math.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))
