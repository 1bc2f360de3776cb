"""The joint covariance of a function's values and its derivatives, of a stationary kernel.

Rows are embedded inputs with one more column, the last: which embedded column a row is the derivative along,
or `OF_A_VALUE` of the function itself.

Notation: A (n, E + 1) and B (m, E + 1) rows, a and b their inputs, l (E,) length-scales, v the variance,
s = sum_e (a_e - b_e)^2 / l_e^2, rho(s) the correlation, d_e = (a_e - b_e) / l_e^2. With rho', rho'' by s:

    cov(f(a), f(b))             = v rho
    cov(df(a)/da_e, f(b))       =  2 v rho' d_e
    cov(f(a), df(b)/db_e)       = -2 v rho' d_e
    cov(df(a)/da_e, df(b)/db_g) = -4 v rho'' d_e d_g - 2 v rho' [e = g] / l_e^2

Source: Rasmussen & Williams 2006, section 9.4; Solak et al. 2003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.kernels import squared_between

OF_A_VALUE = -1
_SMALLEST = 1e-12


def rows_of_values(X: FloatArray) -> FloatArray:
    """(n, E + 1) rows of the function at (n, E) inputs."""
    return np.hstack([X, np.full((len(X), 1), float(OF_A_VALUE))])


def rows_of_derivatives(x: FloatArray, columns: IndexArray) -> FloatArray:
    """(c, E + 1) rows of the derivatives along (c,) embedded columns at one (E,) input."""
    return np.hstack([np.tile(x, (len(columns), 1)), np.asarray(columns, dtype=float)[:, None]])


def along(rows: FloatArray) -> IndexArray:
    """(n,) which embedded column each row is the derivative along, or `OF_A_VALUE`."""
    return rows[:, -1].astype(np.intp)


def shape_derivatives(
    family: KernelFamily, squared: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """rho and its first three derivatives by s, of the shape of ``squared``; the third, which diverges at 0
    for a Matern 5/2, is what it is a hair away: it is only met beside differences that vanish faster.

    Raises ValueError for a shape other than Matern 5/2 and RBF: a rougher one has no derivatives to observe.
    """
    if family.nu == math.inf:
        rho = np.exp(-0.5 * squared)
        return rho, -0.5 * rho, 0.25 * rho, -0.125 * rho
    if family.nu != 2.5:
        raise ValueError(f"expected a Matern 5/2 or an RBF kernel of derivatives, got {family.name}")
    z = np.sqrt(5.0 * squared)
    decay = np.exp(-z)
    curved = (25.0 / 12.0) * decay
    return (
        (1.0 + z + z * z / 3.0) * decay,
        (-5.0 / 6.0) * (1.0 + z) * decay,
        curved,
        -2.5 * curved / np.maximum(z, _SMALLEST),
    )


@dataclass(frozen=True, eq=False, slots=True)
class WithDerivatives:
    """A `Covariance` of rows: a family, Matern 5/2 or RBF, (E,) length-scales and a variance, all positive.

    Each covariance is computed from its own pair of rows alone.
    """

    family: KernelFamily
    length_scales: FloatArray
    variance: float = 1.0

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        return Pairs(self, A, A if B is None else B).values

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances: v of a value, -2 v rho'(0) / l_e^2 of a derivative."""
        column = along(A)
        steepness = -2.0 * self.variance * float(shape_derivatives(self.family, np.zeros(1))[1][0])
        of_derivatives = steepness / self.length_scales[np.maximum(column, 0)] ** 2
        return np.where(column == OF_A_VALUE, self.variance, of_derivatives)

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E + 1) zeros."""
        return np.zeros(A.shape)

    def cross(self, A: FloatArray, B: FloatArray) -> Pairs:
        """Covariances together with their gradients at A, whose rows are to be of values."""
        return Pairs(self, A, B)


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of rows A and B, under a kernel. Arrays are (n, m)."""

    kernel: WithDerivatives
    A: FloatArray
    B: FloatArray

    @cached_property
    def shapes(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """`shape_derivatives` of the pairs, without the variance."""
        scaled = [rows[:, :-1] / self.kernel.length_scales for rows in (self.A, self.B)]
        return shape_derivatives(self.kernel.family, squared_between(*scaled))

    @cached_property
    def first(self) -> FloatArray:
        """d_e along what each row of A is a derivative along; 0 where that is a value."""
        own, column = self._own(self.A)
        scales = np.square(self.kernel.length_scales[column])[:, None]
        apart = self.A[np.arange(len(self.A)), column][:, None] - self.B[:, column].T
        return np.asarray(np.where(own[:, None], apart / scales, 0.0))

    @cached_property
    def second(self) -> FloatArray:
        """d_e along what each row of B is a derivative along; 0 where that is a value."""
        own, column = self._own(self.B)
        scales = np.square(self.kernel.length_scales[column])[None, :]
        apart = self.A[:, column] - self.B[np.arange(len(self.B)), column][None, :]
        return np.asarray(np.where(own[None, :], apart / scales, 0.0))

    @cached_property
    def same(self) -> FloatArray:
        """1 / l_e^2 where both are derivatives along e, else 0."""
        of_a, of_b = along(self.A), along(self.B)
        own, column = self._own(self.A)
        alike = own[:, None] & (of_a[:, None] == of_b[None, :])
        return np.asarray(np.where(alike, 1.0 / np.square(self.kernel.length_scales[column])[:, None], 0.0))

    @cached_property
    def values(self) -> FloatArray:
        """The covariances."""
        rho, slope, curved, _ = self.shapes
        return np.asarray(self.kernel.variance * self.combined(rho, slope, curved))

    def combined(self, level: FloatArray, slope: FloatArray, curved: FloatArray) -> FloatArray:
        """The covariances of a correlation with this level, slope and curvature by s, at unit variance."""
        of_values = self._own(self.A)[0][:, None], self._own(self.B)[0][None, :]
        found = np.where(of_values[0] | of_values[1], 0.0, level)
        found += 2.0 * slope * (np.where(of_values[1], 0.0, self.first) - self._second_of_values)
        found -= 4.0 * curved * self.first * self.second
        found -= 2.0 * slope * self.same
        return np.asarray(found)

    @property
    def _second_of_values(self) -> FloatArray:
        return np.asarray(np.where(self._own(self.A)[0][:, None], 0.0, self.second))

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """(..., n, E + 1): row i is sum_j W_ij d k(A_i, B_j) / d A_i, for one (n, m) W or a stack of them,
        where the rows of A are of values. 0 in the last column.
        """
        _, slope, curved, _ = self.shapes
        derived, column = self._own(self.B)
        squares = np.square(self.kernel.length_scales)
        M = W * np.where(derived[None, :], -4.0 * curved * self.second, 2.0 * slope)
        centre = self.B[:, :-1].mean(axis=0) if len(self.B) else 0.0
        inputs, others = self.A[:, :-1] - centre, self.B[:, :-1] - centre
        found = (M.sum(axis=-1)[..., None] * inputs - M @ others) / squares
        chosen = np.zeros((len(self.B), len(squares)))
        chosen[np.flatnonzero(derived), column[derived]] = 1.0
        found += (W * (-2.0 * slope)) @ chosen / squares
        found *= self.kernel.variance
        return np.concatenate([found, np.zeros((*found.shape[:-1], 1))], axis=-1)

    @staticmethod
    def _own(rows: FloatArray) -> tuple[BoolArray, IndexArray]:
        """Which rows are derivatives, and along which columns; the first of a value, for want of one."""
        column = along(rows)
        return column != OF_A_VALUE, np.maximum(column, 0)
