"""Maximising over a box inside the domain: the box is stretched to a unit cube of its own.

Along coordinates that come round it is about its centre all the same: past an end of the cube, which is where
it comes in at the other.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.boxes.activity_in_box import ActivityInBox
from orchestrator.maximisers.boxes.stretched_axis import stretched_axis, whole_ends
from orchestrator.maximisers.boxes.ties_in_box import TiesInBox
from orchestrator.maximisers.climbs.among_rows import AmongRows
from orchestrator.maximisers.climbs.multistart import Allows, maximise
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.circle import nearest_turn
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint
from orchestrator.unit_cube.rows import Rows

# A coordinate that is held has a box of no width; it is stretched as if it had this much.
LEAST_WIDTH = 1e-12
# A point that was written down and read again lies on the face that it lay on, but for so much.
ROUNDING = 1e-9
# By so much a box that goes round is wider: a position by a turn is the same but for rounding.
MARGIN = 1e-10
# The half-side of a box that holds other categories than its centre's.
REACHES_CATEGORIES = 0.1
# Of rows at least so many lie in a box, about its centre's.
ROWS_AT_LEAST = 8
# Positions in the unit cube that are as near as this stand for one category.
SAME_CATEGORY = 1e-9
# The most points of a box that are all looked at.
MOST_ENUMERATED = 2000


@dataclass(frozen=True, eq=False)
class Box:
    """(D,) corners in the unit cube, or past its ends where it goes round, and the (D,) ``centre``; a point
    of it has another category than that in at most ``changes`` coordinates, where that is not None.
    """

    domain: Domain
    lower: FloatArray
    upper: FloatArray
    centre: FloatArray
    changes: int | None = None

    @classmethod
    def about(cls, domain: Domain, centre: FloatArray, half: FloatArray) -> Box:
        """Half-sides (D,) about a feasible (D,) point; and to an ordinal's or a whole number's neighbour at
        least.

        What does not count at the centre reaches as far as the rest, from where it rests: so far apart are
        branches to kernels, too. All categories are as far as each other: the others lie in a wide box. A
        narrow one holds them where there is anything continuous to look at more closely; else it lets fewer
        of them change at once. Of rows it holds the nearest, whatever categories these have.
        """
        half = half.copy()
        changes, unordered = None, domain.is_unordered
        of_rows = () if domain.rows is None else domain.rows.axes
        if domain.rows is not None:
            half = _reaching_rows(domain.rows, centre, half)
        elif unordered.any() and not domain.is_continuous.any():
            share = float(half[unordered].mean()) / REACHES_CATEGORIES
            changes = None if share >= 1.0 else max(1, round(share * int(unordered.sum())))
            half[unordered] = 1.0
        for j, coordinate in enumerate(domain.coordinates):
            if coordinate.kind == "categorical":
                half[j] = 1.0 if half[j] >= REACHES_CATEGORIES else 0.0
            elif coordinate.free is not None:
                half[j] = 0.0
            elif len(coordinate.positions) > 1 and j not in of_rows:
                half[j] = max(half[j], float(np.diff(coordinate.grid).max()))
        lower, upper = np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)
        for axis in np.flatnonzero(_round(domain)):
            lower[axis], upper[axis] = _ends_round(float(centre[axis]), float(half[axis]))
        for j, coordinate in enumerate(domain.coordinates):
            if coordinate.whole is not None:
                lower[j], upper[j] = whole_ends(coordinate.whole, centre[j], half[j])
        return cls(domain, lower, upper, centre, changes)

    @property
    def width(self) -> FloatArray:
        """(D,) sides, none of them 0."""
        return np.maximum(self.upper - self.lower, LEAST_WIDTH)

    def contains(self, points: FloatArray) -> BoolArray:
        """(n,) which of (n, D) feasible points lie inside, or on a face but for rounding."""
        unrolled = self._unrolled(points)
        inside = (unrolled >= self.lower - ROUNDING) & (unrolled <= self.upper + ROUNDING)
        inside |= ~self.domain.active(points)
        return np.asarray(inside.all(axis=1) & (self.changed(points) <= self._most_changes))

    @property
    def is_least(self) -> bool:
        """Whether a narrower box about the centre would hold as much."""
        if self.domain.rows is not None and self.domain.listed is not None:
            return self.size == Box.about(self.domain, self.centre, np.zeros(self.domain.dimension)).size
        if not self.domain.is_discrete.all():
            return False
        return self._extent == Box.about(self.domain, self.centre, np.zeros(self.domain.dimension))._extent

    def changed(self, points: FloatArray) -> IndexArray:
        """(n,) in how many categories (n, D) feasible points differ from the centre."""
        changed = (np.abs(points - self.centre) > SAME_CATEGORY) & self.domain.active(points)
        return np.asarray(changed[:, self.domain.is_unordered].sum(axis=1))

    @property
    def size(self) -> float:
        """How many feasible points there are inside; infinite if any coordinate is continuous, or beyond a
        float. Of many, those that ties leave out or that are the same once folded count as well.
        """
        if self.domain.rows is not None:
            listed = self.domain.listed
            return float("inf") if listed is None else float(self.contains(listed).sum())
        product = self._product_size
        few = not self.domain.is_product and product <= MOST_ENUMERATED
        return float(len(self.all())) if few else product

    @property
    def _product_size(self) -> float:
        inner = self._inner
        if self.changes is None:
            return inner.size
        # How many points differ from the centre in 0, 1, 2, ... categories: a product of polynomials.
        points = np.ones(1)
        for coordinate, unordered in zip(inner.coordinates, self.domain.is_unordered, strict=True):
            k = len(coordinate.positions)
            if k == 1:
                continue
            with np.errstate(over="ignore"):
                points = np.convolve(points, [1.0, k - 1.0] if unordered else [float(k)])
        return float(points[: self.changes + 1].sum())

    @property
    def _extent(self) -> tuple[list[int], int]:
        """How many positions of each coordinate lie inside, and how many categories may change at once. Of
        two boxes, one within the other, these are equal if the sizes are, which may be beyond a float.
        """
        inner = self._inner.coordinates
        counts = [len(c.positions) if c.whole is None else c.whole.count for c in inner]
        unordered = sum(k > 1 for k, free in zip(counts, self.domain.is_unordered, strict=True) if free)
        return counts, min(self._most_changes, unordered)

    @property
    def _most_changes(self) -> int:
        return self.domain.dimension if self.changes is None else self.changes

    def stretched(self, points: FloatArray) -> FloatArray:
        """Points of the box as points of a unit cube."""
        return (self._unrolled(points) - self.lower) / self.width

    def _unrolled(self, points: FloatArray) -> FloatArray:
        """Points of the domain; where the box goes round, as near to its centre as whole turns bring them."""
        goes_round = _round(self.domain)
        if not goes_round.any():
            return points
        return np.where(goes_round, nearest_turn(points, self.centre), points)

    def shrunk(self, points: FloatArray) -> FloatArray:
        """The inverse of `stretched`, snapped to the domain."""
        return self.domain.snap(self.lower + points * self.width)

    def maximise(
        self,
        objective: Objective,
        incumbents: FloatArray,
        allows: Allows,
        rng: np.random.Generator,
    ) -> FloatArray | None:
        """The best (D,) point of the box that is allowed; or None. Of all points, where there are few; else
        as `multistart.maximise` finds it.
        """
        if self.domain.rows is not None:
            among = AmongRows(self.domain, self.domain.rows, allows, self.lower, self.upper)
            highest = among.best(objective, incumbents[self.contains(incumbents)], rng)
            return None if highest is None else highest.point
        if self._product_size <= MOST_ENUMERATED:
            points = self.all()
            points = points[np.asarray(allows(points), dtype=bool)]
            return points[int(np.argmax(objective.values(points)))] if len(points) else None
        inside = self.stretched(incumbents[self.contains(incumbents)])
        inner = self._inner
        if self.domain.ties is not None:
            ties = TiesInBox(self.domain, self.lower, self.width, inside)
            inner = Domain(inner.coordinates, ties, inner.activity)
            try:
                inner.require_feasible_points()
            except NoFeasiblePoint:
                return None
        found: Maximum | None = maximise(
            _Stretched(objective, self),
            inner,
            inside,
            lambda points: self._allowed(self.shrunk(points), allows),
            rng,
        )
        return None if found is None else self.shrunk(found.point)

    def all(self) -> FloatArray:
        """(`size`, D) every feasible point inside; there must be nothing continuous."""
        points, changed = self.centre[None, :], np.zeros(1, dtype=int)
        for j, coordinate in enumerate(self._inner.coordinates):
            grid = self.lower[j] + coordinate.grid * self.width[j]
            points = np.repeat(points, len(grid), axis=0)
            points[:, j] = np.tile(grid, len(changed))
            changed = np.repeat(changed, len(grid))
            if self.domain.is_unordered[j]:
                changed += np.abs(points[:, j] - self.centre[j]) > SAME_CATEGORY
            points, changed = points[changed <= self._most_changes], changed[changed <= self._most_changes]
        rounded = self.domain.rounded(points)
        if self.domain.activity is not None:
            rounded = np.unique(rounded, axis=0)
        return rounded if self.domain.ties is None else rounded[self.domain.feasible(rounded)]

    def _allowed(self, points: FloatArray, allows: Allows) -> BoolArray:
        return np.asarray(allows(points) & (self.changed(points) <= self._most_changes))

    @property
    def _inner(self) -> Domain:
        """The box's own domain, without ties."""
        axes = zip(self.domain.coordinates, self.lower, self.width, self.upper, strict=True)
        whole = self.domain.activity
        activity = None if whole is None else ActivityInBox(whole, self.lower, self.width)
        return Domain(tuple(stretched_axis(*axis) for axis in axes), activity=activity)


