"""The part of a product where certain coordinates are used and others are 0: a product of those that are
free.

Where a sum is 0 too, as what is computed of a mixture, one coordinate for each such sum follows from the
others.

Notation: n points, D coordinates of the whole, F that are free on the face.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import FINEST, FeasibleRegion, Ties
from orchestrator.unit_cube.free_coordinates import Following, FreeCoordinates, ProductOfCoordinates
from orchestrator.unit_cube.subsets import NOTHING, Subsets
from orchestrator.unit_cube.ties_on_face import WITHIN, Linear, LinearOnFace, TiesOnFace


@dataclass(frozen=True, eq=False)
class Face:
    """Of a ``whole`` where ``ties`` hold, the part where of the ``subsets``' members those ``used`` (M,) are.

    Where the ties are ``linear`` inequalities, but for the subsets', these are gone by, which takes no time;
    what holds is then for whoever asks to look at exactly.
    """

    whole: ProductOfCoordinates
    ties: Ties
    subsets: Subsets
    used: BoolArray
    linear: Linear | None = None

    @cached_property
    def is_possible(self) -> bool:
        """Whether it has feasible points, as far as can be told soon."""
        if self._free is None:
            return False
        if not len(self._free.axes):
            return bool(self.ties.hold(self._free.lifted(np.empty((1, 0))))[0])
        if isinstance(self._ties, LinearOnFace) and self._ties.is_empty:
            return False
        return self._region.found_soon()

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points, about uniform; it must be possible."""
        free = self._parts
        return free.lifted(self._region.sample(n, rng) if len(free.axes) else np.empty((n, 0)))

    def moved_in(self, points: FloatArray) -> FloatArray:
        """(n, D) feasible points near by; it must be possible."""
        free = self._parts
        if not len(free.axes):
            return free.lifted(np.empty((len(points), 0)))
        return free.lifted(self._region.moved_in(free.rounded(free.lowered(points))))

    @property
    def finest(self) -> float:
        """How closely its region looks for where ties cease to hold; it must be possible."""
        return max(FINEST, self._parts.finest)

    @property
    def _parts(self) -> FreeCoordinates:
        assert self._free is not None
        return self._free

    @cached_property
    def _region(self) -> FeasibleRegion:
        return FeasibleRegion(self._parts, self._ties, finest=self.finest)

    @cached_property
    def _ties(self) -> Ties:
        if self.linear is not None and self._parts.is_plain:
            return LinearOnFace(self._parts, *self.linear.on(self._parts))
        return TiesOnFace(self.ties, self._parts)

    @cached_property
    def _free(self) -> FreeCoordinates | None:
        """Its coordinates, or None where one cannot be as it has to be."""
        D, subsets = self.whole.dimension, self.subsets
        base, low, free = np.zeros(D), np.zeros(D), np.ones(D, dtype=bool)
        grids = {j: c.grid for j, c in enumerate(self.whole.coordinates) if c.positions}
        for j, zero, least, used in zip(
            subsets.coordinates, subsets.zeros, subsets.leasts, self.used, strict=False
        ):
            if used:
                low[j] = max(least, 0.0)
                if j in grids:
                    grids[j] = grids[j][(np.abs(grids[j] - zero) > WITHIN) & (grids[j] >= low[j] - WITHIN)]
                if low[j] > 1.0 or (j in grids and not len(grids[j])):
                    return None
                low[j] = 0.0 if j in grids else low[j]
                continue
            free[j] = False
            if j in grids and np.abs(grids[j] - zero).min() > WITHIN:
                return None
            if not -WITHIN <= zero <= 1.0 + WITHIN:
                return None
            base[j] = min(max(zero, 0.0), 1.0)
        following = _solved(self, base, free)
        if following is None:
            return None
        free[following.axes] = False
        own = {j: grid for j, grid in grids.items() if free[j]}
        return FreeCoordinates(self.whole, np.flatnonzero(free), base, low, following, own)


def _solved(face: Face, base: FloatArray, free: BoolArray) -> Following | None:
    """The coordinates that follow, by which those sums are 0 that are not used; None where that cannot be."""
    used = face.used[len(face.subsets.coordinates) :]
    off = [one for one, own in zip(face.subsets.sums, used, strict=True) if not own]
    rows = np.array([[one.constant, *one.factors] for one in off])
    if not len(rows):
        return Following(np.empty(0, dtype=np.intp), np.empty(0), np.empty((0, face.whole.dimension)))
    rows[:, 0] += rows[:, 1:] @ np.where(free, 0.0, base)
    rows[:, 1:] *= free
    axes: list[int] = []
    kept: list[int] = []
    for i in range(len(rows)):
        axis = int(np.abs(rows[i, 1:]).argmax())
        if abs(rows[i, 1 + axis]) <= NOTHING:
            if abs(rows[i, 0]) > NOTHING:
                return None
            continue
        rows[i] /= rows[i, 1 + axis]
        for other in range(len(rows)):
            if other != i:
                rows[other] -= rows[other, 1 + axis] * rows[i]
        axes.append(axis)
        kept.append(i)
    factors = -rows[kept, 1:]
    factors[:, axes] = 0.0
    return Following(np.array(axes, dtype=np.intp), -rows[kept, 0], factors)
