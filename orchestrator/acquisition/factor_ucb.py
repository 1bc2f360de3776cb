"""The sum of factor UCBs (Kandasamy et al. 2015, Alg. 1; Hoang et al. 2018, Eq. 2).

phi(x) = sum_i mu_i(x_Vi) + sqrt(beta_i) sigma_i(x_Vi). It splits into factors that see nothing of one
another but their shared parameters: disjoint ones are maximised each alone, overlapping ones by messages.

Notation: m points in the unit cube, D parameters, F factors, V_i the parameters of factor i, t >= 1 the
number of the evaluation to come. ``beta`` is under the root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from orchestrator.acquisition.posterior import share
from orchestrator.acquisition.ucb import practical_beta
from orchestrator.surrogates.factor_graph import FactorGraph
from orchestrator.surrogates.factor_posterior import FactorPosterior

FloatArray = NDArray[np.float64]


def practical_betas(t: int, graph: FactorGraph) -> FloatArray:
    """(F,) 0.2 d log(2t), with d the size of each factor (section 4.4 of Kandasamy et al. 2015)."""
    return np.array([practical_beta(t, len(factor)) for factor in graph.factors])


def theoretical_betas(t: int, graph: FactorGraph, failure: float = 0.1) -> FloatArray:
    """(F,) 2 log(F pi^2 t^2 / (2 delta)) + 2 d log(D t^3), d the size of each factor: Theorem 5 of
    Kandasamy et al.

    ``failure`` is delta in (0, 1), the probability that the bound on regret does not hold.
    """
    t = max(t, 1)
    sizes = np.array([len(factor) for factor in graph.factors], dtype=float)
    any_factor = 2.0 * math.log(graph.size * math.pi**2 * t * t / (2.0 * _probability(failure)))
    return any_factor + 2.0 * sizes * math.log(graph.dimension * t**3)


def finite_domain_betas(t: int, graph: FactorGraph, log_points: float, failure: float = 0.1) -> FloatArray:
    """(F,) equal: 2 log(|X| F pi^2 t^2 / (6 delta)), Theorem 1 of Hoang et al. 2018.

    For a domain of |X| points; ``log_points`` is log |X|, as |X| itself may be beyond a float.
    """
    t = max(t, 1)
    beta = 2.0 * (log_points + math.log(graph.size * math.pi**2 * t * t / (6.0 * _probability(failure))))
    return np.full(graph.size, beta)


def _probability(failure: float) -> float:
    if not 0 < failure < 1:
        raise ValueError(f"a probability of failure lies between 0 and 1; got {failure}")
    return failure


def exploration_weights(graph: FactorGraph, beta: ArrayLike) -> FloatArray:
    """(F,) the square roots of one beta, or of one for each factor. Raises ValueError if any is negative."""
    betas = np.broadcast_to(np.asarray(beta, dtype=float), (graph.size,))
    if not (np.isfinite(betas).all() and (betas >= 0).all()):
        raise ValueError(f"beta must be finite and not negative; got {betas}")
    return np.asarray(np.sqrt(betas))


@dataclass(frozen=True, eq=False)
class FactorTerm:
    """One factor's bound as a function of its own coordinates alone, times ``weight`` (a member's, in a
    mixture).
    """

    posterior: FactorPosterior
    factor: int
    exploration_weight: float
    weight: float = 1.0

    def values(self, X: FloatArray) -> FloatArray:
        """(m,) values at (m, |V_i|) coordinates."""
        mean, variance = self.posterior.factor_mean_and_variance(self.factor, X)
        return self.weight * (mean + self.exploration_weight * np.sqrt(variance))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) values and (m, |V_i|) gradients."""
        at = self.posterior.factor_gradients(self.factor, X)
        values = at.mean + self.exploration_weight * at.deviation
        gradients = at.mean_gradient + self.exploration_weight * at.deviation_gradient
        return self.weight * values, self.weight * gradients


class FactorUpperConfidenceBound:
    """The sum over factors, at (m, D) points in the unit cube. ``beta`` is a number, or (F,) one a factor."""

    def __init__(self, posterior: FactorPosterior, beta: ArrayLike) -> None:
        self.posterior = posterior
        self.graph = posterior.graph
        self.exploration_weights = exploration_weights(self.graph, beta)

    def term(self, i: int, weight: float = 1.0) -> FactorTerm:
        """Factor i's part, for a maximiser's node."""
        return FactorTerm(self.posterior, i, float(self.exploration_weights[i]), weight)

    def values(self, X: FloatArray) -> FloatArray:
        """(m,) values."""
        X = np.atleast_2d(X)
        total = np.zeros(len(X))
        for i, own in enumerate(self.graph.indices):
            total += self.term(i).values(X[:, own])
        return total

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) values and (m, D) gradients."""
        X = np.atleast_2d(X)
        total, gradient = np.zeros(len(X)), np.zeros(X.shape)
        for i, own in enumerate(self.graph.indices):
            values, slopes = self.term(i).values_and_gradients(X[:, own])
            total += values
            gradient[:, own] += slopes
        return total, gradient

    def exploration(self, X: FloatArray) -> FloatArray:
        """(m,) shares in [0, 1] of the score that the deviations make."""
        X = np.atleast_2d(X)
        mean, bonus = np.zeros(len(X)), np.zeros(len(X))
        for i, own in enumerate(self.graph.indices):
            factor_mean, variance = self.posterior.factor_mean_and_variance(i, X[:, own])
            mean += factor_mean
            bonus += self.exploration_weights[i] * np.sqrt(variance)
        return share(bonus, mean)
