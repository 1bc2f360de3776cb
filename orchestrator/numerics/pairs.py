"""Symmetric matrices by their pairs: all that is above the diagonal, row by row, as one vector.

Notation: n points, P = n (n - 1) / 2 pairs of them, in the order of `scipy.spatial.distance.pdist`.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import squareform

from orchestrator.arrays import FloatArray


def above_diagonal(matrix: FloatArray) -> FloatArray:
    """(P,) of an (n, n) matrix."""
    return np.asarray(squareform(matrix, force="tovector", checks=False))


def symmetric(pairs: FloatArray, n: int, diagonal: float | FloatArray) -> FloatArray:
    """(n, n) with (P,) pairs on either side of a ``diagonal``, (n,) or the same for all."""
    matrix: FloatArray = squareform(pairs, checks=False) if n > 1 else np.zeros((n, n))
    matrix.flat[:: n + 1] = diagonal
    return matrix
