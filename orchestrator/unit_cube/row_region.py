"""The part of a product of coordinates where some of them have a row of a list together; others are free.

What is drawn has a row drawn first; what is moved in goes to the row nearest to it. Where something else ties
free coordinates to rows, it is kept to by chance: points are drawn until they do.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import FeasibleRegion, NoFeasiblePoint, Ties
from orchestrator.unit_cube.free_coordinates import ProductOfCoordinates
from orchestrator.unit_cube.product import Product
from orchestrator.unit_cube.rows import Rows
from orchestrator.unit_cube.subset_region import SubsetRegion
from orchestrator.unit_cube.subsets import Subsets

MOST_DRAWN, AT_A_TIME = 2**17, 2**11
ANCHORS = 512
SEED = 20261129
NEIGHBOURS = 64
"""Rows that a search may go to from one."""


@dataclass(frozen=True, eq=False)
class RowTies:
    """That points are of ``rows``; and ``further`` ties, if there are any beside."""

    rows: Rows
    dimension: int
    further: Ties | None = None

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that it depends on."""
        named = np.zeros(self.dimension, dtype=bool) if self.further is None else self.further.named.copy()
        named[self.rows.axes] = True
        return named

    @property
    def known(self) -> FloatArray:
        """None that a search would have to be told of."""
        return np.empty((0, self.dimension))

    @property
    def known_evenly(self) -> bool:
        """No."""
        return False

    @property
    def subsets(self) -> Subsets | None:
        """None: of rows they are kept to as of anything else."""
        return None

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether (n, D) points are of a row, and keep to what else there is."""
        of_rows = np.asarray(self.rows.numbers(points) >= 0)
        return of_rows if self.further is None else of_rows & self.further.hold(points)

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) first by how far (n, D) points are from their rows, then as `Ties.gaps`."""
        near = self.rows.put(points, self.rows.nearest(points))
        apart = np.abs(near - points).max(axis=1, keepdims=True)
        return apart if self.further is None else np.hstack([apart, self.further.gaps(points)])


class RowRegion:
    """That of a product (``whole``, a domain without ties) where ``ties`` hold."""

    share = 0.0
    """Of the whole: rows have no volume."""

    def __init__(self, whole: Product, ties: RowTies) -> None:
        self._whole = whole
        self._ties = ties
        self._rows = ties.rows

    def require_points(self) -> None:
        """Raises NoFeasiblePoint if none is found."""
        if not len(self._rows):
            raise NoFeasiblePoint
        if self._ties.further is not None:
            _ = self._anchors

    def found_soon(self) -> bool:
        """Whether any is found."""
        try:
            self.require_points()
        except NoFeasiblePoint:
            return False
        return True

    @cached_property
    def listed(self) -> FloatArray | None:
        """(R, D) every feasible point, where no coordinate is free; else None."""
        if len(self._rows.axes) < self._whole.dimension:
            return None
        points = np.empty((len(self._rows), self._whole.dimension))
        points[:, self._rows.axes] = self._rows.positions
        return points if self._ties.further is None else points[self._ties.further.hold(points)]

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points, about uniform over the rows. Raises NoFeasiblePoint."""
        if not len(self._rows):
            raise NoFeasiblePoint
        if self._ties.further is None:
            return self._drawn(n, rng)
        found = np.empty((0, self._whole.dimension))
        for _ in range(MOST_DRAWN // AT_A_TIME):
            points = self._drawn(AT_A_TIME, rng)
            found = np.vstack([found, points[self._ties.hold(points)]])
            if len(found) >= n:
                return found[:n]
        if not len(found):
            raise NoFeasiblePoint
        return found[rng.integers(len(found), size=n)]

    def _drawn(self, n: int, rng: np.random.Generator) -> FloatArray:
        return self._rows.put(self._whole.sample(n, rng), rng.integers(len(self._rows), size=n))

    def moved_in(self, points: FloatArray) -> FloatArray:
        """(n, D) points as they are where they hold, else feasible ones near by. Raises NoFeasiblePoint."""
        if not len(self._rows):
            raise NoFeasiblePoint
        moved = self._rows.put(points, self._rows.nearest(points))
        if self._ties.further is not None:
            outside = np.flatnonzero(~self._ties.hold(moved))
            if len(outside):
                apart = np.abs(moved[outside, None, :] - self._anchors[None, :, :]).sum(axis=2)
                moved[outside] = self._anchors[apart.argmin(axis=1)]
        return moved

    @cached_property
    def _anchors(self) -> FloatArray:
        return self.sample(ANCHORS, np.random.default_rng(SEED))

    def moves(self, point: FloatArray) -> FloatArray:
        """(m, D) feasible points of the rows nearest to that of a (D,) point, else as it is."""
        near = self._rows.near(point, 1 + NEIGHBOURS)[1:]
        points = self._rows.put(np.tile(point, (len(near), 1)), near)
        return points[self._ties.hold(points)]


def region_of(whole: ProductOfCoordinates, ties: Ties) -> FeasibleRegion | SubsetRegion | RowRegion:
    """That of a product where ties hold."""
    if isinstance(ties, RowTies):
        return RowRegion(whole, ties)
    return FeasibleRegion(whole, ties) if ties.subsets is None else SubsetRegion(whole, ties, ties.subsets)
