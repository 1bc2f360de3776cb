"""What several values traded off against each other leave undominated, all of them maximised.

Notation: M objectives, n points, K boxes; a point dominates another that is nowhere better and somewhere
worse. r the reference: what is not above it in every objective is worth nothing.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray


def non_dominated(values: FloatArray) -> BoolArray:
    """(n,) which of (n, M) finite values no other one dominates; of equal ones, the first. O(n^2 M)."""
    n = len(values)
    # Whoever is at least as good in all objectives, column by column: (n, n) of the other and the own.
    as_good = np.ones((n, n), dtype=bool)
    for column in values.T:
        as_good &= column[:, None] >= column
    # Of two that are as good as each other, the first stands.
    as_good &= ~as_good.T | np.triu(np.ones((n, n), dtype=bool), 1)
    return np.asarray(~as_good.any(axis=0))


def undominated_boxes(front: FloatArray, reference: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(K, M) lower and (K, M) upper corners, perhaps infinite, of boxes without overlap, which together are
    what lies above the (M,) reference and is not dominated by the (n, M) front.

    K is n + 1 of two objectives and 2n + 1 of three. Source: the sweep by the last objective is that of
    Yang et al. 2019, Section 4.
    """
    M = len(reference)
    front = front[(front > reference).all(axis=1)]
    if M == 1:
        least = max(float(reference[0]), float(front.max())) if len(front) else float(reference[0])
        return np.array([[least]]), np.array([[np.inf]])
    order = np.argsort(-front[:, -1], kind="stable")
    heights = np.concatenate([[np.inf], front[order, -1], reference[-1:]])
    if M == 2:
        return _stairs(np.append(reference[0], front[order, 0]), heights)
    # What a box is in the other objectives, and the height from which it has been one so far.
    tops: dict[bytes, float] = {}
    boxes: list[tuple[bytes, float, float]] = []
    for k in range(len(front) + 1):
        if heights[k] == heights[k + 1]:
            continue
        # Below this height the first k points dominate what they do in the other objectives.
        others = front[order[:k], :-1]
        lower, upper = undominated_boxes(others[non_dominated(others)], reference[:-1])
        there = {box.tobytes() for box in np.hstack([lower, upper])}
        boxes += [(box, float(heights[k]), tops.pop(box)) for box in list(tops) if box not in there]
        tops = {box: tops.get(box, float(heights[k])) for box in sorted(there)}
    boxes += [(box, float(reference[-1]), top) for box, top in tops.items()]
    sides = np.array([np.frombuffer(box) for box, _, _ in boxes])
    bottoms, highest = (np.array([box[i] for box in boxes])[:, None] for i in (1, 2))
    return np.hstack([sides[:, : M - 1], bottoms]), np.hstack([sides[:, M - 1 :], highest])


def _stairs(sides: FloatArray, heights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`undominated_boxes` of two objectives: what the first n of a front reach in one of them, from the
    reference on, and between which (n + 2,) heights, descending. Those of more are made of very many.
    """
    reached = np.maximum.accumulate(sides)
    tall = heights[:-1] > heights[1:]
    reached, tops, bottoms = reached[tall], heights[:-1][tall], heights[1:][tall]
    begin = np.append(True, np.diff(reached) > 0.0)
    last = np.append(begin[1:], True)
    lower = np.column_stack([reached[begin], bottoms[last]])
    return lower, np.column_stack([np.full(len(lower), np.inf), tops[begin]])


def hypervolume(front: FloatArray, reference: FloatArray) -> float:
    """The volume that a (n, M) front dominates above the (M,) reference."""
    front = front[(front > reference).all(axis=1)]
    if len(front) == 0:
        return 0.0
    if front.shape[1] == 1:
        return float(front.max() - reference[0])
    order = np.argsort(-front[:, -1], kind="stable")
    heights = np.append(front[order, -1], reference[-1])
    if front.shape[1] == 2:
        widths = np.maximum.accumulate(front[order, 0]) - reference[0]
        return float((heights[:-1] - heights[1:]) @ widths)
    volume = 0.0
    for k in range(1, len(order) + 1):
        if heights[k - 1] > heights[k]:
            others = front[order[:k], :-1]
            others = others[non_dominated(others)]
            volume += float(heights[k - 1] - heights[k]) * hypervolume(others, reference[:-1])
    return volume
