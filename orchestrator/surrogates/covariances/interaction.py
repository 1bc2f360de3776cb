"""The covariance of a sum of functions of one and of two parameters, whichever these are.

All of them at once, without a search: the first two orders of an additive kernel (Duvenaud, Nickisch &
Rasmussen 2011, Eqs. 4-6), which costs no more than one that sees each parameter alone.

    k(a, b) = v_1 / D  sum_p k_p + v_2 / (D (D - 1) / 2)  sum_(p < q) k_p k_q

Notation: D >= 2 parameters, E embedded columns, A (n, E) and B (m, E) inputs, k_p the correlation in
parameter p, S = sum_p k_p, so that sum_(p < q) k_p k_q = (S^2 - sum_p k_p^2) / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.covariance import Stationary, parameter_columns
from orchestrator.surrogates.covariances.kernel_families import KernelFamily


@dataclass(frozen=True, eq=False)
class InteractionKernel(Stationary):
    """A `Covariance`. (D,) length-scales, the variance of either order, `Domain.embedded_parameter` (E,)."""

    family: KernelFamily
    length_scales: FloatArray
    variances: tuple[float, float]
    embedded_parameter: IndexArray

    def __post_init__(self) -> None:
        if len(self.length_scales) < 2:
            raise ValueError("an interaction needs two parameters; use a kernel of one")

    @property
    def variance(self) -> float:
        """The prior variance of the whole function."""
        return float(sum(self.variances))

    @property
    def order_weights(self) -> tuple[float, float]:
        """What each k_p and each k_p k_q is multiplied by."""
        return order_weights(self.variances, len(self.length_scales))

    @cached_property
    def columns(self) -> tuple[IndexArray, ...]:
        """D index arrays: the embedded columns of each parameter."""
        return parameter_columns(self.embedded_parameter, len(self.length_scales))

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        B = A if B is None else B
        total, squares = np.zeros((len(A), len(B))), np.zeros((len(A), len(B)))
        for p in range(len(self.length_scales)):
            k = self.family.correlation(self._squared(A, B, p))
            total += k
            k *= k
            squares += k
        single, double = self.order_weights
        squares -= total * total
        squares *= -0.5 * double
        total *= single
        total += squares
        return total

    def cross(self, A: FloatArray, B: FloatArray) -> InteractionCross:
        """(n, m) covariances together with their gradients: D (n, m) matrices twice."""
        parameters = range(len(self.length_scales))
        both = [self.family.correlation_and_slope(self._squared(A, B, p)) for p in parameters]
        return InteractionCross(self, A, B, tuple(k for k, _ in both), tuple(slope for _, slope in both))

    def spectral_frequencies(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, E) angular frequencies w with variance E cos(w'(a - b)) = k(a, b): each in one parameter or
        in two, drawn as the variances say.
        """
        D = len(self.length_scales)
        first = rng.integers(D, size=count)
        second = (first + 1 + rng.integers(D - 1, size=count)) % D
        both = rng.random(count) * self.variance < self.variances[1]
        frequencies = np.zeros((count, len(self.embedded_parameter)))
        for p, columns in enumerate(self.columns):
            seen = np.flatnonzero((first == p) | (both & (second == p)))
            drawn = self.family.frequencies(len(seen), len(columns), rng) / self.length_scales[p]
            frequencies[np.ix_(seen, columns)] = drawn
        return frequencies

    def _squared(self, A: FloatArray, B: FloatArray, p: int) -> FloatArray:
        columns, scale = self.columns[p], self.length_scales[p]
        if len(columns) == 1:
            # To the bit what is below, in two thirds of the time.
            apart: FloatArray = np.subtract.outer(A[:, columns[0]] / scale, B[:, columns[0]] / scale)
            return np.multiply(apart, apart, out=apart)
        squared: FloatArray = cdist(A[:, columns] / scale, B[:, columns] / scale, metric="sqeuclidean")
        return squared


@dataclass(frozen=True, eq=False)
class InteractionCross:
    """A `CrossCovariance`: k_p and dk_p/ds, (n, m) each, for every parameter."""

    kernel: InteractionKernel
    A: FloatArray
    B: FloatArray
    correlations: tuple[FloatArray, ...]
    slopes: tuple[FloatArray, ...]

    @cached_property
    def _total(self) -> FloatArray:
        return np.asarray(np.sum(self.correlations, axis=0))

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        single, double = self.kernel.order_weights
        squares = np.zeros_like(self._total)
        for k in self.correlations:
            squares += k * k
        return single * self._total + 0.5 * double * (self._total**2 - squares)

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`. O(n m D) time for each."""
        single, double = self.kernel.order_weights
        gradient = np.zeros((*W.shape[:-1], self.A.shape[1]))
        for p, (k, slope) in enumerate(zip(self.correlations, self.slopes, strict=True)):
            M = W * ((single + double * (self._total - k)) * slope)
            for column in self.kernel.columns[p]:
                contracted = M.sum(axis=-1) * self.A[:, column] - M @ self.B[:, column]
                gradient[..., column] = 2.0 * contracted / self.kernel.length_scales[p] ** 2
        return gradient


def order_weights(variances: tuple[float, float], dimension: int) -> tuple[float, float]:
    """What the correlations of one parameter and the products of two are multiplied by."""
    return variances[0] / dimension, 2.0 * variances[1] / (dimension * (dimension - 1))
