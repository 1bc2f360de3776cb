"""Expected hypervolume improvement, by its logarithm: how much more a front will dominate.

What the front does not dominate yet is cut into boxes. A point adds, of each box, the part that it dominates;
where the objectives are believed in apart from each other, that is expected to be the product of what it is
expected to add along each side.

Notation: M objectives, K boxes with lower corners l_k and upper corners u_k (perhaps infinite), mu the
posterior mean of an objective and s its deviation after one more evaluation (`after_evaluation`),
z(b) = (mu - b) / s, h(z) = phi(z) + z Phi(z); E embedded columns, n points. Along objective j a box is
expected to be covered by psi_jk = s (h(z(l)) - h(z(u))), and EHVI = sum_k prod_j psi_jk.
Source: Emmerich et al. 2016 and Yang et al. 2019, Eq. 17; the logarithm as in Ament et al. 2023.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.acquisition.after_evaluation import deviation_after, deviation_after_gradient
from orchestrator.acquisition.posterior import Posterior, share
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics import normal
from orchestrator.numerics.log_sum import log_sum


@dataclass(frozen=True, eq=False)
class Covered:
    """Of K boxes at n points: ``logarithm`` (K, n) is log psi, ``by_mean`` and ``by_deviation`` (K, n) its
    derivatives by mu and s.
    """

    logarithm: FloatArray
    by_mean: FloatArray
    by_deviation: FloatArray


@dataclass(frozen=True, eq=False)
class TradedObjective:
    """One objective: its posterior, and the sides of K boxes along it on the posterior's scale, ``lower`` and
    ``upper`` (K,), with what a unit of the scale is worth within each, ``log_units`` (K,).

    ``noise_variance`` >= 0 is that of an evaluation, on that scale.
    """

    posterior: Posterior
    lower: FloatArray
    upper: FloatArray
    log_units: FloatArray
    noise_variance: float = 0.0

    @cached_property
    def _levels(self) -> tuple[FloatArray, IndexArray, IndexArray]:
        """(L,) the different finite sides; (K,) which of them each lower one is, and each upper one."""
        finite = np.where(np.isfinite(self.upper), self.upper, self.lower)
        levels, places = np.unique(np.concatenate([self.lower, finite]), return_inverse=True)
        return levels, places[: len(self.lower)], places[len(self.lower) :]

    def covered(self, mean: FloatArray, deviation: FloatArray) -> Covered:
        """Where the objective is believed to have (n,) means and (n,) s > 0."""
        levels, low, high = self._levels
        z = (mean - levels[:, None]) / deviation
        log_h, slope = normal.log_h_and_slope(z)
        density = 1.0 - z * slope
        # h(z(u)) / h(z(l)): 0 of a box that has no upper side.
        log_ratio = log_h[high] - log_h[low]
        log_ratio[np.isinf(self.upper)] = -np.inf
        ratio, rest = np.exp(log_ratio), np.maximum(-np.expm1(log_ratio), np.finfo(float).tiny)
        logarithm = np.log(deviation) + log_h[low] + np.log(rest) + self.log_units[:, None]
        by_mean = (slope[low] - ratio * slope[high]) / rest / deviation
        by_deviation = (density[low] - ratio * density[high]) / rest / deviation
        return Covered(logarithm, by_mean, by_deviation)


@dataclass(frozen=True, eq=False)
class LogHypervolumeImprovement:
    """At (n, E) inputs: values (n,) and gradients (n, E) of log EHVI of M ``objectives``."""

    objectives: Sequence[TradedObjective]

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        logarithms = []
        for objective in self.objectives:
            mean, variance = objective.posterior.mean_and_variance(X)
            deviation = deviation_after(variance, objective.noise_variance)
            logarithms.append(objective.covered(mean, deviation).logarithm)
        return log_sum(np.sum(logarithms, axis=0))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        beliefs = [objective.posterior.value_gradients(X) for objective in self.objectives]
        covered = [
            objective.covered(at.mean, deviation_after(at.variance, objective.noise_variance))
            for objective, at in zip(self.objectives, beliefs, strict=True)
        ]
        logarithms = np.sum([one.logarithm for one in covered], axis=0)
        values = log_sum(logarithms)
        shares = np.exp(logarithms - values)
        gradients = np.zeros(X.shape)
        for objective, at, one in zip(self.objectives, beliefs, covered, strict=True):
            widening = deviation_after_gradient(at, objective.noise_variance)
            gradients += (shares * one.by_mean).sum(axis=0)[:, None] * at.mean_gradient
            gradients += (shares * one.by_deviation).sum(axis=0)[:, None] * widening
        return values, gradients

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) what the deviations add, s dpsi/ds, as a share of that and of what the means add, on average
        over the objectives, and over the boxes by their parts of the sum.
        """
        logarithms, shares = [], []
        for objective in self.objectives:
            mean, variance = objective.posterior.mean_and_variance(X)
            deviation = deviation_after(variance, objective.noise_variance)
            one = objective.covered(mean, deviation)
            logarithms.append(one.logarithm)
            by_deviation = deviation * one.by_deviation
            shares.append(share(by_deviation, 1.0 - by_deviation))
        total = np.sum(logarithms, axis=0)
        parts = np.exp(total - log_sum(total))
        return np.asarray((parts * np.mean(shares, axis=0)).sum(axis=0))
