"""Whether an evaluation will succeed at all, by the logarithm of the probability, which counts several times.

Notation: mu and s the posterior mean and deviation of a latent function, m its prior mean (mu is above that),
z = (mu + m) / sqrt(1 + s^2), Phi the normal distribution function, so that Phi(z) is the probability
(Rasmussen & Williams 2006, Eq. 3.82), z0 the least score that is tried; E embedded columns, n points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal

CAUTION = 4.0
"""How often. Improvement is expected most where it leads farthest beyond what has succeeded, and there more
fails than is believed: of chances thought to be a fourth an eighth came true (four functions whose best
points lie at the edge of what succeeds). A failure teaches nothing of the function, besides.
"""
STEEPNESS = 200.0
"""Nats for each unit of z below the least: so much that it is not tried if anything is to gain elsewhere."""


@dataclass(frozen=True, eq=False)
class LogSuccess:
    """log Phi(z) of a ``posterior`` above its prior ``mean`` m, so many ``times``, less `STEEPNESS` (z0 - z)
    below a ``least`` z0, at (n, E) inputs: values (n,) and gradients (n, E).
    """

    posterior: Posterior
    mean: float
    times: float = CAUTION
    least: float = -math.inf

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        z = self.scores(X)
        return self.times * normal.log_distribution(z) - self._lacking(z)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        at = self.posterior.value_gradients(X)
        scale = np.sqrt(1.0 + at.deviation**2)
        z = (at.mean + self.mean) / scale
        slopes = at.mean_gradient - (z * at.deviation / scale)[:, None] * at.deviation_gradient
        logarithm = normal.log_distribution(z)
        steepness = np.exp(normal.log_density(z) - logarithm) / scale
        steepness = self.times * steepness + np.where(z < self.least, STEEPNESS / scale, 0.0)
        return self.times * logarithm - self._lacking(z), steepness[:, None] * slopes

    def scores(self, X: FloatArray) -> FloatArray:
        """(n,) z."""
        mean, variance = self.posterior.mean_and_variance(X)
        return np.asarray((mean + self.mean) / np.sqrt(1.0 + variance))

    def _lacking(self, z: FloatArray) -> FloatArray:
        """(n,) what is taken off below the least."""
        return np.where(z < self.least, STEEPNESS * (self.least - z), 0.0)
