"""The feasible set in the unit cube: one coordinate a parameter, some of them on a grid.

Every algorithm works here. A coordinate is continuous; or ordinal, with a sorted list of feasible
positions (integers, on a linear or a log scale, and other values with an order); or categorical, with k
positions that have no order. Integers and steps that are too many to be listed are searched as if they were
continuous, and snapped.
``ties`` say which of these points are feasible at all, where parameters are tied to one another; ``activity``
which coordinates count at a point, where that depends on others: what does not count rests at one position,
so that points which differ in nothing else are one. A coordinate that is *held* has one position, for once.
Of one that comes round both ends are one setting, at position 0.
Kernels see the `Embedding` of its points, which has the ``sums`` of coordinates as well.

Notation: D coordinates, S sums, E embedded columns, n points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.activity import Activity
from orchestrator.unit_cube.circle import nearest_turn, within_a_turn
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.embedding import Embedding
from orchestrator.unit_cube.feasible_region import FeasibleRegion, Ties
from orchestrator.unit_cube.held_ties import TiesHeld
from orchestrator.unit_cube.row_region import RowRegion, region_of
from orchestrator.unit_cube.rows import Rows
from orchestrator.unit_cube.subset_region import SubsetRegion
from orchestrator.unit_cube.sums import Sum

LARGEST_LISTED = 2**16


@dataclass(frozen=True)
class Domain:
    """The product of D coordinates, or the part of it that keeps to the ``ties``; folded, where there is an
    ``activity``, so that coordinates that do not count rest. Kernels see the ``sums``, too.
    """

    coordinates: tuple[Coordinate, ...]
    ties: Ties | None = None
    activity: Activity | None = None
    sums: tuple[Sum, ...] = ()

    @classmethod
    def continuous(cls, dimension: int) -> Domain:
        """The whole unit cube."""
        return cls((Coordinate(),) * dimension)

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.coordinates)

    def holding(self, positions: Mapping[int, float]) -> Domain:
        """The part of it where these coordinates, by number, have these feasible positions and no others. Its
        points, its embedding and what ties them are those of the whole.
        """
        coordinates = list(self.coordinates)
        for j, position in positions.items():
            coordinates[j] = coordinates[j].held(position)
        untied = Domain(tuple(coordinates), activity=self.activity, sums=self.sums)
        return untied if self.ties is None else replace(untied, ties=TiesHeld(self.ties, untied))

    def alone(self, coordinates: Iterable[int]) -> Domain:
        """Some of its coordinates, by number and in that order, whatever ties them or makes them count."""
        return Domain(tuple(self.coordinates[int(j)] for j in coordinates))

    def seeing(self, sums: tuple[Sum, ...]) -> Domain:
        """The same, with these in its embedding."""
        return self if sums == self.sums else replace(self, sums=sums)

    @cached_property
    def is_held(self) -> BoolArray:
        """(D,) which coordinates have one position only because they are held."""
        return np.array([c.free is not None for c in self.coordinates], dtype=bool)

    def contains(self, points: FloatArray) -> BoolArray:
        """(n,) at which of (n, D) points what is held has the position that it is held at, to the bit: of
        many whole numbers neighbours lie close.
        """
        places = np.array([c.positions[0] for c in self.coordinates if c.free is not None])
        return np.asarray((points[:, self.is_held] == places).all(axis=1))

    @cached_property
    def is_categorical(self) -> BoolArray:
        """(D,) which coordinates are categorical, held or not."""
        return np.array([c.kind == "categorical" for c in self.coordinates], dtype=bool)

    @cached_property
    def is_climbed(self) -> BoolArray:
        """(D,) along which coordinates something may be climbed, if need be between their positions."""
        return ~self.is_categorical & ~self.is_held

    @cached_property
    def is_continuous(self) -> BoolArray:
        """(D,) which coordinates are continuous."""
        return np.array([c.kind == "continuous" for c in self.coordinates], dtype=bool)

    @cached_property
    def is_whole(self) -> BoolArray:
        """(D,) which of the continuous coordinates are of whole numbers, to which they are snapped."""
        return np.array([c.whole is not None for c in self.coordinates], dtype=bool)

    @cached_property
    def is_discrete(self) -> BoolArray:
        """(D,) which coordinates have `alternatives`: all but those that are continuous and not snapped."""
        return ~self.is_continuous | self.is_whole

    @cached_property
    def is_unordered(self) -> BoolArray:
        """(D,) which coordinates are categorical, or might as well be, with two positions."""
        pairs = np.array([len(c.positions) == 2 for c in self.coordinates], dtype=bool)
        return np.asarray(self.is_categorical | pairs)

    @cached_property
    def comes_round(self) -> BoolArray:
        """(D,) of which coordinates both ends are one setting, held or not."""
        return np.array([c.comes_round for c in self.coordinates], dtype=bool)

    @cached_property
    def is_searched_round(self) -> BoolArray:
        """(D,) along which coordinates a search may leave the cube at one end, to come in at the other: those
        that come round, where nothing is tied to them or counts by them.
        """
        return self.comes_round & ~self.is_held & self.is_product

    def towards(self, points: FloatArray, centre: FloatArray) -> FloatArray:
        """(n, D) points, each coordinate that comes round by whole turns as near to that of a (D,) centre as
        it comes: within 1/2 of it, and perhaps outside of the cube.
        """
        if not self.comes_round.any():
            return points
        return np.where(self.comes_round, nearest_turn(points, centre), points)

    @cached_property
    def size(self) -> float:
        """How many distinct points there are; infinite if any coordinate is continuous, or beyond a float.

        Of those that ties leave out, as many as can be told are not counted.
        """
        if not self.is_product and self.listed is not None:
            return float(len(self.listed))
        return self._product_size

    @cached_property
    def _product_size(self) -> float:
        if self.is_continuous.any():
            return math.inf
        try:
            return float(math.prod(len(c.positions) for c in self.coordinates))
        except OverflowError:
            return math.inf

    @property
    def is_product(self) -> bool:
        """Whether each coordinate may take any position, whatever the others are, and counts."""
        return self.ties is None and self.activity is None

    @cached_property
    def listed(self) -> FloatArray | None:
        """(`size`, D) every distinct feasible point, where the product has few enough to look at, or None."""
        if self.ties is not None:
            return self._region.listed
        if self._product_size > LARGEST_LISTED:
            return None
        grids = np.meshgrid(*(c.grid for c in self.coordinates), indexing="ij")
        everything = np.stack([grid.ravel() for grid in grids], axis=1)
        return everything if self.activity is None else np.unique(self.folded(everything), axis=0)

    @cached_property
    def embedding(self) -> Embedding:
        """What kernels see."""
        return Embedding(self.coordinates, self.sums)

    @property
    def embedded_parameter(self) -> IndexArray:
        """(E - S,) the coordinate that each embedded column comes from, but those of sums."""
        return self.embedding.parameter

    @property
    def embedded_aspect(self) -> IndexArray:
        """(E,) the aspect that each embedded column is of; the coordinate, where there are no others."""
        return self.embedding.aspect

    @cached_property
    def untied(self) -> Domain:
        """The same without ties."""
        return replace(self, ties=None)

    @cached_property
    def _region(self) -> FeasibleRegion | SubsetRegion | RowRegion:
        assert self.ties is not None
        return region_of(self.untied, self.ties)

    @property
    def faces(self) -> SubsetRegion | None:
        """Of a domain of which only so many coordinates may be used at a point."""
        return self._region if self.ties is not None and isinstance(self._region, SubsetRegion) else None

    @property
    def rows(self) -> Rows | None:
        """Of a domain of which some coordinates have a row of a list together: those in it."""
        return self._region.rows if self.ties is not None and isinstance(self._region, RowRegion) else None

    def require_feasible_points(self) -> None:
        """Raises NoFeasiblePoint if none is found that keeps to the ties."""
        if self.ties is not None:
            self._region.require_points()

    @property
    def share(self) -> float:
        """How much of it is feasible, about."""
        return 1.0 if self.ties is None else self._region.share

    def feasible(self, points: FloatArray) -> BoolArray:
        """(n,) which of (n, D) points, each coordinate as `rounded` has it, keep to the ties."""
        if self.ties is None:
            return np.ones(len(points), dtype=bool)
        return self.ties.hold(self.rounded(points))

    def snap(self, points: FloatArray) -> FloatArray:
        """The nearest feasible points: clipped to the cube, coordinates of discrete values moved to one; what
        does not keep to the ties is moved to where it does, near by.

        ``points`` is (D,) or (n, D); the answer has the same shape and is a copy.
        """
        rounded = self.rounded(points)
        if self.ties is None:
            return rounded
        return self._region.moved_in(rounded.reshape(-1, self.dimension)).reshape(rounded.shape)

    def rounded(self, points: FloatArray) -> FloatArray:
        """As `snap`, whatever the ties say."""
        snapped: FloatArray = np.clip(np.asarray(points, dtype=float), 0.0, 1.0)
        if self.comes_round.any():
            snapped[..., self.comes_round] = within_a_turn(np.asarray(points)[..., self.comes_round])
        for i, coordinate in enumerate(self.coordinates):
            if coordinate.positions:
                nearest = np.searchsorted(coordinate.middles, snapped[..., i])
                snapped[..., i] = coordinate.grid[nearest]
            elif coordinate.whole is not None:
                snapped[..., i] = coordinate.whole.snap(snapped[..., i])
        return self.folded(snapped)

    def spread(self, uniform: FloatArray) -> FloatArray:
        """(n, D) numbers that fill the cube evenly as points that fill the domain so, whatever the ties
        say; of what is described they are far apart by the numbers that describe it.
        """
        points = uniform
        for i, coordinate in enumerate(self.coordinates):
            described = coordinate.descriptors
            if coordinate.evenly or described is not None:
                k = len(coordinate.positions)
                points = points.copy() if points is uniform else points
                which = np.clip((uniform[:, i] * k).astype(int), 0, k - 1)
                points[:, i] = coordinate.grid[which if described is None else described.order[which]]
        return self.rounded(points)

    def active(self, points: FloatArray) -> BoolArray:
        """(n, D) which coordinates count at each of (n, D) points."""
        return np.ones(points.shape, dtype=bool) if self.activity is None else self.activity.active(points)

    def folded(self, points: FloatArray) -> FloatArray:
        """Points, (D,) or (n, D), with the coordinates that do not count where they rest."""
        if self.activity is None:
            return points
        rows = points.reshape(-1, self.dimension)
        return np.where(self.activity.active(rows), rows, self.activity.resting).reshape(points.shape)

    def embed(self, points: FloatArray) -> FloatArray:
        """(n, D) points to (n, E), whether or not they are folded."""
        return self.embedding.columns(self.folded(np.atleast_2d(points)))

    def along_coordinates(self, slopes: FloatArray, points: FloatArray) -> FloatArray:
        """(n, D) derivatives by the coordinates, of (n, E) ones by embedded columns at (n, D) points: 0 along
        coordinates that are categorical or do not count.
        """
        along = self.embedding.along_coordinates(slopes, points)
        return along if self.activity is None else along * self.active(points)

    def alternatives(self, point: FloatArray, coordinate: int) -> FloatArray:
        """(m, D) copies of a feasible point with one discrete coordinate changed, to one of its own
        `alternatives`; those that are feasible. Of one that does not count there are none.
        """
        if self.activity is not None and not self.active(point[None, :])[0, coordinate]:
            return np.empty((0, self.dimension))
        positions = self.coordinates[coordinate].alternatives(point[coordinate])
        copies = np.tile(point, (len(positions), 1))
        copies[:, coordinate] = positions
        return self._of_these(copies)

    def neighbours(self, point: FloatArray) -> FloatArray:
        """(m, D) a feasible (D,) point's `alternatives`, and points of other faces or rows; m may be 0."""
        groups = [self.alternatives(point, int(j)) for j in np.flatnonzero(self.is_discrete)]
        if self.ties is not None and not isinstance(self._region, FeasibleRegion):
            groups.append(self._region.moves(point))
        return np.vstack(groups) if groups else np.empty((0, self.dimension))

    def some_neighbours(self, point: FloatArray, most: int, rng: np.random.Generator) -> FloatArray:
        """(m, D) `neighbours`: all, or ``most`` of them, drawn."""
        points = self.neighbours(point)
        if len(points) <= most:
            return points
        return np.asarray(points[rng.choice(len(points), most, replace=False)])

    def _of_these(self, copies: FloatArray) -> FloatArray:
        copies = self.folded(copies)
        return copies if self.ties is None else copies[self.feasible(copies)]

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points, each discrete coordinate uniform over its positions; where there are ties,
        about uniform over what keeps to them.
        """
        if self.ties is not None:
            return self._region.sample(n, rng)
        points = rng.random((n, self.dimension))
        for i, coordinate in enumerate(self.coordinates):
            if coordinate.positions:
                points[:, i] = coordinate.grid[rng.integers(len(coordinate.positions), size=n)]
            elif coordinate.whole is not None:
                points[:, i] = coordinate.whole.snap(points[:, i])
        return self.folded(points)
