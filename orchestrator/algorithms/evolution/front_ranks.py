"""How many fronts have to be taken off a population before a member is undominated.

Source: Deb et al. 2002, section III.A, with the constraint-domination of section VI.
Notation: n members, M objectives, all maximised.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray


def dominating(values: FloatArray, lacking: FloatArray) -> BoolArray:
    """(n, n) whether the member of the row dominates that of the column, by (n, M) values and (n,) what they
    lack of the constraints, 0 where these are satisfied: who lacks less does, and of two that lack nothing,
    who is nowhere worse and somewhere better. O(n^2 M).
    """
    n = len(values)
    as_good, better = np.ones((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    for column in values.T:
        as_good &= column[:, None] >= column
        better |= column[:, None] > column
    satisfying = lacking <= 0.0
    both = satisfying[:, None] & satisfying
    return np.where(both, as_good & better, lacking[:, None] < lacking)


def front_ranks(dominates: BoolArray) -> IndexArray:
    """(n,) the number of each member's front, 0 that of the undominated ones, by `dominating`."""
    ranks = np.full(len(dominates), -1, dtype=np.intp)
    above = dominates.sum(axis=0)
    rank = 0
    while len(front := np.flatnonzero((above == 0) & (ranks < 0))):
        ranks[front] = rank
        above = above - dominates[front].sum(axis=0)
        rank += 1
    return ranks
