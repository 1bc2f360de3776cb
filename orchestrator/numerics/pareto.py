"""What several values traded off against each other leave undominated, all of them maximised.

Notation: M objectives, n points, K boxes; a point dominates another that is nowhere better and somewhere
worse. r the reference: what is not above it in every objective is worth nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def non_dominated(values: FloatArray) -> NDArray[np.bool_]:
    """(n,) which of (n, M) finite values no other one dominates; of equal ones, the first. O(n^2 M)."""
    kept = np.ones(len(values), dtype=bool)
    for i, own in enumerate(values):
        if kept[i]:
            beaten = (values <= own).all(axis=1)
            beaten[i] = False
            equal = (values[:i] == own).all(axis=1)
            kept &= ~beaten
            kept[i] = not equal.any()
    return kept


def undominated_boxes(front: FloatArray, reference: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(K, M) lower and (K, M) upper corners, perhaps infinite, of boxes without overlap, which together are
    what lies above the (M,) reference and is not dominated by the (n, M) front.

    K is n + 1 of two objectives, and O(n^(M - 1)) of more. Source: the sweep of Couckuyt et al. 2014, by the
    last objective.
    """
    M = len(reference)
    front = front[(front > reference).all(axis=1)]
    if M == 1:
        least = max(float(reference[0]), float(front.max())) if len(front) else float(reference[0])
        return np.array([[least]]), np.array([[np.inf]])
    order = np.argsort(-front[:, -1], kind="stable")
    heights = np.concatenate([[np.inf], front[order, -1], reference[-1:]])
    lower, upper = [], []
    for k in range(len(front) + 1):
        if heights[k] == heights[k + 1]:
            continue
        # In this slab the first k points dominate what they do in the other objectives.
        others = front[order[:k], :-1]
        below, above = undominated_boxes(others[non_dominated(others)], reference[:-1])
        lower.append(np.column_stack([below, np.full(len(below), heights[k + 1])]))
        upper.append(np.column_stack([above, np.full(len(above), heights[k])]))
    return np.vstack(lower), np.vstack(upper)


def hypervolume(front: FloatArray, reference: FloatArray) -> float:
    """The volume that a (n, M) front dominates above the (M,) reference."""
    front = front[(front > reference).all(axis=1)]
    if len(front) == 0:
        return 0.0
    if front.shape[1] == 1:
        return float(front.max() - reference[0])
    order = np.argsort(-front[:, -1], kind="stable")
    heights = np.append(front[order, -1], reference[-1])
    volume = 0.0
    for k in range(1, len(order) + 1):
        if heights[k - 1] > heights[k]:
            others = front[order[:k], :-1]
            others = others[non_dominated(others)]
            volume += float(heights[k - 1] - heights[k]) * hypervolume(others, reference[:-1])
    return volume


def inferred_reference(front: FloatArray, spread: FloatArray) -> FloatArray:
    """(M,) the reference of a (n, M) front, n >= 1: below the worst of it by a share of its range, or of the
    (M,) ``spread`` where all of it is alike.

    The share is 1 / H, where n points lie evenly on a plane front with H + 1 along an edge: then the inner
    ones are worth as much as those at its ends. Source: Ishibuchi et al. 2018, Section 3.
    """
    worst, best = front.min(axis=0), front.max(axis=0)
    along = np.where(best > worst, best - worst, spread)
    return np.asarray(worst - along / _divisions(len(front), front.shape[1]))


LEAST_SHARE = 0.1
"""What extends a long front beyond its ends is worth something still: the usual 1.1 times its range."""


def _divisions(count: int, objectives: int) -> int:
    """H, at most 1 / `LEAST_SHARE`: the most divisions of which an even plane front has no more points."""
    divisions, points = 1, objectives
    while divisions < round(1.0 / LEAST_SHARE):
        # (H + M - 1 choose M - 1), one division more.
        points = points * (divisions + objectives) // (divisions + 1)
        if points > count:
            break
        divisions += 1
    return divisions
