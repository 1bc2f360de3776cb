"""A Cholesky factor that grows by rows in place, and shrinks again.

Rows live in a corner of a larger array that doubles when it is full, so that appending one costs its
triangular solve, O(n^2), and no copy. The rows kept are never rewritten: what is dropped leaves no trace.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import (
    PIVOT_FLOOR,
    ROWS_AT_ONCE,
    Factorisation,
    append_rows,
    solve_lower,
    solve_lower_transposed,
)


class GrowingFactor:
    """A mutable factor L of A + jitter I. ``scale`` is the size of a typical diagonal entry of A."""

    def __init__(self, factorisation: Factorisation, scale: float) -> None:
        self._array = factorisation.lower
        self._rows = len(factorisation.lower)
        self._apart: FloatArray | None = None
        self.jitter = factorisation.jitter
        self._scale = scale

    def __len__(self) -> int:
        return self._rows

    @property
    def lower(self) -> FloatArray:
        """(n, n) view of the factor; do not keep it across an append."""
        return self._array[: self._rows, : self._rows]

    def append(self, cross: FloatArray, corner: FloatArray) -> bool:
        """Grow by ``cross`` (n, m) and ``corner`` (m, m), which gets the same jitter.

        False, and nothing is changed, where a new squared pivot is under `PIVOT_FLOOR` x scale: the whole
        must be factorised again with more jitter.
        """
        n, m = cross.shape
        rows = append_rows(self.lower, cross, corner + self.jitter * np.eye(m))
        # Written so that a pivot that is not a number is declined too.
        if rows is None or not (np.diagonal(rows, offset=n) ** 2 > PIVOT_FLOOR * self._scale).all():
            return False
        if n + m > len(self._array):
            larger = np.zeros((2 * (n + m), 2 * (n + m)))
            larger[:n, :n] = self.lower
            self._array = larger
        self._array[n : n + m, : n + m] = rows
        self._array[:n, n : n + m] = 0.0
        self._rows, self._apart = n + m, None
        return True

    def drop(self, count: int) -> None:
        """Forget the last ``count`` rows."""
        if not 0 <= count <= self._rows:
            raise ValueError(f"cannot drop {count} of {self._rows} rows")
        self._rows, self._apart = self._rows - count, None

    def half_solve(self, rhs: FloatArray) -> FloatArray:
        """L^-1 B, for B (n,) or (n, m)."""
        return solve_lower(self._to_solve_with, rhs)

    def half_solve_transposed(self, rhs: FloatArray) -> FloatArray:
        """L'^-1 B, for B (n,) or (n, m)."""
        return solve_lower_transposed(self._to_solve_with, rhs)

    @property
    def _to_solve_with(self) -> FloatArray:
        """`lower`; one that is solved with at once is copied once, and not by each of many solves."""
        if self._rows > ROWS_AT_ONCE:
            return self.lower
        if self._apart is None:
            self._apart = np.ascontiguousarray(self.lower)
        return self._apart
