"""Random Fourier features, whose products are a stationary covariance, and functions that are linear in them.

Lu et al. 2022, Appendix A: a stationary kernel of variance s2 is s2 phi(x)' phi(x') on average over
frequencies drawn from its spectral density.

Notation: D frequencies, E embedded inputs, n points, X (n, E) inputs, phi features.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class FourierFeatures:
    """The feature map of Eq. 15: sines, then cosines, of D frequencies, over the square root of D.

    ``frequencies`` is (D, E), drawn from the spectral density of a kernel (length-scales included).
    """

    frequencies: FloatArray

    @property
    def count(self) -> int:
        """2D, the length of a feature vector."""
        return 2 * len(self.frequencies)

    def values(self, X: FloatArray) -> FloatArray:
        """(n, E) inputs to (n, 2D) features."""
        phases = X @ self.frequencies.T
        n, D = phases.shape
        features = np.empty((n, 2 * D))
        np.sin(phases, out=features[:, :D])
        np.cos(phases, out=features[:, D:])
        features /= math.sqrt(D)
        return features

    def gradients(self, features: FloatArray, weights: FloatArray) -> FloatArray:
        """(n, E) gradients of weights' phi(x), where ``features`` (n, 2D) are phi at n inputs.

        ``weights`` is (2D,), or (n, 2D) for others at each input.
        """
        D = len(self.frequencies)
        slopes = features[:, D:] * weights[..., :D] - features[:, :D] * weights[..., D:]
        return np.asarray(slopes @ self.frequencies)


@dataclass(frozen=True, eq=False)
class FeatureFunction:
    """A function drawn from a posterior (Eq. 9): phi(x)' weights, with ``weights`` (2D,)."""

    features: FourierFeatures
    weights: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, E) inputs."""
        return np.asarray(self.features.values(X) @ self.weights)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients at (n, E) inputs."""
        phi = self.features.values(X)
        return phi @ self.weights, self.features.gradients(phi, self.weights)
