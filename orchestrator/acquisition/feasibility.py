"""Whether a point will satisfy what is asked of its outcomes, by the logarithm of the probability.

Each of C slacks is a function of its own, believed in apart from the objective: g_c >= 0 where what is asked
of it holds. An improvement counts for as much as it is likely to be one that may be used.

Notation: C slacks, mu_c and s_c the posterior mean and deviation of slack c on its own scale, t_c what a
slack of 0 is there, z_c = (mu_c - t_c) / s_c, Phi the normal distribution function; E embedded columns, n
points.
Source: Schonlau, Welch & Jones 1998 (EI times the probability of feasibility); Gardner et al. 2014, Eq. 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.posterior import Acquisition, Function, Posterior
from orchestrator.numerics import normal

FloatArray = NDArray[np.float64]

SOFTNESS = 0.01
"""Of a drawn slack, on its scale: within so much of 0 a point is neither in nor out, so that there are
gradients towards where it is in.
"""


@dataclass(frozen=True, eq=False)
class LogFeasibility:
    """sum_c log Phi(z_c) at (n, E) inputs: values (n,) and gradients (n, E), of posteriors with their t_c."""

    slacks: Sequence[tuple[Posterior, float]]

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        total = np.zeros(len(X))
        for posterior, least in self.slacks:
            mean, variance = posterior.mean_and_variance(X)
            total += normal.log_distribution((mean - least) / np.sqrt(variance))
        return total

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        total, gradients = np.zeros(len(X)), np.zeros(X.shape)
        for posterior, least in self.slacks:
            at = posterior.value_gradients(X)
            z = (at.mean - least) / at.deviation
            added, slope = _log_distribution_and_slope(z)
            total += added
            along = at.mean_gradient - z[:, None] * at.deviation_gradient
            gradients += (slope / at.deviation)[:, None] * along
        return total, gradients


@dataclass(frozen=True, eq=False)
class ExpectedSlack:
    """mu_c - t_c at (n, E) inputs: values (n,) and gradients (n, E)."""

    posterior: Posterior
    least: float

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        return self.posterior.mean_and_variance(X)[0] - self.least

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        at = self.posterior.value_gradients(X)
        return at.mean - self.least, at.mean_gradient


@dataclass(frozen=True, eq=False)
class DrawnFeasibility:
    """sum_c log Phi((g_c - t_c) / `SOFTNESS`) of slacks g_c drawn from their posteriors, with their t_c."""

    slacks: Sequence[tuple[Function, float]]

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, E) inputs."""
        total = np.zeros(len(X))
        for drawn, least in self.slacks:
            total += normal.log_distribution((drawn.values(X) - least) / SOFTNESS)
        return total

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        total, gradients = np.zeros(len(X)), np.zeros(X.shape)
        for drawn, least in self.slacks:
            values, slopes = drawn.values_and_gradients(X)
            added, slope = _log_distribution_and_slope((values - least) / SOFTNESS)
            total += added
            gradients += (slope / SOFTNESS)[:, None] * slopes
        return total, gradients


@dataclass(frozen=True, eq=False)
class WhereFeasible:
    """An acquisition in logarithms plus a log probability: values (n,) and gradients (n, E)."""

    acquisition: Acquisition
    feasibility: Function

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, E) inputs."""
        return self.acquisition.values(X) + self.feasibility.values(X)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        values, gradients = self.acquisition.values_and_gradients(X)
        added, slopes = self.feasibility.values_and_gradients(X)
        return values + added, gradients + slopes

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) shares of what is improved upon: how sure the slacks are is no part of them."""
        return self.acquisition.exploration(X)


def _log_distribution_and_slope(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """log Phi(z) and its derivative phi(z) / Phi(z), which does not underflow before z is far from 0."""
    logarithm = normal.log_distribution(z)
    return logarithm, np.exp(normal.log_density(z) - logarithm)
