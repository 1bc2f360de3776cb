"""Points spread evenly over the part of a cube where linear inequalities hold, however small a part that is:
of ten shares that add up to one, a 362,880th.

From the centre of the largest ball that it has room for, walks are taken along lines whose ends are known
exactly (hit and run; R. L. Smith, Operations Research 32, 1984).

Notation: n points, C coordinates, m inequalities, A (m, C) and b (m,) with A x <= b.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orchestrator.arrays import FloatArray

STEPS, STEPS_PER_COORDINATE = 100, 60
"""Of a walk: enough to forget where it began."""
TESTED = 16
"""Points at which a function is compared with what is linear."""
LINEAR = 1e-9
"""By how much of its size a function may be off what is linear."""
SEEN = (1e-7, 1e14)
"""Sizes of inequalities that a linear program sees: smaller ones are to it as good as met, or 0."""
LEAST_RADIUS = 1e-9
"""Of a ball: where there is room for none as large, there is next to none."""


def linear_parts(
    gaps: Callable[[FloatArray], FloatArray], count: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """A and b of those of m functions of (n, ``count``) points in the unit cube, (n, m), that are linear, by
    what they are at some that are drawn: they are at most 0 where A x <= b.
    """
    ends = gaps(np.vstack([np.zeros(count), np.eye(count)]))
    at_zero, slopes = ends[0], ends[1:] - ends[0]
    points = rng.random((TESTED, count))
    size = np.abs(ends).max(axis=0)
    off = np.abs(gaps(points) - (at_zero + points @ slopes)).max(axis=0)
    linear = np.isfinite(off) & (off <= LINEAR * np.maximum(size, 1e-300))
    return slopes.T[linear], -at_zero[linear]


def even_points_within(A: FloatArray, b: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """(``count``, C) points of the unit cube, independent and uniform where A x <= b; none where nothing, or
    next to nothing, does.
    """
    C = A.shape[1]
    A, b = _seen(A, b)
    centre = _centre(A, b)
    if centre is None:
        return np.empty((0, C))
    points = np.tile(centre, (count, 1))
    for _ in range(STEPS + STEPS_PER_COORDINATE * C):
        directions = rng.standard_normal((count, C))
        along = directions @ A.T
        left = np.maximum(b - points @ A.T, 0.0)
        onwards, back = _to_the_sides(points, directions)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = left / along
        high = np.minimum(onwards, np.where(along > 0.0, reach, np.inf).min(axis=1, initial=np.inf))
        low = np.maximum(-back, np.where(along < 0.0, reach, -np.inf).max(axis=1, initial=-np.inf))
        points = points + (low + (high - low) * rng.random(count))[:, None] * directions
    return np.clip(points, 0.0, 1.0)


def _to_the_sides(points: FloatArray, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(n,) how many of their directions points can go before they leave the cube, and as many backwards."""
    to_one, to_zero = np.maximum(1.0 - points, 0.0), np.maximum(points, 0.0)
    forwards, size = directions > 0.0, np.abs(directions)
    with np.errstate(divide="ignore", invalid="ignore"):
        onwards = np.where(forwards, to_one, to_zero) / size
        back = np.where(forwards, to_zero, to_one) / size
    # Without what a direction does not move, of which nothing is left: 0 / 0.
    return np.fmin.reduce(onwards, axis=1), np.fmin.reduce(back, axis=1)


def has_room(A: FloatArray, b: FloatArray) -> bool:
    """Whether a ball of any size to speak of fits into the part of the unit cube where A x <= b."""
    return _centre(*_seen(A, b)) is not None


def _seen(A: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same, of sizes that a linear program sees, whatever units parameters are in."""
    sizes = np.abs(A).max(axis=1, initial=0.0)
    seen = (sizes >= SEEN[0]) & (sizes <= SEEN[1]) | (sizes == 0.0)
    # Halvings round nothing.
    halvings = np.where(seen, 0, np.frexp(sizes)[1])
    return np.ldexp(A, -halvings[:, None]), np.ldexp(b, -halvings)


def _centre(A: FloatArray, b: FloatArray) -> FloatArray | None:
    """(C,) that of the largest ball within them and the cube, or None where there is no room."""
    # Imported where it is needed: few regions are such.
    from scipy.optimize import linprog

    C = A.shape[1]
    A, b = np.vstack([A, np.eye(C), -np.eye(C)]), np.concatenate([b, np.ones(C), np.zeros(C)])
    norms = np.linalg.norm(A, axis=1)
    found = linprog(
        np.append(np.zeros(C), -1.0),
        A_ub=np.column_stack([A, norms]),
        b_ub=b,
        bounds=[(None, None)] * C + [(0.0, None)],
        method="highs",
    )
    if found.status != 0 or found.x[-1] < LEAST_RADIUS:
        return None
    return np.asarray(found.x[:-1])
