"""The covariance of a paraboloid with detail upon it: how any smooth function looks from near enough.

A stationary kernel forgets: it has to learn a valley's curvature anew all along it, while a paraboloid is
known everywhere from as many values as it has coefficients. Of many inputs most are those of pairs of
them, and most pairs of parameters hardly act together: how much they do is one more thing to learn.

    k(a, b) = v_p ((1 + w p)^2 - (1 - x) w^2 (p^2 - q)) + k_d(a, b)
    p = u_a'u_b,    q = (u_a * u_a)'(u_b * u_b),    u_a = (a - c) / r

The detail k_d is stationary, or a `TaylorRemainder`. Source: Rasmussen & Williams 2006, sections 2.7 and
4.2.2, for x = 1.

Notation: E embedded columns, A (n, E) and B (m, E) inputs, c (E,) a centre and r a radius, in which u is
about 1 long where the values are; * goes element by element.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import CrossCovariance
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.taylor_remainder import TaylorRemainder

ALIKE = 1.0
"""The crossing of paraboloids that are alike in all directions."""


@dataclass(frozen=True, eq=False, slots=True)
class Paraboloids:
    """All of them: ``centre`` (E,) and ``radius`` > 0 of the inputs' units; ``variance`` v_p > 0 at the
    centre; what slope weighs against that, and curvature against slope, ``steepness`` w > 0; and what
    curvature between two inputs weighs against that along each of them, ``crossing`` x > 0.
    """

    centre: FloatArray
    radius: float
    variance: float
    steepness: float
    crossing: float

    def within(self, X: FloatArray) -> FloatArray:
        """(n, E) u of (n, E) inputs."""
        scaled: FloatArray = (X - self.centre) / self.radius
        return scaled

    def covariances(self, products: FloatArray, of_squares: FloatArray | None) -> FloatArray:
        """By p and q, of any shape: what is v_p (...) above. For x = 1, q may be None."""
        roots = 1.0 + self.steepness * products
        covariances: FloatArray = self.variance * roots * roots
        if of_squares is not None:
            lacking = self.variance * (1.0 - self.crossing) * self.steepness**2
            covariances -= lacking * (products * products - of_squares)
        return covariances

    def cross(self, A: FloatArray, B: FloatArray) -> ParaboloidsCross:
        """Of each pair by itself, as in `Kernel`."""
        return ParaboloidsCross(self, self.within(A), self.within(B))

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances, larger farther from the centre."""
        u = self.within(A)
        squares = u * u
        return self.covariances(np.einsum("ne,ne->n", u, u), np.einsum("ne,ne->n", squares, squares))

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `diagonal`."""
        u, x = self.within(A), self.crossing
        squares = u * u
        bent = x * np.einsum("ne,ne->n", u, u)[:, None] + (1.0 - x) * squares
        gradient: FloatArray = 2.0 * self.slope * (1.0 + self.steepness * bent) * u
        return gradient

    @property
    def slope(self) -> float:
        """By which covariances change with u_a'u_b at the centre, in the inputs' units."""
        return 2.0 * self.variance * self.steepness / self.radius


@dataclass(frozen=True, eq=False)
class ParaboloidsCross:
    """A `CrossCovariance`: between ``first`` (n, E) and ``second`` (m, E), in units of the radius."""

    paraboloids: Paraboloids
    first: FloatArray
    second: FloatArray

    @cached_property
    def products(self) -> FloatArray:
        """(n, m) p."""
        products: FloatArray = np.einsum("ne,me->nm", self.first, self.second)
        return products

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        own = self.paraboloids
        if own.crossing == ALIKE:
            return own.covariances(self.products, None)
        of_squares = np.einsum("ne,me->nm", np.square(self.first), np.square(self.second))
        return own.covariances(self.products, of_squares)

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        own, x = self.paraboloids, self.paraboloids.crossing
        crossed = (W * (1.0 + (own.steepness * x) * self.products)) @ self.second
        along = self.first * (W @ np.square(self.second))
        gradient: FloatArray = own.slope * (crossed + (own.steepness * (1.0 - x)) * along)
        return gradient


@dataclass(frozen=True, eq=False, slots=True)
class ParaboloidKernel:
    """A `Covariance`."""

    paraboloids: Paraboloids
    detail: Kernel | TaylorRemainder

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        return self.paraboloids.cross(A, A if B is None else B).values + self.detail.matrix(A, B)

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances."""
        return self.paraboloids.diagonal(A) + self.detail.diagonal(A)

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `diagonal`."""
        return self.paraboloids.diagonal_gradient(A) + self.detail.diagonal_gradient(A)

    def cross(self, A: FloatArray, B: FloatArray) -> ParaboloidCross:
        """(n, m) covariances together with their gradients."""
        return ParaboloidCross(self.paraboloids.cross(A, B), self.detail.cross(A, B))


@dataclass(frozen=True, eq=False, slots=True)
class ParaboloidCross:
    """A `CrossCovariance`: the paraboloids' and the detail's."""

    paraboloids: ParaboloidsCross
    detail: CrossCovariance

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        return self.paraboloids.values + self.detail.values

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        return self.paraboloids.weighted_gradient(W) + self.detail.weighted_gradient(W)
