"""The part of a domain that each condition leaves, and where something is most in each of these.

Notation: D coordinates, m conditions, k designs: settings of what is chosen, whatever the condition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.unit_cube.domain import Domain

Score = Callable[[FloatArray], FloatArray]

ROUNDS, STEPS = 8, 12
"""How often the best of each condition is moved on, and by how many steps each time."""
FIRST_STEP, SHORTENING = 0.15, 0.55


@dataclass(frozen=True, eq=False)
class Grounds:
    """Of a ``domain``, in the conditions ``in_use``."""

    domain: Domain
    in_use: ConditionsInUse

    @cached_property
    def each(self) -> tuple[Domain, ...]:
        """(m,) the part of the domain in each condition."""
        coordinates = self.in_use.coordinates
        return tuple(
            self.domain.holding(dict(zip(coordinates, place, strict=True)))
            for place in self.in_use.points.tolist()
        )

    def first(self, count: int) -> list[tuple[Domain, float]]:
        """The part of the domain in each of the first so many conditions, of those in which feasible points
        are found by chance, with what it counts: 1 together.
        """
        rows = [j for j, known in enumerate(self.has_any) if known][:count]
        weights = self.in_use.weights[rows]
        return [(self.each[j], float(share)) for j, share in zip(rows, weights / weights.sum(), strict=True)]

    def points(self, designs: FloatArray) -> FloatArray:
        """(k, m, D) each of (k, D) designs in each of the conditions."""
        return self.in_use.at(designs).reshape(len(designs), len(self.in_use.points), -1)

    def designs(self, points: FloatArray) -> FloatArray:
        """(k, D) those of points, in whatever condition, each once, in their order."""
        designs = self.in_use.as_designs(points)
        _, first = np.unique(designs, axis=0, return_index=True)
        return designs[np.sort(first)]

    def feasible(self, points: FloatArray) -> BoolArray:
        """(k, m) which of (k, m, D) points are."""
        return self.domain.feasible(points.reshape(-1, points.shape[2])).reshape(points.shape[:2])

    def scores(self, score: Score, points: FloatArray) -> FloatArray:
        """(k, m) of (k, m, D) points the scores, minus infinity where a point is not feasible."""
        rows = points.reshape(-1, points.shape[2])
        scores, good = np.full(len(rows), -np.inf), self.domain.feasible(rows)
        if good.any():
            scores[good] = score(rows[good])
        return scores.reshape(points.shape[:2])

    def best(
        self, score: Score, designs: FloatArray, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """(m, D) the point with the highest score that is found in each condition, from (k, D) designs on,
        and (m,) its score: minus infinity where there is no feasible point.
        """
        points = self.points(designs)
        return self.climbed(score, points, self.scores(score, points), rng)

    def climbed(
        self, score: Score, points: FloatArray, scores: FloatArray, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """The same from (k, m, D) points on, whose (k, m) scores are known."""
        every = np.arange(len(self.each))
        first = scores.argmax(axis=0)
        best, reached = points[first, every], scores[first, every]
        for j in np.flatnonzero(np.isneginf(reached)):
            best[j], reached[j] = self._anywhere(int(j), score, best[j], rng)
        step = FIRST_STEP
        for turn in range(ROUNDS):
            # What is best in one condition is often about the best in the next.
            crossing = turn % 3 == 0
            moved = self.points(self.designs(best)) if crossing else self._stepped(best, step, rng)
            found = self.scores(score, moved)
            top = found.argmax(axis=0)
            better = found[top, every] > reached
            best = np.where(better[:, None], moved[top, every], best)
            reached = np.where(better, found[top, every], reached)
            step *= SHORTENING
        return best, reached

    def _stepped(self, points: FloatArray, step: float, rng: np.random.Generator) -> FloatArray:
        """(STEPS, m, D) about (m, D) points, in their conditions: every third has one setting anew."""
        m, dimension = points.shape
        moved = points + step * rng.standard_normal((STEPS, m, dimension))
        few = rng.random((STEPS, m, dimension)) < min(1.0, 2.0 / dimension)
        moved[::2] = np.where(few[::2], moved[::2], points)
        which = rng.integers(dimension, size=(STEPS, m))[:, :, None] == np.arange(dimension)
        anew = np.where(which, rng.random((STEPS, m, dimension)), points)
        moved[2::3] = anew[2::3]
        return self.snapped(moved)

    def snapped(self, points: FloatArray) -> FloatArray:
        """(k, m, D) points, as the nearest feasible ones of their conditions; where these have none that
        is found by chance, as the nearest that there are.
        """
        moved = points.copy()
        moved[:, :, list(self.in_use.coordinates)] = self.in_use.points
        if self.domain.is_product:
            return self.domain.snap(moved.reshape(-1, points.shape[2])).reshape(points.shape)
        for j, own in enumerate(self.each):
            moved[:, j] = own.snap(moved[:, j]) if self.has_any[j] else own.rounded(moved[:, j])
        return moved

    @cached_property
    def has_any(self) -> tuple[bool, ...]:
        """(m,) in which conditions feasible points are found by chance: to be sure of one takes seconds."""
        return tuple(own.share > 0.0 for own in self.each)

    def _anywhere(
        self, j: int, score: Score, point: FloatArray, rng: np.random.Generator
    ) -> tuple[FloatArray, float]:
        """Of a condition in which none of the designs is feasible."""
        if not self.has_any[j]:
            return point, -np.inf
        points = self.each[j].sample(STEPS, rng)
        scores = score(points)
        top = int(np.argmax(scores))
        return points[top], float(scores[top])
