"""The way back from points of a domain to numbers that fill the unit cube evenly.

Notation: k points, D coordinates.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


def numbers_of(points: FloatArray, domain: Domain, rng: np.random.Generator) -> FloatArray:
    """(k, D) some of the numbers that `Domain.spread` turns into (k, D) points."""
    uniform = points.copy()
    for j, coordinate in enumerate(domain.coordinates):
        if coordinate.positions:
            ends, cell = coordinate.ends, _cells(coordinate, points[:, j])
            uniform[:, j] = ends[cell] + rng.random(len(points)) * (ends[cell + 1] - ends[cell])
    return uniform


def with_described_in_order(points: FloatArray, domain: Domain) -> FloatArray:
    """(k, D) points as they are, but for what is described, whose values `Domain.spread` has in an order of
    their own: the middle of the numbers of each.
    """
    numbers = points.copy()
    for j, coordinate in enumerate(domain.coordinates):
        if coordinate.descriptors is not None:
            ends, cell = coordinate.ends, _cells(coordinate, points[:, j])
            numbers[:, j] = (ends[cell] + ends[cell + 1]) / 2.0
    return numbers


def _cells(coordinate: Coordinate, positions: FloatArray) -> IndexArray:
    cell = np.searchsorted(coordinate.middles, positions)
    if coordinate.descriptors is None:
        return cell
    return np.asarray(np.argsort(coordinate.descriptors.order)[cell])
