"""How wide a search stays along coordinates of which only some positions are possible.

Once the distribution were narrower than the cell of one position, all its points would be that one, and it
would never leave it.

Source: Hamano et al. 2022, "CMA-ES with margin"; here the deviation is held up, and the mean is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from orchestrator.algorithms.evolution.search_distribution import SearchDistribution
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate


def least_chance(population: int, dimension: int) -> float:
    """That a coordinate of a point is another one than most have: of a generation's points one in all."""
    return 1.0 / (population * max(dimension, 1))


def least_deviations(coordinates: Sequence[Coordinate], mean: FloatArray, chance: float) -> FloatArray:
    """(n,) with which a normal number about the mean is in another cell with that chance at least (in the
    first and the last cell, half of it); 0 where there are no cells.
    """
    quantile = float(ndtri(1.0 - chance / 2.0))
    halves = [_half_a_cell(one, float(at)) for one, at in zip(coordinates, mean, strict=True)]
    return np.array(halves, dtype=float) / quantile


def held_up(distribution: SearchDistribution, least: FloatArray) -> SearchDistribution:
    """The same, stretched along coordinates until no deviation is below the (n,) least ones."""
    stretch = np.maximum(1.0, least / distribution.deviations)
    if (stretch == 1.0).all():
        return distribution
    return replace(distribution, covariance=distribution.covariance * np.outer(stretch, stretch))


def _half_a_cell(coordinate: Coordinate, at: float) -> float:
    if coordinate.whole is not None:
        value = coordinate.whole.at(at)
        position = coordinate.whole.position(value)
        ends = [coordinate.whole.edge(value), coordinate.whole.edge(value + 1)]
    elif len(coordinate.positions) > 1:
        nearest = coordinate.nearest(at)
        position = coordinate.positions[nearest]
        ends = [float(end) for end in coordinate.middles[max(nearest - 1, 0) : nearest + 1]]
    else:
        return 0.0
    return max(abs(end - position) for end in ends)
