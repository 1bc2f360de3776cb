"""The part of a product of coordinates where some of them have a row of a list together; others are free.

What is drawn has a row drawn first; what is moved in goes to the row nearest to it. Where something else ties
free coordinates to rows, rows that have no setting of these are left out, and of the others they are moved.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import FeasibleRegion, NoFeasiblePoint, Ties
from orchestrator.unit_cube.free_coordinates import ProductOfCoordinates
from orchestrator.unit_cube.row_settings import RowSettings, have_any
from orchestrator.unit_cube.rows import Rows
from orchestrator.unit_cube.subset_region import SubsetRegion
from orchestrator.unit_cube.subsets import Subsets

DRAWN_AGAIN = 8
"""Times, before what does not hold is moved to where it does."""
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
    """That of a product (``whole``, a domain without ties) where ``ties`` hold. Its ``rows`` are those of the
    ties which have a setting of the free coordinates with which they hold.
    """

    share = 0.0
    """Of the whole: rows have no volume."""

    def __init__(self, whole: ProductOfCoordinates, ties: RowTies) -> None:
        self._whole = whole
        self._ties = ties
        self._settings = None if ties.further is None else RowSettings(ties.rows, whole, ties.further)

    @cached_property
    def rows(self) -> Rows:
        """Those that there are a point of."""
        rows, settings = self._ties.rows, self._settings
        if settings is None or (kept := have_any(settings.points)).all():
            return rows
        return rows.among(kept)

    @cached_property
    def _own(self) -> FloatArray:
        """(R, D) a point of each row."""
        assert self._settings is not None
        points = self._settings.points
        return points[have_any(points)]

    def require_points(self) -> None:
        """Raises NoFeasiblePoint if none is found."""
        if not len(self.rows):
            raise NoFeasiblePoint

    @cached_property
    def listed(self) -> FloatArray | None:
        """(R, D) every feasible point, where no coordinate is free; else None."""
        if len(self.rows.axes) < self._whole.dimension:
            return None
        points = np.empty((len(self.rows), self._whole.dimension))
        points[:, self.rows.axes] = self.rows.positions
        return points

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points: rows uniformly, beside each what is free, as it is drawn where that holds,
        else moved to where it does. Raises NoFeasiblePoint.
        """
        self.require_points()
        numbers = rng.integers(len(self.rows), size=n)
        points = self.rows.put(self._whole.sample(n, rng), numbers)
        if self._ties.further is None:
            return points
        for _ in range(DRAWN_AGAIN):
            outside = np.flatnonzero(~self._ties.hold(points))
            if not len(outside):
                return points
            points[outside] = self.rows.put(self._whole.sample(len(outside), rng), numbers[outside])
        return self.moved_in(points)

    def moved_in(self, points: FloatArray) -> FloatArray:
        """(n, D) points as they are where they hold, else of the nearest row, with what is free as it is or
        moved to where that holds. Raises NoFeasiblePoint.
        """
        self.require_points()
        numbers = self.rows.nearest(points)
        moved = self.rows.put(points, numbers)
        if self._settings is not None:
            moved = self._settings.nearer(moved)
            outside = np.flatnonzero(~self._ties.hold(moved))
            moved[outside] = self._own[numbers[outside]]
        return moved

    def moves(self, point: FloatArray) -> FloatArray:
        """(m, D) feasible points of the rows nearest to that of a (D,) point, else as it is."""
        near = self.rows.near(point, 1 + NEIGHBOURS)[1:]
        points = self.rows.put(np.tile(point, (len(near), 1)), near)
        return points[self._ties.hold(points)]


def region_of(whole: ProductOfCoordinates, ties: Ties) -> FeasibleRegion | SubsetRegion | RowRegion:
    """That of a product where ties hold."""
    if isinstance(ties, RowTies):
        return RowRegion(whole, ties)
    return FeasibleRegion(whole, ties) if ties.subsets is None else SubsetRegion(whole, ties, ties.subsets)
