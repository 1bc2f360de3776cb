"""After how many steps the pieces of a training end.

Notation: K pieces.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels

# What is written as a number of steps, and read again, is off by less.
NEAR = 1e-6


def rungs_of(domain: Domain, levels: Levels, pieces: int | None) -> FloatArray:
    """(K,) positions of the coordinate that says how many steps are done, the last of all steps. As many as
    ``pieces``, or fewer where it has fewer positions; None: all levels.
    """
    if pieces is None:
        return levels.positions
    points = np.zeros((pieces, domain.dimension))
    points[:, levels.coordinate] = np.linspace(0.0, 1.0, pieces)
    found = np.unique(domain.rounded(points)[:, levels.coordinate])
    return found if found[-1] == levels.full else found[::-1].copy()


def rung_of(rungs: FloatArray, position: float) -> int | None:
    """The number, from 0 on, of the piece that ends at a position; None if none does."""
    nearest = int(np.abs(rungs - position).argmin())
    return nearest if abs(float(rungs[nearest]) - position) < NEAR else None
