"""The covariance of waves along each parameter, all of one frequency, upon a trend with detail.

What repeats itself is known everywhere once it is known somewhere: a hundred parameters with ten hills each
have two numbers each to be learned, where a kernel that forgets has a thousand.

    k(a, b) = k_0(a, b) + v / C  sum_c cos(2 pi f (a_c - b_c))

Notation: k_0 the surface's covariance, E embedded columns, C of them with waves, f their frequency in cycles
across a parameter's range, v their variance, A (n, E) and B (m, E) inputs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from orchestrator.surrogates.trend_kernel import TrendCross, TrendKernel

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class WaveKernel:
    """A `Covariance`. ``columns`` (C,), C >= 1, are those with waves; ``frequency`` and ``wave_variance`` are
    positive.
    """

    surface: TrendKernel
    columns: NDArray[np.intp]
    frequency: float
    wave_variance: float

    @property
    def variance(self) -> float:
        """The prior variance of the whole function."""
        return self.surface.variance + self.wave_variance

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        first = phases(A[:, self.columns], self.frequency)
        second = first if B is None else phases(B[:, self.columns], self.frequency)
        return self.surface.matrix(A, B) + self.between(first, second)

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """(n, m) covariances of the waves alone, between `phases`.

        sum_c cos(a_c - b_c) by a distance rather than a product of matrices: each covariance is computed from
        its own pair alone, as in `Kernel`.
        """
        covariances: FloatArray = cdist(first, second, metric="sqeuclidean")
        covariances *= -0.5 * self.wave_variance / len(self.columns)
        covariances += self.wave_variance
        return covariances

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances, all equal."""
        return np.full(len(A), self.variance)

    def cross(self, A: FloatArray, B: FloatArray) -> WaveCross:
        """(n, m) covariances together with their gradients."""
        first, second = (phases(X[:, self.columns], self.frequency) for X in (A, B))
        return WaveCross(self, self.surface.cross(A, B), first, second)

    def spectral_frequencies(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, E) angular frequencies w with variance E cos(w'(a - b)) = k(a, b): of the surface, or of
        the waves along one column, drawn as their variances say.
        """
        frequencies = self.surface.spectral_frequencies(count, rng)
        waves = np.flatnonzero(rng.random(count) * self.variance < self.wave_variance)
        frequencies[waves] = 0.0
        frequencies[waves, rng.choice(self.columns, size=len(waves))] = 2.0 * math.pi * self.frequency
        return frequencies


@dataclass(frozen=True, eq=False, slots=True)
class WaveCross:
    """A `CrossCovariance`: the surface's, and (n, 2C) and (m, 2C) `phases`."""

    kernel: WaveKernel
    surface: TrendCross
    first: FloatArray
    second: FloatArray

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        return self.surface.values + self.kernel.between(self.first, self.second)

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`. d cos(a - b) / da = -(sin a cos b - cos a sin b)."""
        kernel, C = self.kernel, len(self.kernel.columns)
        cosines, sines = self.first[:, :C], self.first[:, C:]
        summed = W @ self.second
        turned = sines * summed[..., :C] - cosines * summed[..., C:]
        gradient = self.surface.weighted_gradient(W)
        gradient[..., kernel.columns] -= (
            2.0 * math.pi * kernel.frequency * kernel.wave_variance / C
        ) * turned
        return gradient


def phases(X: FloatArray, frequency: float) -> FloatArray:
    """(n, 2C): cosines, then sines, of waves of a frequency along each of (n, C) columns."""
    angles = (2.0 * math.pi * frequency) * X
    return np.hstack([np.cos(angles), np.sin(angles)])


def wave_columns(embedded_parameter: NDArray[np.intp]) -> NDArray[np.intp]:
    """(C,) the embedded columns along which there can be waves: not those of categories, which have several
    columns a parameter.
    """
    return np.flatnonzero(np.bincount(embedded_parameter)[embedded_parameter] == 1)
