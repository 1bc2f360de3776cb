"""Many functions drawn together: from a prior, or from a posterior in random features.

They share their frequencies, so that a point's features serve all of them: S functions at p points cost one
product of matrices, where drawing them one by one (`pathwise`) costs S of everything. From an exact posterior
they are `PathwiseFunctions`.

Notation: S functions, E embedded columns, p points, D frequencies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.covariance import Covariance
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.interaction import InteractionKernel
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.trend import TrendKernel
from orchestrator.surrogates.covariances.wave import WaveKernel
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

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
