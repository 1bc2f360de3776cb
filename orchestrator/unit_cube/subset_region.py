"""The part of a product of coordinates where ties hold, and of some only so many are used: faces of it, one
for each subset that may be.

What is drawn has a subset drawn first; what is moved in goes to where its largest members are used; and from
each point moves lead to other subsets, with a member dropped, added, or in the place of another.

Notation: n points, D coordinates, M members, of which the first C are coordinates.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.face import Face
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint, Ties
from orchestrator.unit_cube.free_coordinates import ProductOfCoordinates
from orchestrator.unit_cube.polytope import linear_parts
from orchestrator.unit_cube.subsets import Subsets
from orchestrator.unit_cube.ties_beside_subsets import TiesBesideSubsets
from orchestrator.unit_cube.ties_on_face import WITHIN, Linear

MOST_SUBSETS = 48
"""Of points that are drawn at once: to know a face takes longer than to draw from it."""
MOST_TRIED = 600
"""Subsets, before none is said to be possible."""
MOST_FACES = 256
"""That are remembered: each has some thousand points of its own."""
ANCHORS = 96
SEED = 20261128
AMOUNTS = (0.05, 0.3, 0.7)
"""Of the range of a member that is added."""
SPENT = 1e-12
"""Of the square of a sum's factors: where other sums leave no more of them it follows from those."""


