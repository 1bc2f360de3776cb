"""Maximising over a domain of which some coordinates have a row of a list together: all rows are looked at.

Where no coordinate is free, that is all there is to do, exactly. Else each row is looked at with a few
settings of the free ones; the best climb in these, then all rows are looked at with what that led to, in turn
until neither helps.

Notation: n points, D coordinates, R rows, k incumbents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.climbs.among_feasible import comparable
from orchestrator.maximisers.climbs.ascent import ascend
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.rows import Rows

AT_A_TIME = 2048
"""Points that an objective is asked of: so much lies in memory, however many rows there are."""
LOOKED_AT, MOST_SETTINGS = 4096, 16
"""Points that are screened, at least one of each row; and the most settings of the free coordinates."""
STARTS, ITERATIONS, ROUNDS = 8, 30, 4
SMALLEST_GAIN = 1e-9


@dataclass(frozen=True, eq=False)
class AmongRows:
    """What is ``allowed`` of a domain, as (n, D) -> (n,), between the (D,) corners of a box."""

    domain: Domain
    rows: Rows
    allowed: Callable[[FloatArray], BoolArray]
    lower: FloatArray
    upper: FloatArray

    def best(self, objective: Objective, incumbents: FloatArray, rng: np.random.Generator) -> Maximum | None:
        """The best point; None if none is allowed."""
        listed = self.domain.listed
        if listed is not None:
            return self._highest(objective, listed)
        free = np.ones(self.domain.dimension, dtype=bool)
        free[self.rows.axes] = False
        numbers = np.flatnonzero(self._inside(self.rows.positions, self.rows.axes))
        if not len(numbers):
            return None
        count = int(np.clip(LOOKED_AT // len(numbers), 1, MOST_SETTINGS))
        settings = self._settings(count, incumbents, free, rng)
        points, values = self._screened(objective, settings)
        if not len(points):
            return None
        for _ in range(ROUNDS):
            before = values.max()
            points, values = self._climbed(objective, points, values, free)
            around = [self.domain.alternatives(points[0], int(j)) for j in self._discrete(free)]
            others, theirs = self._screened(objective, points[:2])
            beside = self._kept(np.vstack([others[:0], *around]))
            points = np.vstack([points, others, beside])
            values = np.concatenate([values, theirs, _values(objective, beside)])
            order = np.argsort(-values, kind="stable")
            points, values = points[order], values[order]
            if values[0] <= before + SMALLEST_GAIN * (1.0 + abs(before)):
                break
        return Maximum(points[0], float(values[0]))

    def _highest(self, objective: Objective, listed: FloatArray) -> Maximum | None:
        points = self._kept(listed)
        if not len(points):
            return None
        values = _values(objective, points)
        best = int(np.argmax(values))
        return Maximum(np.array(points[best]), float(values[best]))

    def _settings(
        self, count: int, incumbents: FloatArray, free: BoolArray, rng: np.random.Generator
    ) -> FloatArray:
        """(k, D) points whose free coordinates are tried with every row."""
        drawn = self.domain.untied.sample(MOST_SETTINGS, rng)
        drawn = np.where(free, np.clip(drawn, self.lower, self.upper), drawn)
        known = incumbents[: max(1, count // 2)]
        return np.vstack([known, drawn])[: max(count, 1)]

    def _screened(self, objective: Objective, settings: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The best points of all rows with each of (k, D) settings, of a row each, the highest first."""
        numbers = np.flatnonzero(self._inside(self.rows.positions, self.rows.axes))
        each = [self.rows.put(np.tile(one, (len(numbers), 1)), numbers) for one in settings]
        points = self._kept(self.domain.snap(np.vstack(each)))
        values = _values(objective, points)
        order = np.argsort(-values, kind="stable")
        _, first = np.unique(self.rows.numbers(points[order]), return_index=True)
        chosen = order[np.sort(first)[:STARTS]]
        return points[chosen], values[chosen]

    def _climbed(
        self, objective: Objective, points: FloatArray, values: FloatArray, free: BoolArray
    ) -> tuple[FloatArray, FloatArray]:
        moving = free & self.domain.is_climbed
        points, values = points[:STARTS], values[:STARTS]
        if moving.any():
            reached = ascend(objective, points, moving, ITERATIONS)[0]
            reached = np.where(moving, np.clip(reached, self.lower, self.upper), reached)
            reached = self._kept(self.domain.snap(reached))
            points, values = (
                np.vstack([points, reached]),
                np.concatenate([values, _values(objective, reached)]),
            )
        order = np.argsort(-values, kind="stable")[:STARTS]
        return points[order], values[order]

    def _discrete(self, free: BoolArray) -> list[int]:
        return [int(j) for j in np.flatnonzero(free & self.domain.is_discrete)]

    def _kept(self, points: FloatArray) -> FloatArray:
        """Those of (n, D) points that lie inside and are allowed."""
        points = points[self._inside(points, np.arange(self.domain.dimension))]
        return points[np.asarray(self.allowed(points), dtype=bool)] if len(points) else points

    def _inside(self, own: FloatArray, axes: IndexArray) -> BoolArray:
        inside = (own >= self.lower[axes] - SMALLEST_GAIN) & (own <= self.upper[axes] + SMALLEST_GAIN)
        return np.asarray(inside.all(axis=1))


def _values(objective: Objective, points: FloatArray) -> FloatArray:
    blocks = [objective.values(points[i : i + AT_A_TIME]) for i in range(0, len(points), AT_A_TIME)]
    return comparable(np.concatenate(blocks)) if blocks else np.empty(0)
