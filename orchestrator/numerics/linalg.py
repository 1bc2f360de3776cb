"""The project's only Cholesky: factorise, solve, determinant, and growth by rows in O(n^2).

Factors are lower triangular in C order, whose transpose is what LAPACK reads, so that no call copies one.

Notation: A (n, n) symmetric positive definite, L its factor (A = L L'), B right-hand sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from orchestrator.arrays import FloatArray
from orchestrator.errors import OrchestratorError

# As parts of the diagonal.
FIRST_JITTER, LARGEST_JITTER = 1e-10, 1e-2
# A squared pivot under this part of the diagonal is rounding error: its solves would be noise.
PIVOT_FLOOR = 1e-12
ROWS_AT_ONCE = 128
"""So many rows are solved for at a time: by a copy of their corner of a factor, if that is larger."""


class FactorisationError(OrchestratorError):
    """A matrix that ought to be positive definite is not, or is not even finite."""


@dataclass(frozen=True, eq=False, slots=True)
class Factorisation:
    """``lower`` (n, n) with L L' = A + ``jitter`` I. ``jitter`` is absolute, 0 if none was needed."""

    lower: FloatArray
    jitter: float = 0.0

    def solve(self, rhs: FloatArray) -> FloatArray:
        """A^-1 B, for B (n,) or (n, m)."""
        return solve_lower_transposed(self.lower, solve_lower(self.lower, rhs))

    def half_solve(self, rhs: FloatArray) -> FloatArray:
        """L^-1 B, for B (n,) or (n, m)."""
        return solve_lower(self.lower, rhs)

    @property
    def log_determinant(self) -> float:
        """log det A."""
        return log_determinant(self.lower)

    def inverse_above(self) -> FloatArray:
        """(n, n) with A^-1 on the diagonal and above it, and zeros below (LAPACK potri)."""
        if not len(self.lower):
            return np.zeros_like(self.lower)
        # One triangle is written, and the other is the factor's own, of zeros.
        half: FloatArray
        half, info = lapack.dpotri(self.lower.T, lower=0)
        if info != 0:
            raise FactorisationError(f"the factor has a zero on its diagonal, in row {info}")
        return half

    def inverse(self) -> FloatArray:
        """(n, n) A^-1, symmetric. For gradients of evidence, never for solves."""
        half = self.inverse_above()
        inverse: FloatArray = half + half.T
        diagonal = inverse.ravel(order="K")[:: len(inverse) + 1]
        diagonal *= 0.5
        return inverse


def cholesky(matrix: FloatArray, scale: float | None = None) -> Factorisation:
    """Factorise (n, n) ``matrix``, adding to its diagonal only what it needs.

    The jitter is 0 if that works, else ``FIRST_JITTER`` x ``scale``, growing by tens; ``scale`` is the mean
    diagonal unless given. It works when every squared pivot is above ``PIVOT_FLOOR`` x scale.

    Raises FactorisationError if the matrix is not finite, or needs more than ``LARGEST_JITTER`` x scale.
    """
    n = len(matrix)
    if n == 0:
        return Factorisation(np.zeros((0, 0)))
    if scale is None:
        scale = float(matrix.diagonal().mean())
    relative = 0.0
    while relative <= LARGEST_JITTER * 1.5 and scale > 0:
        lower = _attempt(matrix, relative * scale)
        if lower is not None:
            pivots = lower.diagonal()
            if pivots.min() ** 2 > PIVOT_FLOOR * scale and pivots.max() < math.inf:
                return Factorisation(lower, relative * scale)
        _require_finite(matrix)
        relative = FIRST_JITTER if relative == 0 else relative * 10.0
    _require_finite(matrix)
    raise FactorisationError(
        f"a {n} x {n} covariance matrix is not positive definite, even with {LARGEST_JITTER:g} of its mean "
        f"diagonal ({scale:.3g}) added: it is not a covariance matrix"
    )


