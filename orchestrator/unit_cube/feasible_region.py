"""The part of a product of coordinates where ties hold: drawing points of it, and moving points into it.

Where it is a fair share of the whole, points are drawn until enough hold. Where it is not, what was found of
it once is walked from, along lines that stay inside: so a millionth of the volume will do.

Notation: n points, D coordinates, k anchors, which are feasible points known all over the region.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Protocol

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.feasible_walk import HALVINGS, FeasibleWalk
from orchestrator.unit_cube.product import Product
from orchestrator.unit_cube.subsets import Subsets
from orchestrator.unit_cube.towards_feasible import MARGINS, Shortfall

# Points that are looked at to know what share holds; and what each gap is measured in.
LOOKED_AT = 2048
ANCHORS = 256
# Of fewer anchors more are looked for among so many points.
FEW_ANCHORS, MOST_SEARCHED = 32, 2**17
# A smaller share is walked through.
LEAST_SHARE = 0.02
STEPS_OF_A_WALK, STEPS_TO_SPREAD = 8, 40
NEAR_ANCHORS = 4
# Where on a way ties cease to hold is found to so small a part of it.
FINEST = 1e-12
# Differences of coordinates that are held at a time.
MOST_DIFFERENCES = 4_000_000
# Where evolution looks for one point: how many a generation has for each coordinate, in how many points, but
# no fewer generations, one is found mostly, and how many times as long it goes on before it gives up.
POPULATION, EVOLVED, FEWEST_GENERATIONS, TIMES_AS_LONG = 15, 6000, 20, 4
SEED = 20240607


class Ties(Protocol):
    """What must hold between coordinates. Points are (n, D), discrete coordinates on their positions."""

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that it depends on."""
        ...

    @property
    def known(self) -> FloatArray:
        """(k, D) points that are likely to be feasible, to begin with; k may be 0."""
        ...

    @property
    def known_evenly(self) -> bool:
        """Whether these are spread evenly over all of the region, so that no others need be looked for."""
        ...

    @property
    def subsets(self) -> Subsets | None:
        """How many of some coordinates may be used at all, if that is limited."""
        ...

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether they do, exactly."""
        ...

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) how far each inequality is from holding: at most 0 where it does; or NaN."""
        ...


class NoFeasiblePoint(Exception):
    """None was found."""


