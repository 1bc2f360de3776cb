"""The covariance of what a paraboloid leaves of a smooth function about a point.

By Taylor's theorem that grows with the third power of the distance from the point. Values near it have to be
explained to the last digit, those far away hardly at all, so that a model of both is not led astray by
what the function does elsewhere, however much that is.

    k_d(a, b) = g(a) g(b) k(a, b),    g(a) = |a - c|^3 / r^3

Notation: k a stationary kernel, E embedded columns, A (n, E) and B (m, E) inputs, c (E,) the point, r a
radius.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernels import Kernel, KernelCross


@dataclass(frozen=True, eq=False, slots=True)
class TaylorRemainder:
    """A `Covariance`: a ``kernel`` that grows from ``centre`` (E,), and is itself at ``radius`` > 0."""

    kernel: Kernel
    centre: FloatArray
    radius: float

    def growth(self, A: FloatArray) -> FloatArray:
        """(n,) g."""
        lengths = self._lengths(A)
        grown: FloatArray = lengths * lengths * lengths
        return grown

    def growth_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `growth`."""
        gradient: FloatArray = self._lengths(A)[:, None] * (A - self.centre)
        gradient *= 3.0 / self.radius**2
        return gradient

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        first = self.growth(A)
        second = first if B is None else self.growth(B)
        covariances: FloatArray = first[:, None] * self.kernel.matrix(A, B) * second
        return covariances

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances."""
        grown: FloatArray = self.kernel.variance * self.growth(A) ** 2
        return grown

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `diagonal`."""
        gradient: FloatArray = (2.0 * self.kernel.variance * self.growth(A))[:, None] * self.growth_gradient(
            A
        )
        return gradient

    def cross(self, A: FloatArray, B: FloatArray) -> TaylorCross:
        """(n, m) covariances together with their gradients."""
        return TaylorCross(self.kernel.cross(A, B), self.growth(A), self.growth_gradient(A), self.growth(B))

    def _lengths(self, A: FloatArray) -> FloatArray:
        u = (A - self.centre) / self.radius
        return np.asarray(np.sqrt(np.einsum("ne,ne->n", u, u)))


@dataclass(frozen=True, eq=False, slots=True)
class TaylorCross:
    """A `CrossCovariance`: the kernel's, and how far it has grown, ``first`` (n,) and ``second`` (m,)."""

    kernel: KernelCross
    first: FloatArray
    first_gradient: FloatArray
    second: FloatArray

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        covariances: FloatArray = self.first[:, None] * self.kernel.values * self.second
        return covariances

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        grown = W * self.second
        summed = (grown * self.kernel.values).sum(axis=-1)
        gradient: FloatArray = self.first[:, None] * self.kernel.weighted_gradient(grown)
        gradient += summed[..., None] * self.first_gradient
        return gradient
