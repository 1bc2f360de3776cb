"""Many functions drawn from an exact posterior: the prior in features, the data's part exactly (`pathwise`).

Notation: S functions, n observations, E embedded columns, p points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.covariance import Covariance
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.paraboloid import ParaboloidKernel
from orchestrator.surrogates.covariances.related import RelatedKernel
from orchestrator.surrogates.draws.drawn_functions import FeatureFunctions
from orchestrator.surrogates.draws.paraboloid_functions import ParaboloidFunctions
from orchestrator.surrogates.draws.related_functions import RelatedFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP


@dataclass(frozen=True, eq=False, slots=True)
class PathwiseFunctions:
    """Draws from an exact posterior by Matheron's rule (see `pathwise`): ``updates`` is (S, n)."""

    prior: FeatureFunctions | ParaboloidFunctions | RelatedFunctions
    posterior: ExactGP
    updates: FloatArray

    @classmethod
    def from_posterior(
        cls, posterior: ExactGP, frequencies: int, count: int, rng: np.random.Generator
    ) -> PathwiseFunctions:
        """``count`` draws: O(n^2 count). They are those of the posterior as it is; it is not to learn on.

        Raises TypeError for a covariance without a spectral density, ValueError before any value is learned.
        """
        gp = posterior
        if not len(gp):
            raise ValueError("expected a posterior that has learned a value, got one that has learned none")
        prior = _from_prior(gp.covariance, gp.inputs.shape[1], frequencies, count, rng)
        rest = gp.values - prior.values(gp.inputs) - gp.drawn_noise(count, rng)
        return cls(prior, gp, gp.half_solve_transposed(gp.half_solve(rest.T)).T)

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        cross = self.posterior.covariance.matrix(self.posterior.inputs, X)
        drawn: FloatArray = self.prior.values(X) + self.updates @ cross
        return drawn

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        gp, updates = self.posterior, self.updates[which]
        values, gradients = self.prior.values_and_gradients(X, which)
        cross = gp.covariance.cross(X, gp.inputs)
        values = values + np.einsum("pn,pn->p", cross.values, updates)
        return values, gradients + cross.weighted_gradient(updates)

    def factor_values(self, j: int, X: FloatArray) -> FloatArray:
        """(S, p) values at (p, E) inputs of what factor j adds: of an additive covariance only."""
        covariance, prior = self.posterior.covariance, self.prior
        assert isinstance(covariance, AdditiveKernel)
        assert isinstance(prior, FeatureFunctions)
        columns, kernel = covariance.columns[j], covariance.kernels[j]
        count = len(prior.features.frequencies)
        each = count // len(covariance.kernels)
        rows = np.arange(j * each, (j + 1) * each)
        features = FourierFeatures(prior.features.frequencies[rows][:, columns])
        weights = prior.weights[:, np.concatenate([rows, rows + count])] / math.sqrt(count / each)
        cross = kernel.matrix(self.posterior.inputs[:, columns], X[:, columns])
        drawn: FloatArray = weights @ features.values(X[:, columns]).T + self.updates @ cross
        return drawn


def _from_prior(
    covariance: Covariance, columns: int, frequencies: int, count: int, rng: np.random.Generator
) -> FeatureFunctions | ParaboloidFunctions | RelatedFunctions:
    if isinstance(covariance, ParaboloidKernel):
        return ParaboloidFunctions.from_prior(covariance, frequencies, count, rng)
    if isinstance(covariance, RelatedKernel):
        return RelatedFunctions.from_prior(covariance, columns, frequencies, count, rng)
    return FeatureFunctions.from_prior(covariance, columns, frequencies, count, rng)
