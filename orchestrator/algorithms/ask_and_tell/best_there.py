"""The best results of a search, as a point that is to be chosen is seen beside them.

Notation: D coordinates, k results.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray, IndexArray


def leaders(history: History, turn: Turn, count: int) -> FloatArray:
    """(k, D) the points of the best ``count``, to search about: where parameters are held, moved there."""
    best = history.best(count)
    return turn.domain.snap(best) if turn.is_held else best


def to_improve_on(history: History, turn: Turn, count: int) -> IndexArray:
    """(k,) which of the best ``count`` lie where the point is to be chosen; none before a result satisfies
    all constraints.
    """
    rows = history.best_rows(count) if history.satisfied else np.zeros(0, dtype=np.intp)
    return rows[turn.domain.contains(history.points[rows])]
