"""Which points a safe search looks at: about those where all limits held, and anywhere.

What is held safe has edges that no gradient knows of, and often several parts. So points are drawn, at all
distances from those that are known, and the best of those that are let through are moved on by ever smaller
steps; none that is not let through is ever returned.

Notation: D coordinates, k points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.domain import Domain

Score = Callable[[FloatArray], FloatArray]
Allows = Callable[[FloatArray], BoolArray]

# Of the points known so many are drawn about, at these deviations, so often each; and so many anywhere.
MOST_ANCHORS = 40
SCALES = np.array([0.3, 0.1, 0.03, 0.01, 0.003])
EACH, ANYWHERE = 4, 500
# Of discrete neighbours of a point so many are looked at.
MOST_NEIGHBOURS = 30
# So many of the best are moved on, in so many rounds, by so many steps each, of which the first are so long.
CLIMBERS, ROUNDS, STEPS = 8, 10, 16
FIRST_STEP, SHORTENING = 0.1, 0.6


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """A (D,) point and its score."""

    point: FloatArray
    score: float


@dataclass(frozen=True, eq=False)
class WithinReach:
    """``points`` (k, D) of a domain, which were drawn for one turn."""

    domain: Domain
    points: FloatArray

    @classmethod
    def of(cls, domain: Domain, anchors: FloatArray, rng: np.random.Generator) -> WithinReach:
        """About (m, D) ``anchors``, the more important first, and anywhere."""
        about = anchors
        if len(about) > MOST_ANCHORS:
            half = MOST_ANCHORS // 2
            others = rng.choice(np.arange(half, len(about)), MOST_ANCHORS - half, replace=False)
            about = about[np.concatenate([np.arange(half), np.sort(others)])]
        groups = [domain.sample(ANYWHERE, rng) if domain.rows is None else _of_each_row(domain, rng)]
        if len(about):
            deviations = np.repeat(SCALES, EACH)
            groups.append(_stepped(domain, about, deviations, rng))
            groups += [
                domain.some_neighbours(point, MOST_NEIGHBOURS, rng) for point in about[: MOST_ANCHORS // 4]
            ]
        return cls(domain, np.unique(np.vstack(groups), axis=0))

    def best(self, score: Score, allows: Allows, rng: np.random.Generator) -> Found | None:
        """The point with the highest score among those that ``allows`` lets through; None where there are
        none.
        """
        points = self.points[allows(self.points)]
        if not len(points):
            return None
        scores = score(points)
        order = np.argsort(-scores, kind="stable")[:CLIMBERS]
        climbers, reached = points[order], scores[order]
        step = FIRST_STEP
        for _ in range(ROUNDS):
            moved = _stepped(self.domain, climbers, np.full(STEPS, step), rng)
            values = np.full(len(moved), -np.inf)
            if len(good := np.flatnonzero(allows(moved))):
                values[good] = score(moved[good])
            for i in range(len(climbers)):
                top = i * STEPS + int(np.argmax(values[i * STEPS : (i + 1) * STEPS]))
                if values[top] > reached[i]:
                    climbers[i], reached[i] = moved[top], values[top]
            step *= SHORTENING
        top = int(np.argmax(reached))
        return Found(climbers[top], float(reached[top]))


def _stepped(
    domain: Domain, points: FloatArray, deviations: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """(k len(deviations), D) feasible points about each of (k, D), those of one point together: every other
    one has moved in about two coordinates only.
    """
    k, D = points.shape
    steps = deviations[:, None] * rng.standard_normal((k, len(deviations), D))
    few = rng.random((k, len(deviations), D)) < min(1.0, 2.0 / D)
    steps[:, ::2] *= few[:, ::2]
    return domain.snap((points[:, None, :] + steps).reshape(-1, D))


def _of_each_row(domain: Domain, rng: np.random.Generator) -> FloatArray:
    """(k, D) feasible points of all rows, of few of them with several settings of what is free."""
    rows = domain.rows
    assert rows is not None
    if domain.listed is not None:
        return domain.listed
    numbers = np.tile(np.arange(len(rows)), -(-ANYWHERE // len(rows)))
    return domain.snap(rows.put(domain.sample(len(numbers), rng), numbers))
