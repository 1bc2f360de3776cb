"""Many functions drawn from one posterior, evaluated together.

They share their frequencies, so that a point's features serve all of them: S functions at p points cost one
product of matrices, where drawing them one by one (`pathwise`) costs S of everything.

Notation: S functions, n observations, E embedded columns, p points, D frequencies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from orchestrator.surrogates.additive_kernel import AdditiveKernel
from orchestrator.surrogates.exact import ExactGP
from orchestrator.surrogates.interaction_kernel import InteractionKernel
from orchestrator.surrogates.kernels import Covariance, Kernel
from orchestrator.surrogates.random_features import FourierFeatures, RandomFeatureModel
from orchestrator.surrogates.trend_kernel import TrendKernel
from orchestrator.surrogates.wave_kernel import WaveKernel

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]

FEWEST_FREQUENCIES = 32


class DrawnFunctions(Protocol):
    """S functions of embedded inputs."""

    def values(self, X: FloatArray) -> FloatArray:
        """(S, p) values of all at (p, E) inputs."""
        ...

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """(p,) values and (p, E) gradients, at each of (p, E) inputs those of function ``which`` (p,)."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class FirstOf:
    """The first of some functions, as one."""

    functions: DrawnFunctions

    def values(self, X: FloatArray) -> FloatArray:
        """(p,) values at (p, E) inputs."""
        return np.asarray(self.functions.values(X)[0])

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) values and (p, E) gradients."""
        return self.functions.values_and_gradients(X, np.zeros(len(X), dtype=np.intp))


@dataclass(frozen=True, eq=False, slots=True)
class FeatureFunctions:
    """Functions phi(x)' weights, with ``weights`` (S, 2D)."""

    features: FourierFeatures
    weights: FloatArray

    @classmethod
    def from_model(cls, model: RandomFeatureModel, count: int, rng: np.random.Generator) -> FeatureFunctions:
        """``count`` draws from the posterior of a random-feature model."""
        return cls(model.features, np.array([model.draw(rng).weights for _ in range(count)]))

    @classmethod
    def from_prior(
        cls, covariance: Covariance, columns: int, frequencies: int, count: int, rng: np.random.Generator
    ) -> FeatureFunctions:
        """``count`` draws from a centred process over E ``columns``. Of an additive one, each factor has its
        share of the ``frequencies``, and 32 at least. Raises TypeError for a covariance without a spectral
        density.
        """
        if isinstance(covariance, Kernel | InteractionKernel | TrendKernel | WaveKernel):
            drawn = covariance.spectral_frequencies(frequencies, rng)
            scales = np.full(len(drawn), math.sqrt(covariance.variance))
        elif isinstance(covariance, AdditiveKernel):
            drawn, scales = _additive_frequencies(covariance, columns, frequencies, rng)
        else:
            raise TypeError(
                f"expected one stationary kernel or a sum of them to draw from, got a "
                f"{type(covariance).__name__}"
            )
        weights = rng.standard_normal((count, 2 * len(drawn))) * np.tile(scales, 2)
        return cls(FourierFeatures(drawn), weights)

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        return np.asarray(self.weights @ self.features.values(X).T)

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        phi, weights = self.features.values(X), self.weights[which]
        return np.einsum("pd,pd->p", phi, weights), self.features.gradients(phi, weights)


@dataclass(frozen=True, eq=False, slots=True)
class PathwiseFunctions:
    """Draws from an exact posterior by Matheron's rule (see `pathwise`): ``updates`` is (S, n)."""

    prior: FeatureFunctions
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
        prior = FeatureFunctions.from_prior(gp.covariance, gp.inputs.shape[1], frequencies, count, rng)
        noise = np.sqrt(gp.noise_variances + gp.jitter) * rng.standard_normal((count, len(gp)))
        rest = gp.values - gp.mean - prior.values(gp.inputs) - noise
        return cls(prior, gp, gp.half_solve_transposed(gp.half_solve(rest.T)).T)

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        cross = self.posterior.covariance.matrix(self.posterior.inputs, X)
        drawn: FloatArray = self.posterior.mean + self.prior.values(X) + self.updates @ cross
        return drawn

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        gp, updates = self.posterior, self.updates[which]
        values, gradients = self.prior.values_and_gradients(X, which)
        cross = gp.covariance.cross(X, gp.inputs)
        values = values + gp.mean + np.einsum("pn,pn->p", cross.values, updates)
        return values, gradients + cross.weighted_gradient(updates)

    def factor_values(self, j: int, X: FloatArray) -> FloatArray:
        """(S, p) values at (p, E) inputs of what factor j adds: of an additive covariance only."""
        covariance = self.posterior.covariance
        assert isinstance(covariance, AdditiveKernel)
        columns, kernel = covariance.columns[j], covariance.kernels[j]
        count = len(self.prior.features.frequencies)
        each = count // len(covariance.kernels)
        rows = np.arange(j * each, (j + 1) * each)
        features = FourierFeatures(self.prior.features.frequencies[rows][:, columns])
        weights = self.prior.weights[:, np.concatenate([rows, rows + count])] / math.sqrt(count / each)
        cross = kernel.matrix(self.posterior.inputs[:, columns], X[:, columns])
        drawn: FloatArray = weights @ features.values(X[:, columns]).T + self.updates @ cross
        return drawn


def _additive_frequencies(
    covariance: AdditiveKernel, width: int, frequencies: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """(D, E) frequencies, each of one factor and 0 in the columns of the others, and their (D,) scales."""
    each = max(FEWEST_FREQUENCIES, frequencies // len(covariance.kernels))
    count = each * len(covariance.kernels)
    drawn, scales = np.zeros((count, width)), np.empty(count)
    for j, (columns, kernel) in enumerate(zip(covariance.columns, covariance.kernels, strict=True)):
        rows = slice(j * each, (j + 1) * each)
        drawn[rows, columns] = kernel.spectral_frequencies(each, rng)
        # The features are divided by the root of all frequencies, of which a factor has a share only.
        scales[rows] = math.sqrt(kernel.variance * count / each)
    return drawn, scales
