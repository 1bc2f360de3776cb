"""What ties coordinates, as those of them have it that are free where others are 0.

Notation: n points, D coordinates of the whole, F that are free on the face. A z <= b are linear
inequalities of them, A (m, F) and b (m,).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import Ties
from orchestrator.unit_cube.free_coordinates import FreeCoordinates
from orchestrator.unit_cube.polytope import even_points_within, has_room, linear_parts

KNOWN = 512
SEED = 20261129
WITHIN = 1e-9
"""By how much a position may lie beyond an end but for rounding."""
MARGIN = 1e-10
"""Of how much an inequality changes over the cube: more than positions are rounded by."""
IDLE = 1e-12
"""An inequality that changes by no more is the same all over the cube."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A x <= b, of (m, D) and (m,), of points x of a whole; the largest entry of each row of A is 1 or -1."""

    A: FloatArray
    b: FloatArray

    def on(self, free: FreeCoordinates) -> tuple[FloatArray, FloatArray]:
        """The same of the F coordinates of a face, and that what follows lies within its range."""
        F = free.dimension
        ends = free.unclipped(np.vstack([np.zeros(F), np.eye(F)]))
        start, slopes = ends[0], ends[1:] - ends[0]
        axes = free.following.axes
        A = np.vstack([self.A @ slopes.T, slopes.T[axes], -slopes.T[axes]])
        b = np.concatenate([self.b - self.A @ start, 1.0 - start[axes], start[axes] - free.low[axes]])
        return A, b


@dataclass(frozen=True, eq=False)
class TiesOnFace:
    """Those of the ``whole``, of points of the ``free`` coordinates; what follows from these has to lie
    within its own range.
    """

    whole: Ties
    free: FreeCoordinates

    @cached_property
    def named(self) -> BoolArray:
        """(F,)."""
        following = np.asarray((self.free.following.factors != 0.0).any(axis=0))
        return np.asarray((self.whole.named | following)[self.free.axes])

    @property
    def subsets(self) -> None:
        """On a face nothing is left to be chosen."""
        return None

    @cached_property
    def known(self) -> FloatArray:
        """(k, F) spread evenly where what is linear of them holds."""
        F = self.free.dimension
        if not self.free.is_plain:
            return np.empty((0, F))
        linear = linear_parts(self.gaps, F, np.random.default_rng(F))
        if not has_room(*linear):
            return np.empty((0, F))
        return even_points_within(*linear, KNOWN, np.random.default_rng(SEED))

    @property
    def known_evenly(self) -> bool:
        """Whether there are any."""
        return len(self.known) > 0

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether they do at (n, F) points."""
        within = self._beyond(points).max(axis=1, initial=-1.0) <= WITHIN
        return np.asarray(within & self.whole.hold(self.free.lifted(points)))

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) as `Ties.gaps`."""
        return np.column_stack([self._beyond(points), self.whole.gaps(self.free.lifted(points))])

    def _beyond(self, points: FloatArray) -> FloatArray:
        """(n, 2 s) by how much what follows lies below its range, and above."""
        axes = self.free.following.axes
        there = self.free.unclipped(points)[:, axes]
        return np.column_stack([self.free.low[axes] - there, there - 1.0])


@dataclass(frozen=True, eq=False)
class LinearOnFace:
    """Ties that are A z <= b, of (m, F) and (m,), at points z of the ``free`` coordinates: by a margin, so
    that rounding does not undo it.
    """

    free: FreeCoordinates
    A: FloatArray
    b: FloatArray

    @property
    def is_empty(self) -> bool:
        """Whether one of them holds nowhere in the cube, by far enough that rounding is not why."""
        least = np.minimum(self.A, 0.0).sum(axis=1)
        return bool((least > self.b + WITHIN).any())

    @property
    def named(self) -> BoolArray:
        """(F,)."""
        return np.asarray((self.A != 0.0).any(axis=0))

    @property
    def subsets(self) -> None:
        """On a face nothing is left to be chosen."""
        return None

    @cached_property
    def known(self) -> FloatArray:
        """(k, F) spread evenly."""
        if not has_room(self.A, self.b):
            return np.empty((0, self.free.dimension))
        return even_points_within(self.A, self.b, KNOWN, np.random.default_rng(SEED))

    @property
    def known_evenly(self) -> bool:
        """Whether there are any."""
        return len(self.known) > 0

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether they do at (n, F) points."""
        return np.asarray((self.gaps(points) <= -MARGIN).all(axis=1))

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m), in units of how much each changes over the cube."""
        gaps: FloatArray = (points @ self.A.T - self.b) / self._sizes
        # What no coordinate of the face changes holds, or nothing does.
        gaps[:, self._sizes <= IDLE] = -1.0
        return gaps

    @cached_property
    def _sizes(self) -> FloatArray:
        return np.asarray(np.maximum(np.abs(self.A).max(axis=1), IDLE))
