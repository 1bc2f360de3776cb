"""The covariance of waves along each parameter, slow ones and fast ones, upon a trend with detail.

What repeats itself is known everywhere once it is known somewhere: a hundred parameters with ten hills each
have two numbers each to be learned, where a kernel that forgets has a thousand. Half a slow wave is a slope
or a bowl, of each parameter on its own.

    k(a, b) = k_0(a, b) + sum_w v_w / C  sum_c cos(2 pi f_w (a_c - b_c))

Notation: k_0 the surface's covariance, E embedded columns, C of them with waves, f_w frequencies in cycles
across a parameter's range, v_w variances, A (n, E) and B (m, E) inputs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.covariance import LARGEST_ROW_BY_ROW, Stationary
from orchestrator.surrogates.covariances.trend import TrendCross, TrendKernel


@dataclass(frozen=True, slots=True)
class Waves:
    """Along every column with waves: a positive ``frequency``, in cycles across a parameter's range, and a
    positive ``variance``.
    """

    frequency: float
    variance: float


@dataclass(frozen=True, eq=False, slots=True)
class WaveKernel(Stationary):
    """A `Covariance`. ``columns`` (C,), C >= 1, are those with waves."""

    surface: TrendKernel
    columns: IndexArray
    waves: tuple[Waves, ...]

    @property
    def variance(self) -> float:
        """The prior variance of the whole function."""
        return self.surface.variance + self.wave_variance

    @property
    def wave_variance(self) -> float:
        """That of all waves together."""
        return sum(waves.variance for waves in self.waves)

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        first = self.phases(A)
        return self.surface.matrix(A, B) + self.between(first, first if B is None else self.phases(B))

    def phases(self, X: FloatArray) -> FloatArray:
        """(n, 2 C W): `phases` of each of W waves, in units of their deviations."""
        along = X[:, self.columns]
        return np.hstack([math.sqrt(waves.variance) * phases(along, waves.frequency) for waves in self.waves])

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """(n, m) covariances of the waves alone, between `phases`.

        Of few by a distance, so that each covariance is computed from its own pair alone, as in `Kernel`; of
        many by a product of matrices, which takes a fraction of the time.
        """
        # Those that an exact process learns row by row must not tell in what company they came.
        if len(second) > LARGEST_ROW_BY_ROW:
            product: FloatArray = first @ second.T
            product *= 1.0 / len(self.columns)
            return product
        covariances: FloatArray = cdist(first, second, metric="sqeuclidean")
        covariances *= -0.5 / len(self.columns)
        covariances += self.wave_variance
        return covariances

    def cross(self, A: FloatArray, B: FloatArray) -> WaveCross:
        """(n, m) covariances together with their gradients."""
        return WaveCross(self, self.surface.cross(A, B), self.phases(A), self.phases(B))

    def spectral_frequencies(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, E) angular frequencies w with variance E cos(w'(a - b)) = k(a, b): of the surface, or of
        waves along one column, drawn as their variances say.
        """
        frequencies = self.surface.spectral_frequencies(count, rng)
        level = rng.random(count) * self.variance
        for waves in self.waves:
            drawn = np.flatnonzero((level >= 0.0) & (level < waves.variance))
            frequencies[drawn] = 0.0
            frequencies[drawn, rng.choice(self.columns, size=len(drawn))] = 2.0 * math.pi * waves.frequency
            level -= waves.variance
        return frequencies


@dataclass(frozen=True, eq=False, slots=True)
class WaveCross:
    """A `CrossCovariance`: the surface's, and the phases of either side."""

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
        gradient = self.surface.weighted_gradient(W)
        summed = W @ self.second
        for i, waves in enumerate(kernel.waves):
            cosine, sine = slice(2 * C * i, 2 * C * i + C), slice(2 * C * i + C, 2 * C * (i + 1))
            turned = self.first[:, sine] * summed[..., cosine] - self.first[:, cosine] * summed[..., sine]
            gradient[..., kernel.columns] -= (2.0 * math.pi * waves.frequency / C) * turned
        return gradient


def phases(X: FloatArray, frequency: float) -> FloatArray:
    """(n, 2C): cosines, then sines, of waves of a frequency along each of (n, C) columns."""
    angles = (2.0 * math.pi * frequency) * X
    return np.hstack([np.cos(angles), np.sin(angles)])


def wave_columns(embedded_parameter: IndexArray) -> IndexArray:
    """(C,) the embedded columns along which there can be waves, of (E,) as of `Data`: not those of
    categories, which have several a parameter, but a number that describes these, where it counts as one.
    """
    return np.flatnonzero(np.bincount(embedded_parameter)[embedded_parameter] == 1)
