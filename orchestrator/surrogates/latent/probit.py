"""Whether something succeeds, as a Gaussian process sees it: probit classification, by Laplace's method.

Successes and failures say on which side of nought a latent function lies, more or less surely.

Notation: n labels y_i, 1 or -1; m the latent function's prior mean, f (n,) what it is above m; Phi the normal
distribution function, p(y_i | f_i) = Phi(y_i (m + f_i)).
Source: Rasmussen & Williams 2006, Section 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics import normal
from orchestrator.surrogates.latent.laplace import LEAST_CURVATURE, Laplace, laplace_about


def laplace(K: FloatArray, m: float, succeeded: BoolArray) -> Laplace:
    """For (n, n) ``K``, n >= 1, and (n,) whether each succeeded. Raises as `laplace_about`."""
    return laplace_about(K, _Labels(np.where(succeeded, 1.0, -1.0), m))


@dataclass(frozen=True, eq=False, slots=True)
class _Labels:
    y: FloatArray
    m: float

    @property
    def count(self) -> int:
        return len(self.y)

    def log_probability(self, f: FloatArray) -> float:
        return float(normal.log_distribution(self.y * (self.m + f)).sum())

    def derivatives(self, f: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        y = self.y
        first, W, third = normal.log_distribution_derivatives(y * (self.m + f))
        return y * first, np.maximum(W, LEAST_CURVATURE), np.where(W > LEAST_CURVATURE, y * third, 0.0)
