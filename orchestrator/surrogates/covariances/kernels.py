"""Stationary kernels on embedded inputs, and the gradients that evidence and acquisitions need.

Each of the E columns has a length-scale of its own here; those of one parameter are tied by whoever fits
them.

Notation: A (n, E) and B (m, E) inputs, l (E,) length-scales, s_ij = sum_e (A_ie - B_je)^2 / l_e^2,
K_ij = variance k(s_ij), W weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Stationary
from orchestrator.surrogates.covariances.kernel_families import (
    KernelFamily,
)


@dataclass(frozen=True, eq=False, slots=True)
class Kernel(Stationary):
    """A stationary kernel: a family, (E,) positive length-scales and a positive variance.

    Each covariance is computed from its own pair alone, so that a matrix built by rows, in batches or at
    once is the same to the bit, and duplicated inputs are exactly as far apart as they are: zero.
    """

    family: KernelFamily
    length_scales: FloatArray
    variance: float = 1.0

    def __post_init__(self) -> None:
        scales = np.asarray(self.length_scales, dtype=float)
        object.__setattr__(self, "length_scales", scales)
        if scales.ndim != 1 or not (np.isfinite(scales).all() and (scales > 0).all()):
            raise ValueError(f"length-scales must be a vector of positive numbers; got {self.length_scales}")
        if not (np.isfinite(self.variance) and self.variance > 0):
            raise ValueError(f"a kernel's variance must be a positive number; got {self.variance}")

    def squared_distances(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) squared distances in units of the length-scales."""
        scaled = A / self.length_scales
        return squared_between(scaled, scaled if B is None else B / self.length_scales)

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        return self.of_squared(self.squared_distances(A, B))

    def of_squared(self, squared: FloatArray) -> FloatArray:
        """Covariances, of the shape of ``squared``, at `squared_distances`."""
        covariances = self.family.correlation(squared)
        covariances *= self.variance
        return covariances

    def cross(self, A: FloatArray, B: FloatArray) -> KernelCross:
        """(n, m) covariances together with their gradients."""
        return self.cross_of_squared(A, B, self.squared_distances(A, B))

    def cross_of_squared(self, A: FloatArray, B: FloatArray, squared: FloatArray) -> KernelCross:
        """`cross`, where ``squared`` is `squared_distances(A, B)`."""
        correlation, slope = self.family.correlation_and_slope(squared)
        correlation *= self.variance
        return KernelCross(self, A, B, correlation, slope)

    def length_scale_gradient(self, A: FloatArray, W: FloatArray, squared: FloatArray) -> FloatArray:
        """(E,) sum_ij W_ij dK_ij / d log l_e, where ``squared`` is `squared_distances(A)`.

        O(n^2 E) time, O(n^2) memory: sum_ij M_ij (a_i - a_j)^2 is a product of matrices.
        """
        M = self.family.slope(squared)
        M *= W
        centred = (A - A.mean(axis=0)) / self.length_scales
        both_sums = M.sum(axis=1) + M.sum(axis=0)
        spread = both_sums @ centred**2 - 2.0 * np.einsum("ie,ie->e", centred, M @ centred)
        gradient: FloatArray = (-2.0 * self.variance) * spread
        return gradient

    def spectral_frequencies(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, E) angular frequencies w with variance E cos(w'(a - b)) = k(a, b) (Bochner)."""
        return self.family.frequencies(count, len(self.length_scales), rng) / self.length_scales


@dataclass(frozen=True, eq=False, slots=True)
class KernelCross:
    """The `CrossCovariance` of one kernel; ``slope`` is (n, m) dk/ds at unit variance."""

    kernel: Kernel
    A: FloatArray
    B: FloatArray
    values: FloatArray
    slope: FloatArray

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`. O(n m E) time and O(n m) memory for each."""
        M = W * self.slope
        centre = self.B.mean(axis=0) if len(self.B) else 0.0
        contracted = M.sum(axis=-1)[..., None] * (self.A - centre) - M @ (self.B - centre)
        gradients: FloatArray = (2.0 * self.kernel.variance) * contracted / self.kernel.length_scales**2
        return gradients


def squared_between(A: FloatArray, B: FloatArray) -> FloatArray:
    """(n, m) squared distances between rows that have been divided by the length-scales already."""
    squared: FloatArray = cdist(A, B, metric="sqeuclidean")
    return squared
