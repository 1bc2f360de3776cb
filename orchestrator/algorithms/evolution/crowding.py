"""How far the neighbours of a front's members are from one another.

Source: Deb et al. 2002, section III.B. Notation: n members of one front, M objectives.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray


def crowding_distances(values: FloatArray) -> FloatArray:
    """(n,) of (n, M) values: in each objective the distance from the next lower to the next higher one, as a
    part of the front's range, added up; infinite at either end of any.
    """
    n = len(values)
    distances = np.zeros(n)
    for column in values.T:
        order = np.argsort(column, kind="stable")
        sorted_ = column[order]
        span = float(sorted_[-1] - sorted_[0]) if n else 0.0
        if span <= 0.0:
            continue
        distances[order[[0, -1]]] = np.inf
        if np.isfinite(span):
            distances[order[1:-1]] += (sorted_[2:] - sorted_[:-2]) / span
    return distances
