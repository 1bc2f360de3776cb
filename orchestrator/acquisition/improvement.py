"""Expected improvement over the best value, by its logarithm: it has gradients where EI itself underflows.

Notation: mu, s the posterior mean and deviation, z = (mu - best) / s, EI = s h(z) with
h(z) = phi(z) + z Phi(z). Source: Jones et al. 1998, Eq. 15; the logarithm as in Ament et al. 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.posterior import Posterior, share
from orchestrator.numerics import normal

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LogExpectedImprovement:
    """At (n, E) inputs: values (n,) and gradients (n, E) of log EI over ``best``, a standardised value."""

    posterior: Posterior
    best: float

    def values(self, X: FloatArray) -> FloatArray:
        mean, variance = self.posterior.mean_and_variance(X)
        deviation = np.sqrt(variance)
        return np.log(deviation) + normal.log_h((mean - self.best) / deviation)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        at = self.posterior.value_gradients(X)
        deviation, widening = at.deviation, at.deviation_gradient
        z = (at.mean - self.best) / deviation
        logarithm, slope = normal.log_h_and_slope(z)
        along = at.mean_gradient - z[:, None] * widening
        gradients = (widening + slope[:, None] * along) / deviation[:, None]
        return np.log(deviation) + logarithm, gradients

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) s phi(z) as a share of it and of the improvement of the mean, |mu - best| Phi(z)."""
        mean, variance = self.posterior.mean_and_variance(X)
        deviation = np.sqrt(variance)
        z = (mean - self.best) / deviation
        return share(normal.density(z), z * normal.distribution(z))
