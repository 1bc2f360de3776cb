"""What several values traded off against each other leave undominated, all of them maximised.

Notation: M objectives, n points, K boxes; a point dominates another that is nowhere better and somewhere
worse. r the reference: what is not above it in every objective is worth nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter, neg
from struct import pack
from typing import TypeAlias

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray

_Box: TypeAlias = tuple[bytes, float, float]
"""What it is in all objectives but the last, its lower corner and then its upper one, and between which
heights of the last.
"""


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
    points = front[order]
    boxes = _over_three(points, reference) if M == 3 else _over_more(points, reference)
    sides = np.array([np.frombuffer(box) for box, _, _ in boxes])
    bottoms, highest = (np.array([box[i] for box in boxes])[:, None] for i in (1, 2))
    return np.hstack([sides[:, : M - 1], bottoms]), np.hstack([sides[:, M - 1 :], highest])


def _over_more(points: FloatArray, reference: FloatArray) -> list[_Box]:
    """Of a front by its last objective, descending: what is dominated in the others grows point by point."""
    heights = np.concatenate([[np.inf], points[:, -1], reference[-1:]])
    # What a box is in the other objectives, and the height from which it has been one so far.
    tops: dict[bytes, float] = {}
    boxes: list[_Box] = []
    swept: FloatArray | None = None
    for k, others in enumerate(_fronts_so_far(points[:, :-1])):
        if heights[k] == heights[k + 1] or others is swept:
            continue
        swept = others
        lower, upper = undominated_boxes(others, reference[:-1])
        there = {box.tobytes() for box in np.hstack([lower, upper])}
        boxes += [(box, float(heights[k]), tops.pop(box)) for box in list(tops) if box not in there]
        tops = {box: tops.get(box, float(heights[k])) for box in sorted(there)}
    return boxes + [(box, float(reference[-1]), top) for box, top in tops.items()]


def _over_three(points: FloatArray, reference: FloatArray) -> list[_Box]:
    """The same of three objectives, whose stairs in the first two change about the new point alone."""
    least_x, least_y, least = reference.tolist()
    # Where steps end: ascending by the first, descending by the second, between what nothing goes beyond.
    xs, ys = [least_x, np.inf], [np.inf, least_y]
    tops = {_strip(least_x, least_y, np.inf): np.inf}
    boxes: list[_Box] = []
    for height, level in groupby(points.tolist(), key=itemgetter(2)):
        closed: dict[bytes, float] = {}
        for x, y, _ in level:
            end = bisect_right(xs, x)
            if ys[end] >= y or (xs[end - 1] == x and ys[end - 1] >= y):
                continue
            # From here on up to the end the point is at least as good in both.
            first = bisect_left(ys, -y, 1, end, key=neg)
            for i in range(first, end + 1):
                strip = _strip(xs[i - 1], ys[i], ys[i - 1])
                closed[strip] = tops.pop(strip)
            xs[first:end], ys[first:end] = [x], [y]
            for i in (first, first + 1):
                strip = _strip(xs[i - 1], ys[i], ys[i - 1])
                tops[strip] = closed.pop(strip, height)
        # What began at this height as well is no box.
        boxes += [(strip, height, top) for strip, top in sorted(closed.items()) if top > height]
    return boxes + [(strip, least, top) for strip, top in sorted(tops.items())]


def _strip(x: float, bottom: float, top: float) -> bytes:
    """The box of two objectives that is above x in the first, and between two heights of the second."""
    return pack("=4d", x, bottom, np.inf, top)


def _fronts_so_far(points: FloatArray) -> Iterator[FloatArray]:
    """What the first k of (n, M) points leave undominated, in their order, for k from 0 to n: the same array
    as before where one more changes nothing, which is so of most. O(n F M) of F on the fronts.
    """
    front = points[:0]
    yield front
    for point in points:
        if not (front >= point).all(axis=1).any():
            front = np.vstack([front[(front > point).any(axis=1)], point])
        yield front


def _stairs(sides: FloatArray, heights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`undominated_boxes` of two objectives: what the first n of a front reach in one of them, from the
    reference on, and between which (n + 2,) heights, descending.
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
