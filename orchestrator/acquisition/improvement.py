"""Expected improvement over the best value, by its logarithm: it has gradients where EI itself underflows.

Where values are noisy an evaluation is worth what will be believed after it, not what is true there.

Notation: mu the posterior mean and s its deviation after one more evaluation (`after_evaluation`),
z = (mu - best) / s, EI = s h(z) with h(z) = phi(z) + z Phi(z). Source: Jones et al. 1998, Eq. 15; with noise,
the expected quantile improvement of Picheny et al. 2013 for the median; the logarithm as in Ament et al.
2023.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.after_evaluation import deviation_after, deviation_after_gradient
from orchestrator.acquisition.posterior import Posterior, share
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal


def log_expected_improvement(mean: float, deviation: float, best: float) -> float:
    """log EI over a best value of one that is believed so: minus infinity if known, and no better."""
    if deviation <= 0.0:
        return math.log(mean - best) if mean > best else -math.inf
    return math.log(deviation) + float(normal.log_h((mean - best) / deviation))


@dataclass(frozen=True, eq=False)
class LogExpectedImprovement:
    """At (n, E) inputs: values (n,) and gradients (n, E) of log EI over ``best``, a standardised value.

    ``noise_variance`` >= 0 is that of an evaluation, standardised.
    """

    posterior: Posterior
    best: float
    noise_variance: float = 0.0

    def values(self, X: FloatArray) -> FloatArray:
        mean, variance = self.posterior.mean_and_variance(X)
        deviation = deviation_after(variance, self.noise_variance)
        return np.log(deviation) + normal.log_h((mean - self.best) / deviation)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        at = self.posterior.value_gradients(X)
        deviation = deviation_after(at.variance, self.noise_variance)
        widening = deviation_after_gradient(at, self.noise_variance)
        z = (at.mean - self.best) / deviation
        logarithm, slope = normal.log_h_and_slope(z)
        along = at.mean_gradient - z[:, None] * widening
        gradients = (widening + slope[:, None] * along) / deviation[:, None]
        return np.log(deviation) + logarithm, gradients

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) s phi(z) as a share of it and of the improvement of the mean, |mu - best| Phi(z)."""
        mean, variance = self.posterior.mean_and_variance(X)
        deviation = deviation_after(variance, self.noise_variance)
        z = (mean - self.best) / deviation
        return share(normal.density(z), z * normal.distribution(z))
