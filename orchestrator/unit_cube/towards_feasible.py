"""Moving points towards where inequalities hold, by Newton's method on what they are short of.

Notation: n points, D coordinates, C of them continuous and named, m comparisons, G (n, m) gaps, J (n, m, C)
their derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray

STEPS = 8
# Of the grid that floats are rounded to, a multiple: the difference is what it is meant to be.
DIFFERENCE = 2.0**-20
# How far inside, in the gaps' own units, a point is aimed at: beyond what rounding moves it.
MARGINS = (1e-10, 1e-8, 1e-6)
RIDGE = 1e-14
# Instead of a gap that cannot be computed.
UNKNOWN_GAP = 1e3


@dataclass(frozen=True, eq=False)
class Shortfall:
    """``gaps`` maps (n, D) to (n, m), at most 0 where all is well; ``units`` (m,) > 0 are typical gaps;
    ``moving`` (D,) the coordinates that may be moved.
    """

    gaps: Callable[[FloatArray], FloatArray]
    units: FloatArray
    moving: BoolArray

    def of(self, points: FloatArray) -> FloatArray:
        """(n, m) gaps in their units; a great one where none can be computed."""
        told = self.gaps(points) / self.units
        return np.where(np.isnan(told), UNKNOWN_GAP, np.clip(told, -UNKNOWN_GAP, UNKNOWN_GAP))

    def total(self, points: FloatArray) -> FloatArray:
        """(n,) all that points are short of."""
        return np.asarray(np.maximum(self.of(points), 0.0).sum(axis=1))

    def nearer(self, points: FloatArray, margin: float, own: BoolArray | None = None) -> FloatArray:
        """(n, D) points moved inside by a margin, as little as that takes to first order, again and again;
        ``own`` (n, D): of each only along these of its coordinates, if not along all that may be moved.
        """
        axes = np.flatnonzero(self.moving)
        X = points.copy()
        if len(axes) == 0:
            return X
        live = np.arange(len(X))
        for _ in range(STEPS):
            G = self.of(X[live])
            short = (G + 0.5 * margin > 0.0) & (G < UNKNOWN_GAP)
            wanting = short.any(axis=1)
            live, G, short = live[wanting], G[wanting], short[wanting]
            if len(live) == 0:
                break
            x = X[live]
            J = self._derivatives(x, G, axes) * short[:, :, None]
            free = np.ones((len(live), len(axes)), dtype=bool) if own is None else own[np.ix_(live, axes)]
            for _ in range(2):
                # What is pushed against a face of the cube takes no part, and the others do its share.
                step = _least_step(J * free[:, None, :], np.where(short, G + margin, 0.0))
                moved = x[:, axes] + step
                free &= (moved >= 0.0) & (moved <= 1.0)
            x[:, axes] = np.clip(moved, 0.0, 1.0)
            X[live] = x
        return X

    def _derivatives(self, X: FloatArray, G: FloatArray, axes: IndexArray) -> FloatArray:
        n = len(X)
        signs = np.where(X[:, axes] > 0.5, -1.0, 1.0)
        beside = np.repeat(X[None], len(axes), axis=0)
        for i, axis in enumerate(axes):
            beside[i, :, axis] += signs[:, i] * DIFFERENCE
        there = self.of(beside.reshape(-1, X.shape[1])).reshape(len(axes), n, -1)
        slopes = np.moveaxis(there - G[None], 0, 2) / (signs[:, None, :] * DIFFERENCE)
        return np.asarray(np.where(np.isfinite(slopes), slopes, 0.0))


def _least_step(J: FloatArray, wanted: FloatArray) -> FloatArray:
    """(n, C) the shortest step that lowers the gaps by what is wanted (n, m)."""
    products = J @ J.transpose(0, 2, 1)
    scale = np.trace(products, axis1=1, axis2=2)
    ridge = (RIDGE * scale + 1e-300)[:, None, None] * np.eye(products.shape[1])
    # Rows without a part in it must not make it singular.
    idle = np.einsum("nii->ni", products) == 0.0
    products = products + ridge + idle[:, :, None] * np.eye(products.shape[1])
    multipliers = np.linalg.solve(products, np.where(idle, 0.0, wanted)[:, :, None])
    step = -(J.transpose(0, 2, 1) @ multipliers)[:, :, 0]
    return np.asarray(np.where(np.isfinite(step), step, 0.0))
