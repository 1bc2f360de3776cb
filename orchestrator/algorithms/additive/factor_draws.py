"""Functions drawn from what is believed of one factor of a sum, of which only totals were told.

The factor's prior is drawn in random features and moved by what the totals say that it got wrong (Matheron's
rule, see `pathwise`). What is in a total beside the factor, the other factors and noise, is drawn with it:

    f(x) = m(x) + g(x) - k(x, X) K^-1 (g(X) + r),    r ~ N(0, K - k(X, X))

Notation: S functions, n inputs X, e embedded columns of the factor, p points, m its mean, g its prior, k its
covariance, K (n, n) the covariance of the totals with their noise, and L its Cholesky factor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor
from orchestrator.numerics.linalg import cholesky, solve_lower
from orchestrator.surrogates.draws.drawn_functions import FeatureFunctions


@dataclass(frozen=True, eq=False, slots=True)
class DrawnFactor:
    """S draws of one factor, as `DrawnFunctions` of its own embedded columns; ``updates`` is (S, n)."""

    prior: FeatureFunctions
    factor: GaussianFactor
    updates: FloatArray

    @classmethod
    def of(
        cls, factor: GaussianFactor, frequencies: int, count: int, rng: np.random.Generator
    ) -> DrawnFactor:
        """``count`` draws: O(n^3 + n^2 count)."""
        n, e = factor.inputs.shape
        prior = FeatureFunctions.from_prior(factor.kernel, e, frequencies, count, rng)
        if n == 0:
            return cls(prior, factor, np.zeros((count, 0)))
        L = solve_lower(factor.inverse_lower, np.eye(n))
        others = cholesky(L @ L.T - factor.kernel.matrix(factor.inputs), scale=factor.kernel.variance)
        totals = prior.values(factor.inputs) + rng.standard_normal((count, n)) @ others.lower.T
        return cls(prior, factor, factor.alpha - totals @ factor.inverse_lower.T @ factor.inverse_lower)

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        cross = self.factor.kernel.matrix(self.factor.inputs, X)
        drawn: FloatArray = self.factor.offset + self.prior.values(X) + self.updates @ cross
        return drawn

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        updates = self.updates[which]
        values, gradients = self.prior.values_and_gradients(X, which)
        cross = self.factor.kernel.cross(X, self.factor.inputs)
        values = self.factor.offset + values + np.einsum("pn,pn->p", cross.values, updates)
        return values, gradients + cross.weighted_gradient(updates)
