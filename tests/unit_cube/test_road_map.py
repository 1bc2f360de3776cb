"""A way round what constraints forbid: the shortest that is found, counted right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.road_map import next_stop

START, TARGET = np.array([0.3, 0.1]), np.array([0.7, 0.2])
STRIDE = np.array([0.1, 0.1])


@dataclass(frozen=True)
class _Wall:
    """From the floor up to 0.7, between 0.45 and 0.55."""

    named: BoolArray
    known: FloatArray
    known_evenly: bool = False
    subsets: None = None

    def hold(self, points: FloatArray) -> BoolArray:
        return np.asarray(self.gaps(points)[:, 0] <= 0.0)

    def gaps(self, points: FloatArray) -> FloatArray:
        across = np.minimum(points[:, 0] - 0.45, 0.55 - points[:, 0])
        return np.minimum(across, 0.7 - points[:, 1])[:, None]


@dataclass(frozen=True)
class _Known(Domain):
    """A domain whose random points are these."""

    drawn: tuple[tuple[float, float], ...] = ()

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        del n, rng
        return np.array(self.drawn)


def test_a_way_by_the_nearest_of_many_points_is_no_longer_than_it_is() -> None:
    """Nine points lie at the wall's corner, so that the start is not among the nearest of any of them, but
    each of them among its own. Round the corner it is 12 strides, over the top 16.
    """
    corner = [(0.45 - 0.001 * k, 0.71) for k in range(9)]
    behind, top = (0.56, 0.705), (0.5, 0.95)
    wall = _Wall(np.ones(2, dtype=bool), np.empty((0, 2)))
    domain = _Known((Coordinate(), Coordinate()), wall, drawn=(*corner, behind, top))

    stop = next_stop(domain, START, TARGET, STRIDE)

    assert stop is not None
    assert tuple(stop) in corner
