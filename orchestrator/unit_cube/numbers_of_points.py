"""The way back from points of a domain to numbers that fill the unit cube evenly.

Notation: k points, D coordinates.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


def numbers_of(points: FloatArray, domain: Domain, rng: np.random.Generator) -> FloatArray:
    """(k, D) some of the numbers that `Domain.spread` turns into (k, D) points."""
    uniform = points.copy()
    for j, coordinate in enumerate(domain.coordinates):
        if not coordinate.positions:
            continue
        ends, cell = coordinate.ends, np.searchsorted(coordinate.middles, points[:, j])
        if coordinate.descriptors is not None:
            cell = np.argsort(coordinate.descriptors.order)[cell]
        uniform[:, j] = ends[cell] + rng.random(len(points)) * (ends[cell + 1] - ends[cell])
    return uniform
