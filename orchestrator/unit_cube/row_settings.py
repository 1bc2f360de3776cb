"""With what settings of the free coordinates rows of a list keep to what ties these to them.

Some are tried with every row; where none holds, free coordinates that are continuous are moved from the first
of them towards where the ties do. A row with which none is found is taken for one that has none.

Notation: R rows, n points, D coordinates.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import FeasibleRegion, Ties
from orchestrator.unit_cube.free_coordinates import ProductOfCoordinates
from orchestrator.unit_cube.rows import Rows
from orchestrator.unit_cube.towards_feasible import MARGINS, Shortfall

TRIED = 64
"""Settings, or all there are, if there are no more than the most that are looked at."""
MOST_LISTED = 1024
MOVED = 8
"""Of them from so many it is moved."""
SEED = 20261128


class RowSettings:
    """Those of ``rows`` beside what is free of a ``whole``, where ``ties`` hold."""

    def __init__(self, rows: Rows, whole: ProductOfCoordinates, ties: Ties) -> None:
        self._rows = rows
        self._whole = whole
        self._ties = ties
        self._free = np.ones(whole.dimension, dtype=bool)
        self._free[rows.axes] = False

    @cached_property
    def points(self) -> FloatArray:
        """(R, D) each row with one with which the ties hold; NaN where none was found. The same each time."""
        found = np.full((len(self._rows), self._whole.dimension), np.nan)
        left = np.arange(len(self._rows))
        tried = self._tried()
        for move in (False, True):
            for setting in tried[:MOVED] if move else tried:
                if not len(left):
                    return found
                points = self._whole.rounded(self._rows.put(np.tile(setting, (len(left), 1)), left))
                points = self.nearer(points) if move else points
                held = self._ties.hold(points)
                found[left[held]] = points[held]
                left = left[~held]
        return found

    def nearer(self, points: FloatArray) -> FloatArray:
        """(n, D) points with their free coordinates moved towards where the ties hold, as little as that
        takes; where that leads nowhere, they do not.
        """
        moved = points.copy()
        left = np.flatnonzero(~self._ties.hold(points))
        for margin in MARGINS:
            if not len(left):
                break
            along = np.tile(self._free, (len(left), 1))
            moved[left] = self._whole.rounded(self._shortfall.nearer(points[left], margin, along))
            left = left[~self._ties.hold(moved[left])]
        return moved

    @cached_property
    def _shortfall(self) -> Shortfall:
        return FeasibleRegion(self._whole, self._ties).shortfall

    def _tried(self) -> FloatArray:
        """(k, D) points whose free coordinates are tried."""
        points = self._whole.sample(TRIED, np.random.default_rng(SEED))
        if (listed := self._listed()) is None:
            return points
        every = np.tile(points[0], (len(listed), 1))
        every[:, self._free] = listed
        return every

    def _listed(self) -> FloatArray | None:
        """Every setting, if there are few."""
        grids = [self._whole.coordinates[j].positions for j in np.flatnonzero(self._free)]
        if not all(map(len, grids)) or math.prod(map(len, grids)) > MOST_LISTED:
            return None
        return np.stack([one.ravel() for one in np.meshgrid(*grids, indexing="ij")], axis=1)


def have_any(points: FloatArray) -> BoolArray:
    """(R,) for which rows (R, D) there is a setting."""
    return np.asarray(~np.isnan(points).any(axis=1))
