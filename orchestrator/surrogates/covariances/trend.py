"""The covariance of a wide trend with detail upon it: a bowl with ripples, a slope with bumps.

One stationary kernel must take the ripples for all there is, or the bowl. This is two of them: a smooth one
with one long length-scale for all parameters, and another.

    k(a, b) = v_t exp(-|a - b|^2 / (2 L^2)) + v_d k_d(a, b)

Notation: E embedded columns, A (n, E) and B (m, E) inputs, L the trend's length-scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Stationary
from orchestrator.surrogates.covariances.kernels import Kernel, KernelCross


@dataclass(frozen=True, eq=False, slots=True)
class TrendKernel(Stationary):
    """A `Covariance`: the sum of two stationary kernels on the same columns."""

    trend: Kernel
    detail: Kernel

    @property
    def variance(self) -> float:
        """The prior variance of the whole function."""
        return self.trend.variance + self.detail.variance

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        for_trend, for_detail = self._squared(A, B)
        return self.trend.of_squared(for_trend) + self.detail.of_squared(for_detail)

    def cross(self, A: FloatArray, B: FloatArray) -> TrendCross:
        """(n, m) covariances together with their gradients."""
        for_trend, for_detail = self._squared(A, B)
        return TrendCross(
            self.trend.cross_of_squared(A, B, for_trend), self.detail.cross_of_squared(A, B, for_detail)
        )

    def spectral_frequencies(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, E) angular frequencies w with variance E cos(w'(a - b)) = k(a, b): of the trend or of the
        detail, drawn as their variances say.
        """
        of_trend = rng.random(count) * self.variance < self.trend.variance
        trend = self.trend.spectral_frequencies(count, rng)
        detail = self.detail.spectral_frequencies(count, rng)
        return np.where(of_trend[:, None], trend, detail)

    def _squared(self, A: FloatArray, B: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Squared distances as either sees them: computed once, where they are in proportion."""
        for_trend = self.trend.squared_distances(A, B)
        ratios = self.trend.length_scales / self.detail.length_scales
        if np.all(ratios == ratios[0]):
            return for_trend, for_trend * ratios[0] ** 2
        return for_trend, self.detail.squared_distances(A, B)


@dataclass(frozen=True, eq=False, slots=True)
class TrendCross:
    """A `CrossCovariance`: the sum of two."""

    trend: KernelCross
    detail: KernelCross

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        return self.trend.values + self.detail.values

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        return self.trend.weighted_gradient(W) + self.detail.weighted_gradient(W)
