"""Points by which averages over a domain are taken: feasible, and as many of each kind as there should be."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points

COUNT = 256


def points_of(domain: Domain, count: int = COUNT) -> np.ndarray:
    return even_points(domain, count, np.random.default_rng(0))


def test_averages_are_nearer_than_those_of_points_drawn() -> None:
    def average(points: np.ndarray) -> float:
        return float(np.prod(1.0 + (points - 0.5), axis=1).mean())

    domain = Domain.continuous(4)
    drawn = [abs(average(domain.sample(COUNT, np.random.default_rng(s))) - 1.0) for s in range(9)]
    assert abs(average(points_of(domain)) - 1.0) < 0.3 * np.median(drawn)


def test_every_position_is_met_as_often() -> None:
    described = {
        "skin": {"type": "choice", "values": ["a", "b", "c"]},
        "ribs": {"type": "int", "bounds": [1, 4]},
    }
    for column, positions in zip(points_of(Space.from_description(described).domain).T, (3, 4), strict=True):
        _, counts = np.unique(column, return_counts=True)
        assert len(counts) == positions
        assert np.ptp(counts) <= 2


def test_what_does_not_count_rests_and_its_branch_keeps_its_share() -> None:
    described = {
        "solver": {"type": "choice", "values": ["direct", "cg"]},
        "tolerance": {"type": "float", "bounds": [0, 1], "when": {"solver": "cg"}},
    }
    domain = Space.from_description(described).domain
    points = points_of(domain)
    np.testing.assert_array_equal(points, domain.folded(points))
    assert np.unique(points[:, 1][points[:, 0] == points[:, 0].min()]).size == 1
    assert domain.active(points)[:, 1].mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("constraint", ["x + y <= 0.9", "x + y <= 0.02"])
def test_all_of_them_keep_to_constraints_however_little_is_left(constraint: str) -> None:
    domain = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)}, [constraint]).domain
    points = points_of(domain)
    assert points.shape == (COUNT, 2)
    assert domain.feasible(points).all()
    assert len(np.unique(points, axis=0)) == COUNT


def test_what_is_held_stays_and_the_rest_fills_its_part() -> None:
    points = points_of(Domain.continuous(2).holding({0: 0.3}), 100)
    assert points.shape == (100, 2)
    assert (points[:, 0] == 0.3).all()
    assert np.ptp(points[:, 1]) > 0.9
