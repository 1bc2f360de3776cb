"""Settings near others, at random.

Notation: D coordinates.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

# How far a coordinate moves, up or down.
STEP = 0.1
# The chance that one is drawn anew instead, as it may be of what has no order.
ANEW = 0.25


def perturbed(point: FloatArray, domain: Domain, rng: np.random.Generator) -> FloatArray:
    """A feasible (D,) point near another, of a ``domain`` in which what is to stay is held. Each coordinate
    moves up or down, by a position at least, or is drawn anew.
    """
    (drawn,) = domain.sample(1, rng)
    anew = rng.random(domain.dimension) < ANEW
    signs = rng.choice((-1.0, 1.0), domain.dimension)
    moved = point.copy()
    for j, coordinate in enumerate(domain.coordinates):
        if domain.is_held[j]:
            continue
        if anew[j]:
            moved[j] = drawn[j]
        elif domain.is_categorical[j]:
            continue
        elif coordinate.positions:
            at = int(np.abs(coordinate.grid - point[j]).argmin()) + int(signs[j])
            steps = round(STEP * len(coordinate.positions)) - 1
            at += int(signs[j]) * max(steps, 0)
            moved[j] = coordinate.grid[min(max(at, 0), len(coordinate.grid) - 1)]
        else:
            moved[j] = min(max(point[j] + signs[j] * STEP, 0.0), 1.0)
    return domain.snap(moved)
