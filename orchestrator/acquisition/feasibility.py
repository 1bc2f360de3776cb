"""Whether a point will satisfy what is asked of its outcomes, by the logarithm of the probability.

Each of C slacks is a function of its own, believed in apart from the objective: g_c >= 0 where what is asked
of it holds. An improvement counts for as much as it is likely to be one that may be used, and to be seen at
all.

Notation: C slacks, mu_c and s_c the posterior mean and deviation of slack c on its own scale, t_c what a
slack of 0 is there, z_c = (mu_c - t_c) / s_c, Phi the normal distribution function; E embedded columns, n
points.
Source: Schonlau, Welch & Jones 1998 (EI times the probability of feasibility); Gardner et al. 2014, Eq. 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Acquisition, Function, Posterior
from orchestrator.acquisition.success import LogSuccess
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal

SOFTNESS = 0.01
"""Of a drawn slack, on its scale: within so much of 0 a point is neither in nor out, so that there are
gradients towards where it is in.
"""


@dataclass(frozen=True, eq=False)
class SlackScore:
    """z_c of a posterior with its t_c, at (n, E) inputs: values (n,) and gradients (n, E)."""

    posterior: Posterior
    least: float

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        mean, variance = self.posterior.mean_and_variance(X)
        return np.asarray((mean - self.least) / np.sqrt(variance))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        at = self.posterior.value_gradients(X)
        z = (at.mean - self.least) / at.deviation
        along = at.mean_gradient - z[:, None] * at.deviation_gradient
        return z, along / at.deviation[:, None]


@dataclass(frozen=True, eq=False)
class DrawnSlackScore:
    """(g_c - t_c) / `SOFTNESS` of a function drawn for a slack with its t_c, in the place of z_c."""

    drawn: Function
    least: float

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, E) inputs."""
        return (self.drawn.values(X) - self.least) / SOFTNESS

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        values, gradients = self.drawn.values_and_gradients(X)
        return (values - self.least) / SOFTNESS, gradients / SOFTNESS


@dataclass(frozen=True, eq=False)
class LogFeasibility:
    """sum_c log Phi(z_c) of C ``scores``, and what ``success`` adds where evaluations may fail, at (n, E)
    inputs: values (n,) and gradients (n, E).
    """

    scores: Sequence[Function]
    success: LogSuccess | None = None

    @property
    def of_slacks(self) -> LogFeasibility:
        """The same of what succeeds."""
        return LogFeasibility(self.scores)

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        total = np.zeros(len(X)) if self.success is None else self.success.values(X)
        for score in self.scores:
            total += normal.log_distribution(score.values(X))
        return total

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        total, gradients = np.zeros(len(X)), np.zeros(X.shape)
        if self.success is not None:
            total, gradients = self.success.values_and_gradients(X)
        for score in self.scores:
            z, slopes = score.values_and_gradients(X)
            logarithm, slope = normal.log_distribution_and_slope(z)
            total += logarithm
            gradients += slope[:, None] * slopes
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
class WhereFeasible:
    """An acquisition in logarithms plus a log probability: values (n,) and gradients (n, E). Of a mean, or of
    a function drawn, the log probability is what it costs, in standardised units, to be less surely feasible.
    """

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
