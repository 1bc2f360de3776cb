"""Points that fill a domain evenly, by which averages over it are taken.

Notation: D coordinates, n points.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import qmc

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import LEAST_SHARE

# Of feasible points so many more are made than the share of the domain that is feasible asks for.
MORE = 1.5


def at_positions(uniform: FloatArray, domain: Domain) -> FloatArray:
    """(n, D) uniform numbers to points of the domain's box: every position of a discrete one as likely."""
    points = uniform.copy()
    for i, coordinate in enumerate(domain.coordinates):
        if coordinate.positions:
            count = len(coordinate.positions)
            points[:, i] = coordinate.grid[np.minimum((uniform[:, i] * count).astype(int), count - 1)]
        elif coordinate.whole is not None:
            points[:, i] = coordinate.whole.snap(uniform[:, i])
    return points


def even_points(domain: Domain, count: int, rng: np.random.Generator) -> FloatArray:
    """(count, D) feasible points: of a scrambled Sobol sequence, or drawn where next to nothing of the domain
    is feasible. Some are the same where it has few.
    """
    if domain.share >= LEAST_SHARE:
        enough = math.ceil(math.log2(count if domain.ties is None else MORE * count / domain.share))
        points = domain.folded(
            at_positions(qmc.Sobol(domain.dimension, seed=rng).random_base2(enough), domain)
        )
        points = points[domain.feasible(points)][:count]
        if len(points) == count:
            return points
    return domain.sample(count, rng)
