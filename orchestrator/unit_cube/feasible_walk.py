"""Walks through the part of a product of coordinates where ties hold, along lines that stay inside it.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.product import Product

CHANGES_TRIED = 4
# After so many a length is a trillionth of what it was.
HALVINGS = 40


@dataclass(frozen=True)
class FeasibleWalk:
    """Hit and run over continuous coordinates, and changes of a value or two over discrete ones, in turns.

    Attributes:
        whole: the product of the coordinates, without ties.
        hold: (n,) whether the ties hold at (n, D) points.
        brought_in: (n, D) points moved in their continuous coordinates where that leads to where the ties
            hold, and otherwise as they were.
    """

    whole: Product
    hold: Callable[[FloatArray], BoolArray]
    brought_in: Callable[[FloatArray], FloatArray]

    def ends(self, points: FloatArray, steps: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) where walks end that begin at these feasible points, which are not changed."""
        points = points.copy()
        fellows = points.copy()
        discrete = np.flatnonzero(self.whole.is_discrete)
        for step in range(steps):
            if len(discrete) and step % 2:
                points = self._changed(points, rng)
            else:
                points = self._along_a_line(points, fellows, rng)
        return points

    def _changed(self, points: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Another value for a discrete coordinate or two, where that holds: any value, or a neighbour. What
        does not hold, or lies out of the cube, is not gone to, and each try counts by itself: to try on until
        something holds would leave points with few feasible ones about them more often than lead there.
        """
        discrete = np.flatnonzero(self.whole.is_discrete)
        points, n = points.copy(), len(points)
        for _ in range(CHANGES_TRIED):
            tried = points.copy()
            anew = self.whole.sample(n, rng)
            beside = points + 0.05 * rng.standard_normal(points.shape)
            out = (beside < 0.0) | (beside > 1.0)
            by_steps = np.where(out, points, self.whole.rounded(beside))
            anew = np.where(rng.random((n, 1)) < 0.5, anew, by_steps)
            for _ in range(2):
                which = discrete[rng.integers(len(discrete), size=n)]
                tried[np.arange(n), which] = anew[np.arange(n), which]
            tried = self.brought_in(tried)
            held = self.hold(tried)
            points[held] = tried[held]
        return points

    def _along_a_line(self, points: FloatArray, fellows: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Hit and run: along any direction, or one that two feasible points lie in, which follows the region
        where it is thin.
        """
        n, D = points.shape
        axes = ~self.whole.is_discrete
        directions = rng.standard_normal((n, D))
        # Feasible points apart in these directions lead along a thin region, random ones out of it.
        others = fellows[rng.integers(len(fellows), size=n)] - fellows[rng.integers(len(fellows), size=n)]
        alike = np.abs(others[:, axes]).max(axis=1, initial=0.0) > 0.0
        followed = alike & (rng.random(n) < 0.7)
        directions[followed] = others[followed]
        directions[:, ~axes] = 0.0
        directions /= np.maximum(np.abs(directions).max(axis=1, keepdims=True), 1e-300)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack([(0.0 - points) / directions, (1.0 - points) / directions])
        ends = np.where(directions == 0.0, np.array([-np.inf, np.inf])[:, None, None], np.sort(ends, axis=0))
        low, high = ends[0].max(axis=1), ends[1].min(axis=1)
        reached, live = points.copy(), np.flatnonzero(np.isfinite(low) & np.isfinite(high))
        for _ in range(HALVINGS):
            if len(live) == 0:
                break
            at = low[live] + (high[live] - low[live]) * rng.random(len(live))
            tried = self.whole.rounded(points[live] + at[:, None] * directions[live])
            held = self.hold(tried)
            reached[live[held]] = tried[held]
            missed, at = live[~held], at[~held]
            low[missed] = np.where(at < 0.0, at, low[missed])
            high[missed] = np.where(at >= 0.0, at, high[missed])
            live = missed
        return reached