def _round(domain: Domain) -> BoolArray:
    """(D,) along which coordinates boxes go round: of whole numbers that are not listed none does."""
    return domain.is_searched_round & ~domain.is_whole


def _ends_round(centre: float, half: float) -> tuple[float, float]:
    """Past those of the cube, if need be; at most one turn, of which what is opposite is at the lower end."""
    if half < 0.5 - ROUNDING:
        return centre - half - MARGIN, centre + half + MARGIN
    return centre - 0.5 - MARGIN, centre + 0.5 - 2.0 * MARGIN


def _reaching_rows(rows: Rows, centre: FloatArray, half: FloatArray) -> FloatArray:
    """(D,) half-sides, those of the rows' coordinates grown together until enough rows lie inside."""
    half = half.copy()
    half[rows.axes[rows.unordered]] = 1.0
    ordered = rows.axes[~rows.unordered]
    if len(ordered):
        apart = np.abs(rows.positions[:, ~rows.unordered] - centre[ordered])
        needed = (apart / np.maximum(half[ordered], LEAST_WIDTH)).max(axis=1)
        count = min(ROWS_AT_LEAST, len(rows) - 1)
        half[ordered] = np.maximum(half[ordered], LEAST_WIDTH) * max(1.0, np.partition(needed, count)[count])
    return half


@dataclass(frozen=True, eq=False, slots=True)
class _Stretched:
    objective: Objective
    box: Box

    def values(self, X: FloatArray) -> FloatArray:
        points = self.box.domain.folded(self.box.lower + X * self.box.width)
        values = self.objective.values(points)
        if self.box.changes is None:
            return values
        # From the centre, which is searched about, neighbours lead as far as the box goes and no further.
        return np.where(self.box.changed(points) <= self.box.changes, values, -np.inf)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        values, gradients = self.objective.values_and_gradients(self.box.lower + X * self.box.width)
        return values, gradients * self.box.width