class FeasibleRegion:
    """That of a product (``whole``, a domain without ties) where ``ties`` hold.

    All that is drawn once is drawn from a fixed seed: two regions of the same parts are the same. Where on
    the way from a feasible point to another the ties cease to hold is found to a part ``finest`` > 0 of it.
    """

    def __init__(self, whole: Product, ties: Ties, *, finest: float = FINEST) -> None:
        self._whole = whole
        self._ties = ties
        self._finest = finest

    def require_points(self) -> None:
        """Raises NoFeasiblePoint if none is found."""
        if self.listed is not None and len(self.listed) == 0:
            raise NoFeasiblePoint
        # What is known is asked last: to spread it evenly takes the square of how many coordinates there are.
        if self.listed is None and not len(self._found) and not len(self._sought()):
            _ = self.anchors

    def found_soon(self) -> bool:
        """Whether any is found among what is known or looked at, or near that."""
        return len(self.soon()) > 0

    def soon(self) -> FloatArray:
        """(k, D) what is found so; k may be 0."""
        if self.listed is not None:
            return self.listed
        if len(self._found) or len(self._known):
            return np.vstack([self._known, self._found])
        return self._sought()

    @cached_property
    def listed(self) -> FloatArray | None:
        """Every feasible point, where the whole has few enough to look at all; else None."""
        everything = self._whole.listed
        return None if everything is None else everything[self._ties.hold(everything)]

    @cached_property
    def _looked_at(self) -> FloatArray:
        return self._whole.sample(LOOKED_AT, np.random.default_rng(SEED))

    @cached_property
    def _found(self) -> FloatArray:
        """Those that hold of what was looked at."""
        return self._looked_at[self._ties.hold(self._looked_at)]

    @property
    def share(self) -> float:
        """Of the whole, about."""
        return len(self._found) / LOOKED_AT

    @cached_property
    def shortfall(self) -> Shortfall:
        """What points are short of, each gap in units of how much it varies over the whole."""
        gaps = self._ties.gaps(self._looked_at)
        units = np.ones(gaps.shape[1])
        for j, column in enumerate(gaps.T):
            told = column[np.isfinite(column)]
            spread = float(np.subtract(*np.percentile(told, [75, 25]))) if len(told) else 0.0
            units[j] = spread or float(np.abs(told).max(initial=0.0)) or 1.0
        return Shortfall(self._ties.gaps, units, self._moving)

    @property
    def _moving(self) -> BoolArray:
        return np.asarray(self._ties.named & ~self._whole.is_discrete)

    @cached_property
    def anchors(self) -> FloatArray:
        """(k, D) k >= 1. Raises NoFeasiblePoint if none is found."""
        if self.share >= LEAST_SHARE:
            return np.vstack([self._known, self._found])[:ANCHORS]
        if self._ties.known_evenly and len(known := self._known) >= ANCHORS:
            # Where others are moved to lies on the boundary, and would be most.
            return known
        first = np.vstack([self._known, self._found, self._sought()])
        if len(first) < FEW_ANCHORS:
            first = np.vstack([first, self._searched()])
        if len(first) == 0:
            first = self._minimised()
        rng = np.random.default_rng(SEED + 1)
        points = first[rng.integers(len(first), size=ANCHORS)]
        return np.vstack([first[:ANCHORS], self._walk.ends(points, STEPS_TO_SPREAD, rng)])

    @property
    def _known(self) -> FloatArray:
        known = self._ties.known
        return known[self._ties.hold(known)] if len(known) else known

    def _sought(self) -> FloatArray:
        """Feasible points that those looked at are near to."""
        moved = self._nearer(self._looked_at[:ANCHORS])
        return moved[self._ties.hold(moved)]

    def _searched(self) -> FloatArray:
        """Feasible points among many more that are looked at: what no step leads to is found by chance."""
        rng = np.random.default_rng(SEED + 3)
        found: list[FloatArray] = []
        for _ in range(MOST_SEARCHED // LOOKED_AT):
            points = self._whole.sample(LOOKED_AT, rng)
            found.append(points[self._ties.hold(points)])
            if sum(map(len, found)) >= ANCHORS:
                break
        return np.vstack(found)

    def _minimised(self) -> FloatArray:
        """One feasible point, where what all are short of is least. Raises NoFeasiblePoint."""
        # Imported where it is needed: few regions are so small.
        from scipy.optimize import differential_evolution

        def total(columns: FloatArray) -> FloatArray:
            points = self._whole.rounded(np.atleast_2d(columns.T))
            return np.where(self._ties.hold(points), -1.0, self.shortfall.total(points))

        found = differential_evolution(
            total,
            [(0.0, 1.0)] * self._whole.dimension,
            vectorized=True,
            updating="deferred",
            polish=False,
            tol=0.0,
            popsize=POPULATION,
            maxiter=TIMES_AS_LONG * max(FEWEST_GENERATIONS, EVOLVED // (POPULATION * self._whole.dimension)),
            rng=np.random.default_rng(SEED + 2),
            callback=lambda intermediate_result: intermediate_result.fun < 0.0,
        )
        last = self._whole.rounded(np.atleast_2d(found.x))
        for candidates in (last, self._nearer(last)):
            held = candidates[self._ties.hold(candidates)]
            if len(held):
                return held
        raise NoFeasiblePoint

    def _nearer(self, points: FloatArray) -> FloatArray:
        """(n, D) points moved in their continuous coordinates, inside as far as that leads there; as they are
        where others would have to change.
        """
        moved = points.copy()
        left = np.flatnonzero(self._may_be_moved_in(points))
        for margin in MARGINS:
            if len(left) == 0:
                break
            moved[left] = self._whole.rounded(self.shortfall.nearer(points[left], margin))
            left = left[~self._ties.hold(moved[left])]
        return moved

    def _may_be_moved_in(self, points: FloatArray) -> BoolArray:
        """(n,) which of (n, D) points are short of nothing that is the same wherever they are moved."""
        if not (self._ties.named & self._whole.is_discrete).any() or not self._stays.any():
            return np.ones(len(points), dtype=bool)
        return np.asarray(~(self._ties.gaps(points)[:, self._stays] > 0.0).any(axis=1))

    @cached_property
    def _stays(self) -> BoolArray:
        """(m,) which gaps the coordinates that are moved change nowhere: those of discrete ones alone."""
        others = self._looked_at.copy()
        others[:, self._moving] = np.roll(self._looked_at[:, self._moving], 1, axis=0)
        gaps, there = self._ties.gaps(self._looked_at), self._ties.gaps(self._whole.rounded(others))
        return np.asarray(((gaps == there) | (np.isnan(gaps) & np.isnan(there))).all(axis=0))

    # -- moving in ------------------------------------------------------------------------------------

    def moved_in(self, points: FloatArray) -> FloatArray:
        """(n, D) points as they are where they hold, else feasible ones near by.

        First continuous coordinates alone are moved, as little as will do; where that does not lead inside,
        the point goes towards anchors near by until it holds. Raises NoFeasiblePoint.
        """
        outside = np.flatnonzero(~self._ties.hold(points))
        if len(outside) == 0:
            return points
        points = points.copy()
        points[outside] = self._brought_in(points[outside])
        outside = outside[~self._ties.hold(points[outside])]
        if len(outside) == 0:
            return points
        if self.listed is not None:
            if len(self.listed) == 0:
                raise NoFeasiblePoint
            points[outside] = self.listed[self._nearest(points[outside], self.listed, 1)[:, 0]]
            return points
        points[outside] = self._towards_anchors(points[outside])
        return points

    def _brought_in(self, points: FloatArray) -> FloatArray:
        """(n, D) points moved in their continuous coordinates where that leads inside, else as they were."""
        if not self._moving.any():
            return points
        moved = self._nearer(points)
        return np.where(self._ties.hold(moved)[:, None], moved, points)

    def _nearest(self, points: FloatArray, anchors: FloatArray, count: int) -> IndexArray:
        """(n, count) the rows of the anchors nearest to points; another category is as far as can be."""
        unordered = self._whole.is_unordered
        blocks = []
        size = max(1, MOST_DIFFERENCES // max(1, anchors.size))
        for start in range(0, len(points), size):
            apart = np.abs(points[start : start + size, None, :] - anchors[None, :, :])
            apart[..., unordered] = apart[..., unordered] > 0.0
            distance = (apart**2).sum(axis=2)
            nearest = np.argsort(distance, axis=1, kind="stable")
            blocks.append(nearest[:, : min(count, len(anchors))])
        return np.concatenate(blocks)

    def _towards_anchors(self, points: FloatArray) -> FloatArray:
        """(n, D) infeasible points moved onto the way to an anchor, as far as that is needed."""
        anchors = self.anchors[self._nearest(points, self.anchors, NEAR_ANCHORS)]
        n, count, D = anchors.shape
        ends = np.repeat(points[:, None, :], count, axis=1).reshape(-1, D)
        begins = anchors.reshape(-1, D)
        unordered = self._whole.is_unordered
        ends[:, unordered] = begins[:, unordered]
        reached = self._as_far_as_holds(begins, ends)
        apart = np.abs(reached.reshape(n, count, D) - points[:, None, :])
        apart[..., unordered] = apart[..., unordered] > 0.0
        nearest = (apart**2).sum(axis=2).argmin(axis=1)
        return np.asarray(reached.reshape(n, count, D)[np.arange(n), nearest])

    def _as_far_as_holds(self, begins: FloatArray, ends: FloatArray) -> FloatArray:
        """(n, D) points on the way from feasible ones to others, found by halving it again and again."""
        low, high = np.zeros(len(begins)), np.ones(len(begins))
        reached = begins.copy()
        whole = self._whole.rounded(ends)
        there = self._ties.hold(whole)
        reached[there] = whole[there]
        low[there] = 1.0
        for _ in range(HALVINGS):
            live = np.flatnonzero(high - low > self._finest)
            if len(live) == 0:
                break
            middle = 0.5 * (low[live] + high[live])
            tried = self._whole.rounded(begins[live] + middle[:, None] * (ends[live] - begins[live]))
            held = self._ties.hold(tried)
            reached[live[held]] = tried[held]
            low[live[held]], high[live[~held]] = middle[held], middle[~held]
        return reached

    # -- drawing --------------------------------------------------------------------------------------

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points, about uniform. Raises NoFeasiblePoint."""
        if self.listed is not None:
            if len(self.listed) == 0:
                raise NoFeasiblePoint
            return self.listed[rng.integers(len(self.listed), size=n)]
        if self.share < LEAST_SHARE:
            anchors = self.anchors
            return self._walk.ends(anchors[rng.integers(len(anchors), size=n)], STEPS_OF_A_WALK, rng)
        kept: list[FloatArray] = [np.empty((0, self._whole.dimension))]
        missing = n
        while missing > 0:
            drawn = self._whole.sample(math.ceil(1.1 * missing / self.share) + 4, rng)
            kept.append(drawn[self._ties.hold(drawn)][:missing])
            missing -= len(kept[-1])
        return np.vstack(kept)

    @property
    def _walk(self) -> FeasibleWalk:
        return FeasibleWalk(self._whole, self._ties.hold, self._brought_in)
