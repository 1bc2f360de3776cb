"""Putting the best blocks of several points together: one factor's coordinates at a time are replaced.

A start of ADMM that agreed on a good block for one factor may have a poor one for another. The points are
told to the factors each its own part, so that it works wherever their nodes are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def improve_blocks(
    values_at: Callable[[FloatArray], FloatArray],
    blocks: Sequence[tuple[NDArray[np.intp], FloatArray]],
    points: FloatArray,
    values: FloatArray,
    sweeps: int,
) -> tuple[FloatArray, FloatArray, int]:
    """Better (k, D) points, their (k,) values, and the evaluations that took.

    ``blocks`` are coordinates (d,) with (m, d) feasible values for them. Each sweep goes through the blocks
    in order and takes the best replacement where it is better; it ends when a sweep changes nothing.
    """
    points, values = points.copy(), values.copy()
    k = len(points)
    evaluations = 0
    for _ in range(sweeps):
        changed = False
        for coordinates, pool in blocks:
            candidates = np.repeat(points, len(pool), axis=0)
            candidates[:, coordinates] = np.tile(pool, (k, 1))
            scores = values_at(candidates).reshape(k, len(pool))
            evaluations += len(candidates)
            best = scores.argmax(axis=1)
            reached = scores[np.arange(k), best]
            better = reached > values + 1e-12 * (1.0 + np.abs(values))
            if better.any():
                changed = True
                points[better] = candidates.reshape(k, len(pool), -1)[better, best[better]]
                values[better] = reached[better]
        if not changed:
            break
    return points, values, evaluations