class SubsetRegion:
    """That of a product (``whole``, a domain without ties) where ``ties`` hold, and ``subsets`` say what they
    have of these.
    """

    def __init__(self, whole: ProductOfCoordinates, ties: Ties, subsets: Subsets) -> None:
        self._whole = whole
        self._ties = ties
        self._subsets = subsets.settled(*_possible(whole, subsets))
        self._faces: dict[bytes, Face] = {}

    share = 0.0
    """Of the whole: faces have no volume."""

    def require_points(self) -> None:
        """Raises NoFeasiblePoint if none is found."""
        if self.listed is not None and len(self.listed) == 0:
            raise NoFeasiblePoint
        if self.listed is None:
            _ = self._sure

    @cached_property
    def listed(self) -> FloatArray | None:
        """Every feasible point, where the whole has few enough to look at all; else None."""
        everything = self._whole.listed
        return None if everything is None else everything[self._ties.hold(everything)]

    # -- drawing --------------------------------------------------------------------------------------

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points, about uniform over the face of each subset. Raises NoFeasiblePoint."""
        if self.listed is not None:
            if len(self.listed) == 0:
                raise NoFeasiblePoint
            return self.listed[rng.integers(len(self.listed), size=n)]
        if n == 0:
            return np.empty((0, self._whole.dimension))
        faces = self._drawn_faces(min(n, MOST_SUBSETS), rng)
        which = np.arange(n) if n <= len(faces) else rng.integers(len(faces), size=n)
        chosen = [faces[i] for i in which]
        points = np.empty((n, self._whole.dimension))
        for rows, face in _alike(chosen):
            points[rows] = face.sample(len(rows), rng)
        points, lost = self._exactly(points, chosen)
        if lost.all():
            raise NoFeasiblePoint
        points[lost] = points[~lost][_nearest(points[lost], points[~lost])]
        return points

    def evenly(self, points: FloatArray) -> FloatArray:
        """(n, D) feasible points in an order in which all members are used about equally often."""
        return np.asarray(points[self._subsets.evenly(self._subsets.used(points))])

    def _exactly(self, points: FloatArray, faces: list[Face]) -> tuple[FloatArray, BoolArray]:
        """(n, D) points of these faces, those that do not hold to the last bit moved to where they do; and
        (n,) for which of them there was no such place.
        """
        lost = ~self._ties.hold(points)
        wrong = np.flatnonzero(lost)
        for rows, face in _alike([faces[i] for i in wrong]):
            exact = replace(face, linear=None)
            if exact.is_possible:
                points[wrong[rows]] = exact.moved_in(points[wrong[rows]])
                lost[wrong[rows]] = False
        return points, lost

    def _drawn_faces(self, count: int, rng: np.random.Generator) -> list[Face]:
        """So many possible ones, where there are few some of them again. Raises NoFeasiblePoint."""
        found: list[Face] = []
        tried = 0
        while len(found) < count and tried < max(MOST_TRIED, 4 * count):
            drawn = self._subsets.drawn(count - len(found), rng)
            tried += count - len(found)
            found += [face for used in drawn if (face := self.face(used)).is_possible]
        found = found or [self._sure]
        return found + [found[i] for i in rng.integers(len(found), size=count - len(found))]

    @cached_property
    def _sure(self) -> Face:
        """A possible one. Raises NoFeasiblePoint."""
        rng = np.random.default_rng(SEED)
        for _ in range(MOST_TRIED):
            for used in self._subsets.drawn(1, rng):
                if (face := self.face(used)).is_possible:
                    return face
        known = self._ties.known
        for used in self._subsets.used(known[self._ties.hold(known)]) if len(known) else ():
            if (face := self.face(used)).is_possible:
                return face
        raise NoFeasiblePoint

    def face(self, used: BoolArray) -> Face:
        """That of a subset (M,)."""
        key = used.tobytes()
        if key not in self._faces:
            if len(self._faces) >= MOST_FACES:
                self._faces.clear()
            self._faces[key] = Face(self._whole, self._ties, self._subsets, np.array(used), self._linear)
        return self._faces[key]

    @cached_property
    def _linear(self) -> Linear | None:
        """What ties say beside the subsets, where that is linear, of coordinates that are continuous."""
        axes = np.flatnonzero(self._ties.named)
        if self._whole.is_discrete[axes].any() or self._whole.activity is not None:
            return None
        middle = self._whole.rounded(np.full((1, self._whole.dimension), 0.5))

        def gaps(part: FloatArray) -> FloatArray:
            points = np.tile(middle, (len(part), 1))
            points[:, axes] = part
            return np.delete(self._ties.gaps(points), self._subsets.gaps, axis=1)

        count = gaps(np.zeros((1, len(axes)))).shape[1]
        slopes, b = linear_parts(gaps, len(axes), np.random.default_rng(len(axes)))
        if len(b) < count or not slopes.any(axis=1).all():
            return None
        A = np.zeros((count, self._whole.dimension))
        sizes = np.abs(slopes).max(axis=1)
        A[:, axes] = slopes / sizes[:, None]
        return Linear(A, b / sizes)

    # -- moving in ------------------------------------------------------------------------------------

    def moved_in(self, points: FloatArray) -> FloatArray:
        """(n, D) points as they are where they hold, else feasible ones near by, with the largest members
        used. Raises NoFeasiblePoint.
        """
        outside = np.flatnonzero(~self._ties.hold(points))
        if len(outside) == 0:
            return points
        points = points.copy()
        if self.listed is not None:
            if len(self.listed) == 0:
                raise NoFeasiblePoint
            points[outside] = self.listed[_nearest(points[outside], self.listed)]
            return points
        sizes = self._subsets.sizes(points[outside])
        nearest = self._subsets.nearest(sizes)
        allowed = self._subsets.allowed(nearest)
        faces = [self.face(used) if own else None for used, own in zip(nearest, allowed, strict=True)]
        lost = np.array([face is None or not face.is_possible for face in faces])
        if lost.any():
            near = self._anchors[_nearest(points[outside[lost]], self._anchors)]
            for i, used in zip(np.flatnonzero(lost), self._subsets.used(near), strict=True):
                faces[i] = self.face(used)
            never = np.array([face is None or not face.is_possible for face in faces])
            points[outside[never]] = near[never[lost]]
            outside, faces = outside[~never], [f for f, none in zip(faces, never, strict=True) if not none]
        own = [face for face in faces if face is not None]
        if self._is_bent and own:
            subsets = np.array([face.used for face in own])
            moved = self._beside.nearer(self._subsets.at_most(points[outside], subsets), subsets)
            there = (self._subsets.used(moved) == subsets).all(axis=1) & self._ties.hold(moved)
            points[outside[there]] = moved[there]
            outside, own = outside[~there], [face for face, one in zip(own, there, strict=True) if not one]
        for rows, face in _alike(own):
            points[outside[rows]] = face.moved_in(points[outside[rows]])
        points[outside], lost = self._exactly(points[outside], own)
        points[outside[lost]] = self._anchors[_nearest(points[outside[lost]], self._anchors)]
        return points

    @cached_property
    def _anchors(self) -> FloatArray:
        return self.sample(ANCHORS, np.random.default_rng(SEED + 1))

    # -- from subset to subset ------------------------------------------------------------------------

    def along(self, points: FloatArray, steps: FloatArray) -> FloatArray:
        """Steps from feasible points, both (..., D), without what leads to where others are used."""
        rows, own = points.reshape(-1, self._whole.dimension), steps.reshape(-1, self._whole.dimension)
        moving = self.in_use(rows)
        own = np.where(moving, own, 0.0)
        sums = self._subsets.used(rows)[:, len(self._subsets.coordinates) :]
        earlier: list[FloatArray] = []
        for one, on in zip(self._subsets.sums, sums.T, strict=True):
            factors = np.array(one.factors) * moving
            whole = np.square(factors).sum(axis=1)
            # Across what sums before it leave, which may be of some of the same coordinates.
            for other in earlier:
                factors = factors - (factors * other).sum(axis=1)[:, None] * other
            size = np.square(factors).sum(axis=1)
            kept = ~on & (size > SPENT * whole)
            size = np.maximum(size, 1e-300)
            across = (factors * own).sum(axis=1) / size
            own -= np.where(kept, across, 0.0)[:, None] * factors
            earlier.append(np.where(kept[:, None], factors / np.sqrt(size)[:, None], 0.0))
        return own.reshape(steps.shape)

    def in_use(self, points: FloatArray) -> BoolArray:
        """(n, D) which coordinates are at (n, D) points, or are no members."""
        own = list(self._subsets.coordinates)
        used = np.ones(points.shape, dtype=bool)
        used[:, own] = self._subsets.used(points)[:, : len(own)]
        return used

    def moves(self, point: FloatArray) -> FloatArray:
        """(m, D) feasible points of other subsets: of a feasible (D,) point a member dropped, added, or put
        in the place of another.
        """
        used = self._subsets.used(point[None, :])[0]
        there = [(m, self._without(point, m)) for m in np.flatnonzero(used).tolist()]
        found: list[tuple[BoolArray, FloatArray]] = []
        for m, without in there:
            found.append((_changed(used, off=m), without))
        for i in np.flatnonzero(~used).tolist():
            found += [(_changed(used, on=i), added) for added in self._with(point, i)]
            found += [
                (_changed(used, off=m, on=i), self._in_place(point, without, m, i)) for m, without in there
            ]
        if not found:
            return np.empty((0, len(point)))
        subsets, points = np.array([one for one, _ in found]), np.array([other for _, other in found])
        kept = self._subsets.allowed(subsets)
        return self._placed(self._whole.rounded(points[kept]), subsets[kept])

    def _placed(self, points: FloatArray, subsets: BoolArray) -> FloatArray:
        """(k, D) points of these (n, M) subsets near (n, D) ones; of those that are possible."""
        if not len(points):
            return points
        right = (self._subsets.used(points) == subsets).all(axis=1) & self._ties.hold(points)
        if self._is_bent and not right.all():
            # What most need is that, and each face would take as long for its own few.
            points[~right] = self._beside.nearer(points[~right], subsets[~right])
            right = (self._subsets.used(points) == subsets).all(axis=1) & self._ties.hold(points)
        left, faces = points[~right], [self.face(used) for used in subsets[~right]]
        possible = np.array([face.is_possible for face in faces], dtype=bool)
        left, faces = left[possible], [face for face in faces if face.is_possible]
        for rows, face in _alike(faces):
            left[rows] = face.moved_in(left[rows])
        left, lost = self._exactly(left, faces)
        return np.vstack([points[right], left[~lost]])

    @cached_property
    def _is_bent(self) -> bool:
        """Whether faces take long to move points to where their ties hold, and continuous coordinates may be
        moved there.
        """
        return self._linear is None and bool((self._ties.named & ~self._whole.is_discrete).any())

    @cached_property
    def _beside(self) -> TiesBesideSubsets:
        return TiesBesideSubsets(self._whole, self._ties, self._subsets)

    def _without(self, point: FloatArray, member: int) -> FloatArray:
        changed = point.copy()
        if member < len(self._subsets.coordinates):
            changed[self._subsets.coordinates[member]] = self._subsets.zeros[member]
        return changed

    def _with(self, point: FloatArray, member: int) -> list[FloatArray]:
        """With a little, some and much of a coordinate; of a sum, with what is taken away from another."""
        found = []
        if member < len(self._subsets.coordinates):
            axis, least = self._subsets.coordinates[member], max(self._subsets.leasts[member], 0.0)
            for share in AMOUNTS:
                changed = point.copy()
                changed[axis] = least + share * (1.0 - least)
                found.append(changed)
            return found
        factors = np.array(self._subsets.sums[member - len(self._subsets.coordinates)].factors)
        for axis, least in zip(self._subsets.coordinates, self._subsets.leasts, strict=True):
            if factors[axis] < 0.0 and point[axis] > least:
                changed = point.copy()
                changed[axis] = 0.5 * (point[axis] + least)
                found.append(changed)
        return found

    def _in_place(self, point: FloatArray, without: FloatArray, member: int, other: int) -> FloatArray:
        """A point ``without`` one member that has as much of another."""
        own = self._subsets.coordinates
        changed = without.copy()
        if other >= len(own):
            return changed
        axis, least = own[other], self._subsets.leasts[other]
        if member < len(own):
            amount = abs(point[own[member]] - self._subsets.zeros[member])
        else:
            one = self._subsets.sums[member - len(own)]
            factor = one.factors[axis]
            amount = -float(one.at(point[None, :])[0]) / factor if factor else 0.0
        changed[axis] = min(max(self._subsets.zeros[other] + amount, least, 0.0), 1.0)
        return changed


def _possible(whole: ProductOfCoordinates, subsets: Subsets) -> tuple[BoolArray, BoolArray]:
    """(C,) and (C,) which coordinates can be where they are 0 at all, and which of them elsewhere."""
    left_out, used = [], []
    for j, zero, least in zip(subsets.coordinates, subsets.zeros, subsets.leasts, strict=True):
        axis = whole.coordinates[j]
        apart = np.abs(axis.grid - zero) > WITHIN
        left_out.append(-WITHIN <= zero <= 1.0 + WITHIN and not (axis.positions and apart.all()))
        used.append(bool((apart & (axis.grid >= least - WITHIN)).any()) if axis.positions else least <= 1.0)
    return np.array(left_out, dtype=bool), np.array(used, dtype=bool)


def _changed(used: BoolArray, off: int | None = None, on: int | None = None) -> BoolArray:
    changed = used.copy()
    if off is not None:
        changed[off] = False
    if on is not None:
        changed[on] = True
    return changed


def _alike(faces: list[Face]) -> list[tuple[IndexArray, Face]]:
    """Each face once, and the rows where it stands."""
    rows: dict[int, list[int]] = {}
    for i, face in enumerate(faces):
        rows.setdefault(id(face), []).append(i)
    return [(np.array(own), faces[own[0]]) for own in rows.values()]


def _nearest(points: FloatArray, anchors: FloatArray) -> IndexArray:
    """(n,) the anchor nearest to each point."""
    nearest = [int(np.square(anchors - point).sum(axis=1).argmin()) for point in points]
    return np.array(nearest, dtype=np.intp)
