"""The covariance of a paraboloid with detail upon it: how any smooth function looks from near enough.

A stationary kernel forgets: it has to learn a valley's curvature anew all along it, while a paraboloid is
known everywhere from as many values as it has coefficients.

    k(a, b) = v_p (1 + w u_a'u_b)^2 + k_d(a, b),    u_a = (a - c) / r

The detail k_d is stationary, or a `TaylorRemainder`. Source: Rasmussen & Williams 2006, sections 2.7 and
4.2.2.

Notation: E embedded columns, A (n, E) and B (m, E) inputs, c (E,) a centre and r a radius, in which u is
about 1 long where the values are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import CrossCovariance
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.taylor_remainder import TaylorRemainder


@dataclass(frozen=True, eq=False, slots=True)
class Paraboloids:
    """All of them: ``centre`` (E,) and ``radius`` > 0 of the inputs' units; ``variance`` v_p > 0 at the
    centre; and what slope weighs against that, and curvature against slope, ``steepness`` w > 0.
    """

    centre: FloatArray
    radius: float
    variance: float
    steepness: float

    def within(self, X: FloatArray) -> FloatArray:
        """(n, E) u of (n, E) inputs."""
        scaled: FloatArray = (X - self.centre) / self.radius
        return scaled

    def roots(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """(n, m): 1 + w u_a'u_b, whose squares are covariances in units of the variance. Each from its own
        pair alone, as in `Kernel`.
        """
        roots: FloatArray = np.einsum("ne,me->nm", self.within(A), self.within(B))
        roots *= self.steepness
        roots += 1.0
        return roots

    def own_roots(self, A: FloatArray) -> FloatArray:
        """(n,) `roots` of inputs with themselves."""
        u = self.within(A)
        own: FloatArray = 1.0 + self.steepness * np.einsum("ne,ne->n", u, u)
        return own

    @property
    def slope(self) -> float:
        """d covariance / da is this times root times u_b."""
        return 2.0 * self.variance * self.steepness / self.radius


@dataclass(frozen=True, eq=False, slots=True)
class ParaboloidKernel:
    """A `Covariance`."""

    paraboloids: Paraboloids
    detail: Kernel | TaylorRemainder

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        roots = self.paraboloids.roots(A, A if B is None else B)
        return self.paraboloids.variance * roots * roots + self.detail.matrix(A, B)

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances, larger farther from the centre."""
        roots = self.paraboloids.own_roots(A)
        return self.paraboloids.variance * roots * roots + self.detail.diagonal(A)

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `diagonal`."""
        own = self.paraboloids
        along = (2.0 * own.slope) * own.own_roots(A)[:, None] * own.within(A)
        return along + self.detail.diagonal_gradient(A)

    def cross(self, A: FloatArray, B: FloatArray) -> ParaboloidCross:
        """(n, m) covariances together with their gradients."""
        return ParaboloidCross(self.paraboloids, self.paraboloids.roots(A, B), B, self.detail.cross(A, B))


@dataclass(frozen=True, eq=False, slots=True)
class ParaboloidCross:
    """A `CrossCovariance`: the roots of the paraboloids' part, and the detail's."""

    paraboloids: Paraboloids
    roots: FloatArray
    B: FloatArray
    detail: CrossCovariance

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        return self.paraboloids.variance * self.roots * self.roots + self.detail.values

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        own = self.paraboloids
        gradient: FloatArray = own.slope * ((W * self.roots) @ own.within(self.B))
        return gradient + self.detail.weighted_gradient(W)
