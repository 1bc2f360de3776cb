"""Max-value entropy search: how much a value would tell about the highest value there is.

Notation: K draws y* of the maximum, mu and s the posterior mean and deviation, gamma = (y* - mu) / s,
phi and Phi the standard normal density and distribution, r = phi / Phi at gamma.
Source: Wang & Jegelka 2017, Eq. 6 and section 3.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal

QUARTILES = (0.25, 0.75)
# Of an interval of a few deviations: to beyond a float's last digit.
BISECTIONS = 60


@dataclass(frozen=True, eq=False)
class MaxValueEntropy:
    """At (n, E) inputs: values (n,), in nats, and gradients (n, E). ``maxima`` (K,) are draws of the
    maximum.
    """

    posterior: Posterior
    maxima: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        mean, variance = self.posterior.mean_and_variance(X)
        return self._gain(mean, np.sqrt(variance))[0]

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        at = self.posterior.value_gradients(X)
        values, by_mean, by_deviation = self._gain(at.mean, at.deviation)
        gradients = by_mean[:, None] * at.mean_gradient + by_deviation[:, None] * at.deviation_gradient
        return values, gradients

    def _gain(self, mean: FloatArray, deviation: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(n,) E over y* of gamma r / 2 - log Phi(gamma), and its derivatives by mean and deviation."""
        gamma = (self.maxima - mean[:, None]) / deviation[:, None]
        log_Phi = normal.log_distribution(gamma)
        r = np.exp(normal.log_density(gamma) - log_Phi)
        gain = 0.5 * gamma * r - log_Phi
        slope = -0.5 * r * (1.0 + gamma * (gamma + r))
        by_deviation = -(slope * gamma).mean(axis=1) / deviation
        return gain.mean(axis=1), -slope.mean(axis=1) / deviation, by_deviation


def gumbel_maxima(
    mean: FloatArray, deviation: FloatArray, count: int, rng: np.random.Generator
) -> FloatArray:
    """(count,) draws of the highest of many independent normal values with (n,) means and deviations > 0.

    Their maximum's distribution is matched by a Gumbel in two quartiles; no draw is below the highest mean.
    Source: Wang & Jegelka 2017, section 3.1 (MES-G).
    """
    low, high = (_quantile(mean, deviation, q) for q in QUARTILES)
    at_low, at_high = (-math.log(-math.log(q)) for q in QUARTILES)
    scale = max(high - low, 1e-12) / (at_high - at_low)
    location = low - scale * at_low
    draws = location - scale * np.log(-np.log(rng.uniform(1e-12, 1.0 - 1e-12, size=count)))
    return plausible(draws, mean, deviation)


def plausible(maxima: FloatArray, mean: FloatArray, deviation: FloatArray) -> FloatArray:
    """(K,) draws of the maximum, none below the highest of (n,) means: deviations there are not 0."""
    least = float(mean.max()) + 1e-3 * float(deviation.min())
    return np.maximum(maxima, least)


def _quantile(mean: FloatArray, deviation: FloatArray, q: float) -> float:
    """Where the product of the distributions is q, by bisection."""
    lower = float((mean - 5.0 * deviation).max())
    upper = float((mean + 5.0 * deviation).max()) + float(deviation.max()) * math.sqrt(
        2 * math.log(len(mean) + 1)
    )
    for _ in range(BISECTIONS):
        middle = 0.5 * (lower + upper)
        if float(normal.log_distribution((middle - mean) / deviation).sum()) < math.log(q):
            lower = middle
        else:
            upper = middle
    return 0.5 * (lower + upper)
