"""Changing one discrete coordinate at a time, for several points at once.

The points are told to the factors one coordinate's alternatives at a time, each factor its own part, so that
it works wherever the factors' nodes are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


def improve_discrete(
    values_at: Callable[[FloatArray], FloatArray],
    domain: Domain,
    points: FloatArray,
    values: FloatArray,
    sweeps: int,
) -> tuple[FloatArray, FloatArray]:
    """Better (k, D) points and their (k,) values.

    Each sweep goes through the discrete coordinates in order and takes the best of `Domain.alternatives`
    where it is better; it ends when a sweep changes nothing.
    """
    points, values = points.copy(), values.copy()
    discrete = [int(j) for j in np.flatnonzero(domain.is_discrete)]
    for _ in range(sweeps):
        changed = False
        for j in discrete:
            groups = [domain.alternatives(point, j) for point in points]
            candidates = np.vstack(groups)
            if len(candidates) == 0:
                continue
            scores = values_at(candidates)
            start = 0
            for k, group in enumerate(groups):
                mine = scores[start : start + len(group)]
                start += len(group)
                if len(group) and mine.max() > values[k] + 1e-12 * (1.0 + abs(values[k])):
                    best = int(np.argmax(mine))
                    points[k], values[k] = group[best], mine[best]
                    changed = True
        if not changed:
            break
    return points, values