def cholesky_each(matrices: FloatArray, scale: float) -> FloatArray:
    """(k, n, n) lower factors of (k, n, n) matrices, each with the least jitter that all of them do with, in
    parts of ``scale``. Raises FactorisationError as `cholesky`, for the first of them that needs too much.
    """
    relative = FIRST_JITTER
    # LAPACK factorises what is not a number into what is none, and says nothing.
    while relative <= LARGEST_JITTER * 1.5 and np.isfinite(matrices).all():
        work = matrices.copy()
        n = work.shape[1]
        work[:, range(n), range(n)] += relative * scale
        try:
            return np.asarray(np.linalg.cholesky(work), dtype=np.float64)
        except np.linalg.LinAlgError:
            relative *= 10.0
    return np.array([cholesky(matrix, scale).lower for matrix in matrices])


def solve_lower(lower: FloatArray, rhs: FloatArray) -> FloatArray:
    """L^-1 B, for B (n,) or (n, m). ``lower`` may be a corner of a larger array: it is not copied."""
    return _solve(lower, rhs, transposed=False)


def solve_lower_transposed(lower: FloatArray, rhs: FloatArray) -> FloatArray:
    """L'^-1 B, for B (n,) or (n, m). ``lower`` may be a corner of a larger array: it is not copied."""
    return _solve(lower, rhs, transposed=True)


def log_determinant(lower: FloatArray) -> float:
    """log det(L L')."""
    return 2.0 * float(np.log(lower.diagonal()).sum())


def append_rows(lower: FloatArray, cross: FloatArray, corner: FloatArray) -> FloatArray | None:
    """The m rows (m, n + m) that extend L when A grows by ``cross`` (n, m) and ``corner`` (m, m).

    O(n^2 m). None if the grown matrix is not positive definite (a pivot under zero); whether a pivot is
    large enough to be trusted is for the caller to judge.
    """
    n, m = cross.shape
    left = solve_lower(lower, cross).T
    right = _attempt(corner - left @ left.T, 0.0)
    if right is None:
        return None
    rows = np.empty((m, n + m))
    rows[:, :n] = left
    rows[:, n:] = right
    return rows


def _require_finite(matrix: FloatArray) -> None:
    """Asked of what has no factor: LAPACK makes pivots that are infinite, or no number, of what is."""
    if not np.isfinite(matrix).all():
        n = len(matrix)
        raise FactorisationError(
            f"expected a finite {n} x {n} covariance matrix; some of it is infinite or not a number. "
            "Check the inputs, length-scales and noise variances that it was built from."
        )


def _attempt(matrix: FloatArray, jitter: float) -> FloatArray | None:
    """L of ``matrix`` + jitter I, or None where LAPACK meets a pivot that is not positive."""
    work = np.array(matrix, dtype=float, order="C")
    if jitter:
        work.flat[:: len(work) + 1] += jitter
    upper, info = lapack.dpotrf(work.T, lower=0, clean=1, overwrite_a=1)
    if info != 0:
        return None
    lower: FloatArray = upper.T
    return lower


def _solve(lower: FloatArray, rhs: FloatArray, transposed: bool) -> FloatArray:
    n = len(lower)
    if rhs.shape[0] != n:
        raise ValueError(f"a factor of {n} rows cannot solve for a right-hand side of {rhs.shape[0]}")
    if rhs.size == 0:
        return np.array(rhs, dtype=float)
    if n <= ROWS_AT_ONCE:
        return _triangular(lower, rhs, transposed)
    # By blocks, because LAPACK's wrapper would copy all of a corner of a larger array. Any other array as
    # well, so that a factor which grew and shrank again solves to the same bits.
    solution = np.array(rhs, dtype=float)
    starts = range(0, n, ROWS_AT_ONCE)
    for start in reversed(starts) if transposed else starts:
        stop = min(start + ROWS_AT_ONCE, n)
        here = solution[start:stop]
        if transposed:
            here -= lower[stop:, start:stop].T @ solution[stop:]
        else:
            here -= lower[start:stop, :start] @ solution[:start]
        here[...] = _triangular(lower[start:stop, start:stop], here, transposed)
    return solution


def _triangular(lower: FloatArray, rhs: FloatArray, transposed: bool) -> FloatArray:
    # L in C order is U = L' in Fortran order: L x = b is U' x = b.
    solution, info = lapack.dtrtrs(np.ascontiguousarray(lower).T, rhs, lower=0, trans=0 if transposed else 1)
    if info != 0:
        raise FactorisationError(f"the factor has a zero on its diagonal, in row {info}")
    # The same layout whichever way it was solved: what is computed from it must not depend on n.
    result: FloatArray = np.ascontiguousarray(solution)
    return result
