"""Functions drawn from an exact posterior: the prior in random features, the data's part exactly.

A function from the prior is cheap to draw in Fourier features, which express it well whatever the data. It
is then moved by what the data say that it got wrong (Matheron's rule):

    f(x) = g(x) + k(x, X) K^-1 (y - g(X) - e),    e ~ N(0, noise)

so that few features do not make the posterior too sure of itself, as they do when the data are seen through
them. Source: Wilson, Borovitskiy, Terenin, Mostowsky & Deisenroth 2020, Eq. 13.

Notation: n observations, E embedded columns, p points, g a function from the prior, e noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.fourier_features import FeatureFunction, FourierFeatures
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.moments import PosteriorGradients

FEATURES = 512


@dataclass(frozen=True, eq=False, slots=True)
class PathwiseFunction:
    """One draw: a function of (p, E) inputs, O((n + features) E) for each."""

    prior: FeatureFunction
    kernel: Kernel
    inputs: FloatArray
    update: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        """(p,) values."""
        drawn = self.prior.values(X)
        return drawn + self.kernel.matrix(X, self.inputs) @ self.update if len(self.update) else drawn

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) values and (p, E) gradients."""
        values, gradients = self.prior.values_and_gradients(X)
        if not len(self.update):
            return values, gradients
        cross = self.kernel.cross(X, self.inputs)
        weights = np.broadcast_to(self.update, (len(X), len(self.update)))
        return values + cross.values @ self.update, gradients + cross.weighted_gradient(weights)


@dataclass(frozen=True, eq=False, slots=True)
class PathwisePosterior:
    """An exact posterior under one stationary kernel, from which whole functions can be drawn.

    ``features``: frequencies of the prior's draw.
    """

    exact: ExactGP
    features: int = FEATURES

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) exact means and variances at (p, E) inputs."""
        return self.exact.mean_and_variance(X)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (p, E) gradients."""
        return self.exact.value_gradients(X)

    def draw(self, rng: np.random.Generator) -> PathwiseFunction:
        """A function from the posterior: O(n^2 + n features).

        Raises TypeError for a covariance that is not one stationary kernel.
        """
        gp, kernel = self.exact, self.exact.covariance
        if not isinstance(kernel, Kernel):
            raise TypeError(f"expected one stationary kernel to draw from, got a {type(kernel).__name__}")
        features = FourierFeatures(kernel.spectral_frequencies(self.features, rng))
        weights = np.sqrt(kernel.variance) * rng.standard_normal(features.count)
        prior = FeatureFunction(features, weights)
        if not len(gp):
            return PathwiseFunction(prior, kernel, np.zeros((0, len(kernel.length_scales))), gp.alpha)
        rest = gp.values - prior.values(gp.inputs) - gp.drawn_noise(1, rng)[0]
        update = gp.half_solve_transposed(gp.half_solve(rest))
        return PathwiseFunction(prior, kernel, gp.inputs, update)
