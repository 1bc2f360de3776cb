"""Points that fill a cube evenly along each axis, and by which averages of quadratic functions are exact.

Notation: n = 2^c, both the number of points before each has its opposite, and that of axes there are.

Source: orthogonal Latin hypercubes of second order, Sun, Liu & Lin 2009.

Deviations: points are moved outwards by about 1 / (8 n^2) of where they lie, to the mean square of an even
distribution, which that of the middles of n intervals is below. Axes of the two halves that are joined come
in turn, as those of one half lie more alike.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray


def orthogonal_hypercube(axes: int, least: int) -> FloatArray:
    """(2 n, axes) points in [-1, 1], n being a power of two, at least ``least`` and ``axes``: the first n,
    and the opposite of each. Along each axis they are as far apart from one another; means and covariances
    are those of an even distribution, to rounding, and so are all moments of an odd order.
    """
    signs, ranks = np.ones((1, 1)), np.ones((1, 1))
    while len(ranks) < max(axes, least):
        signs, ranks = _joined(signs, 0.0), _joined(ranks, len(ranks) * signs)
    n = len(ranks)
    half = (ranks - signs / 2.0)[:, :axes] / math.sqrt(n**2 - 0.25)
    return np.vstack([half, -half])


def _joined(half: FloatArray, more: FloatArray | float) -> FloatArray:
    """(2 n, 2 n) of (n, n), ``more`` being added in half of the blocks: orthogonal columns stay so."""
    added = half + more
    left = np.vstack([half, added])
    right = np.vstack([-_half_turned(added), _half_turned(half)])
    return np.stack([left, right], axis=2).reshape(len(left), -1)


def _half_turned(matrix: FloatArray) -> FloatArray:
    """With the signs of the first half of its rows, or of its only one, reversed."""
    signs = np.where(np.arange(len(matrix)) < (len(matrix) + 1) // 2, -1.0, 1.0)
    return signs[:, None] * matrix
