"""DuMBO's acquisition, the mean plus an additive bound on the deviation (Bardou et al. 2024, Eqs. 6-9).

The bound of Eq. 6 is B(x) = sum_i sqrt(s_i), s_i = sum over k in N_i of v_k, v_k = sigma_k(x_Vk)^2 /
|N_k|^2. For any graph sqrt(sum_i sigma_i^2) <= B <= sum_i sigma_i (Theorem 3.5), and both sides are
triangle inequalities: with the vectors u_i = (sqrt(v_k) for k in N_i, else 0), B = sum_i |u_i|, the left
side is |sum_i u_i| because k lies in |N_k| of the sets N_i, and the right side is the sum of all their
entries. (The paper compares derivatives instead, App. D.)

Notation: m points in the unit cube, D parameters, F factors, V_i the parameters and N_i the neighbours of
factor i (itself among them), b_i the square root of beta_i, c_i = s_i - v_i what a node is told by its
neighbours.

Deviations: beta may differ between factors (0.2 d log 2t with d the factor's own size), where Eq. 8 has one
for all. The paper takes sum_i sigma_i^2 for the variance of the sum, which it is when factors are
independent (beforehand, and with decomposed outputs). When only their sum is seen the factors are correlated,
as a rule negatively, and then the variance of the sum is less: the bound is a bound still, and a looser one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from orchestrator.acquisition.factor_ucb import exploration_weights
from orchestrator.acquisition.posterior import share
from orchestrator.surrogates.factor_posterior import FactorPosterior

FloatArray = NDArray[np.float64]

# Under a root whose slope is infinite at zero; far below any variance that a posterior reports.
SMALLEST_SUM = 1e-300


@dataclass(frozen=True, eq=False)
class LocalView:
    """Factor i's part of Eq. 8 as its node sees it: Eq. 9, with ``c`` frozen at what the neighbours last
    said.

    phi_i(x_Vi) = mu_i + b_i sqrt(sigma_i^2 / |N_i|^2 + c_i), times ``weight`` (a member's, in a mixture).
    The sum of these with c frozen is ADMM's view; the value to report and compare is
    `DecentralisedBound.values`.
    """

    posterior: FactorPosterior
    factor: int
    exploration_weight: float
    c: float = 0.0
    weight: float = 1.0

    @property
    def neighbours(self) -> int:
        """|N_i|."""
        return len(self.posterior.graph.neighbours[self.factor])

    def told(self, c: float) -> LocalView:
        """The same view after its neighbours' next messages."""
        return LocalView(self.posterior, self.factor, self.exploration_weight, c, self.weight)

    def message(self, X: FloatArray) -> FloatArray:
        """(m,) v_i = sigma_i^2 / |N_i|^2 at (m, |V_i|) coordinates: what it tells its neighbours."""
        _, variance = self.posterior.factor_mean_and_variance(self.factor, X)
        return variance / self.neighbours**2

    def values(self, X: FloatArray) -> FloatArray:
        """(m,) values at (m, |V_i|) coordinates."""
        mean, variance = self.posterior.factor_mean_and_variance(self.factor, X)
        bonus = np.sqrt(variance / self.neighbours**2 + self.c)
        return self.weight * (mean + self.exploration_weight * bonus)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) values and (m, |V_i|) gradients."""
        at = self.posterior.factor_gradients(self.factor, X)
        squared = self.neighbours**2
        bonus = np.sqrt(np.maximum(at.variance / squared + self.c, SMALLEST_SUM))
        slope = self.exploration_weight / (2.0 * squared * bonus)
        values = at.mean + self.exploration_weight * bonus
        gradients = at.mean_gradient + slope[:, None] * at.variance_gradient
        return self.weight * values, self.weight * gradients


class DecentralisedBound:
    """Eq. 8 at (m, D) points in the unit cube. ``beta`` is a number, or (F,) one a factor."""

    def __init__(self, posterior: FactorPosterior, beta: ArrayLike) -> None:
        self.posterior = posterior
        self.graph = posterior.graph
        self.exploration_weights = exploration_weights(self.graph, beta)

    def local_view(self, i: int, c: float = 0.0, weight: float = 1.0) -> LocalView:
        """Factor i's part, for its node."""
        return LocalView(self.posterior, i, float(self.exploration_weights[i]), c, weight)

    def messages(self, X: FloatArray) -> FloatArray:
        """(F, m) v_k at (m, D) points."""
        _, variances = self._means_and_variances(np.atleast_2d(X))
        return self._messages(variances)

    def constants(self, messages: FloatArray) -> FloatArray:
        """(F,) or (F, m) c_i from messages v of that shape: the neighbours' sum, without one's own."""
        others = self.graph.adjacency - np.eye(self.graph.size)
        constants: FloatArray = others @ messages
        return constants

    def bound(self, X: FloatArray) -> FloatArray:
        """(m,) Eq. 6, the bound on the deviation alone."""
        roots = np.sqrt(self.graph.adjacency @ self.messages(X))
        total: FloatArray = roots.sum(axis=0)
        return total

    def values(self, X: FloatArray) -> FloatArray:
        """(m,) Eq. 8."""
        means, bonus = self._means_and_bonus(np.atleast_2d(X))
        return means + bonus

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) Eq. 8 and (m, D) its gradients.

        d/dx sum_i b_i sqrt(s_i) = sum_k w_k grad v_k, with w_k = sum over i in N_k of b_i / (2 sqrt(s_i)).
        """
        X = np.atleast_2d(X)
        at = [self.posterior.factor_gradients(k, X[:, own]) for k, own in enumerate(self.graph.indices)]
        A, b = self.graph.adjacency, self.exploration_weights[:, None]
        roots = np.sqrt(np.maximum(A @ self._messages(np.array([g.variance for g in at])), SMALLEST_SUM))
        slopes = (A @ (b / (2.0 * roots))) / self.graph.neighbour_counts[:, None] ** 2
        values = np.sum([g.mean for g in at], axis=0) + (b * roots).sum(axis=0)
        gradient = np.zeros(X.shape)
        for own, g, slope in zip(self.graph.indices, at, slopes, strict=True):
            gradient[:, own] += g.mean_gradient + slope[:, None] * g.variance_gradient
        return values, gradient

    def exploration(self, X: FloatArray) -> FloatArray:
        """(m,) shares in [0, 1] of the score that the bound on the deviation makes."""
        means, bonus = self._means_and_bonus(np.atleast_2d(X))
        return share(bonus, means)

    def _means_and_bonus(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        means, variances = self._means_and_variances(X)
        roots = np.sqrt(self.graph.adjacency @ self._messages(variances))
        return means.sum(axis=0), self.exploration_weights @ roots

    def _means_and_variances(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(F, m) and (F, m)."""
        found = [
            self.posterior.factor_mean_and_variance(k, X[:, own]) for k, own in enumerate(self.graph.indices)
        ]
        return np.array([mean for mean, _ in found]), np.array([variance for _, variance in found])

    def _messages(self, variances: FloatArray) -> FloatArray:
        messages: FloatArray = variances / self.graph.neighbour_counts[:, None] ** 2
        return messages
