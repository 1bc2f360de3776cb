"""The best points known of a part of the domain where parameters are held, few of whose points may be told.

What is good elsewhere says where to look: the points told are moved to where parameters are as they are held,
and judged by what a model believes of them there.

Notation: D coordinates, k points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.exclusion import keys
from orchestrator.algorithms.gaussian_process.believed_best import Mean
from orchestrator.algorithms.history import History
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.domain import Domain

# So many of the highest values of the part, and as many from elsewhere, are in question.
MOST = 256


def best_for(turn: Turn, history: History, mean: Mean, count: int) -> FloatArray:
    """(k, D) the ``count`` best points told, or as many as there are; where parameters are held, those
    believed best of where they are.
    """
    if not turn.is_held:
        return history.best(count)
    return BestWhereHeld.of(turn.domain, history, mean).points[:count]


@dataclass(frozen=True, eq=False, slots=True)
class BestWhereHeld:
    """(k, D) ``points`` of a part of the domain, the one believed best first, and which were ``told``."""

    points: FloatArray
    told: BoolArray

    @classmethod
    def of(cls, part: Domain, history: History, mean: Mean) -> BestWhereHeld:
        """By results that have a value, of which there must be one."""
        counted = ~np.isnan(history.values)
        measured = counted & ~history.foreseen
        rows = np.flatnonzero(measured if measured.any() else counted)
        rows = rows[np.argsort(-history.values[rows], kind="stable")]
        inside = part.contains(history.points[rows])
        own = history.points[rows[inside][:MOST]]
        own = own[part.feasible(own)]
        points = np.unique(np.vstack([own, part.snap(history.points[rows[~inside][:MOST]])]), axis=0)
        points = points[np.argsort(-mean(points), kind="stable")]
        known = set(keys(own))
        return cls(points, np.array([key in known for key in keys(points)], dtype=bool))

    def among(self, chosen: BoolArray) -> BestWhereHeld:
        """Those of (k,) that are chosen."""
        return BestWhereHeld(self.points[chosen], self.told[chosen])
