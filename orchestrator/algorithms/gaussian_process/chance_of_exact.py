"""How likely values are exact that a model takes for noisy.

Detail of a function that is finer than results lie apart looks as noise does, and so do values of which there
are few, as accuracies on a small test set. What tells them apart is a point that is evaluated again.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History

EXACT_ALL_THE_SAME = 1.0 / 3.0
"""Where nothing tells. To go by the model where values are exact gives away what the best one is better by,
and to go by values where they are noisy little, as the highest of many are of good points.
"""


def chance_of_exact(problem: Problem, history: History) -> float:
    """Not at all, where something is told of noise or has shown some: a point that was told twice came out
    otherwise, or results are set aside as wild.
    """
    told = problem.noise.kind != "unknown" or problem.blocks or bool(history.variances.any())
    drifts = problem.clock is not None
    if told or drifts or history.aside.any() or varies_at_a_point(history):
        return 0.0
    return EXACT_ALL_THE_SAME


def varies_at_a_point(history: History) -> bool:
    """Whether some point has different values: O(n log n) for n results."""
    rows = np.flatnonzero(~np.isnan(history.values) & ~history.foreseen)
    if not len(rows):
        return False
    points, values = history.points[rows], history.values[rows]
    distinct, number = np.unique(points, axis=0, return_inverse=True)
    if len(distinct) == len(rows):
        return False
    highest = np.full(len(distinct), -np.inf)
    np.maximum.at(highest, number.ravel(), values)
    return bool((values < highest[number.ravel()]).any())
