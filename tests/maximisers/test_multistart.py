"""The maximiser against exhaustive search on continuous, discrete and mixed domains, and round exclusions."""

import itertools

import numpy as np
import pytest
from acquisition_surfaces import drawn

from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

MIXED = Space.from_description(
    {
        "x": (0.0, 1.0),
        "n": {"type": "int", "bounds": [1, 9]},
        "c": {"type": "choice", "values": ["a", "b", "c"]},
    }
).domain


def everything(points):
    return np.ones(len(points), dtype=bool)


def no_incumbents(domain: Domain) -> np.ndarray:
    return np.empty((0, domain.dimension))


@pytest.mark.parametrize("seed", range(8))
def test_a_rough_surface_in_two_dimensions_is_climbed_to_its_highest_top(seed):
    domain = Domain.continuous(2)
    objective = drawn(domain, seed, 0.15)
    axis = np.linspace(0, 1, 150)
    grid = np.array(list(itertools.product(axis, axis)))
    found = maximise(objective, domain, no_incumbents(domain), everything, np.random.default_rng(0))
    assert found.value >= objective.values(grid).max() - 1e-3
    assert objective.values(found.point[None, :])[0] == pytest.approx(found.value)


@pytest.mark.parametrize("seed", range(8))
def test_a_mixed_domain_is_searched_as_well_as_by_hand(seed):
    objective = drawn(MIXED, seed)
    n, c = MIXED.coordinates[1].positions, MIXED.coordinates[2].positions
    grid = np.array(list(itertools.product(np.linspace(0, 1, 300), n, c)))
    found = maximise(objective, MIXED, no_incumbents(MIXED), everything, np.random.default_rng(0))
    assert found.value >= objective.values(grid).max() - 1e-3
    assert np.array_equal(MIXED.snap(found.point), found.point)


def test_a_discrete_domain_is_searched_without_gradients():
    domain = Domain((Coordinate("ordinal", tuple(np.linspace(0.01, 0.99, 40))),) * 3)
    objective = drawn(domain, 3)
    grid = np.array(list(itertools.product(domain.coordinates[0].positions, repeat=3)))
    found = maximise(objective, domain, no_incumbents(domain), everything, np.random.default_rng(0))
    assert found.value == pytest.approx(objective.values(grid).max())


@pytest.mark.parametrize("seed", range(8))
def test_whole_numbers_that_are_not_listed_are_compared_where_they_lie(seed):
    space = Space.from_description(
        {"x": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 5000], "scale": "log"}}
    )
    domain, n = space.domain, space.parameters[1]
    objective = drawn(domain, seed, 0.05)
    places = [n.encode(value) for value in range(1, 5001, 1) if value < 100 or value % 10 == 0]
    grid = np.array(list(itertools.product(np.linspace(0, 1, 100), places)))
    incumbents = grid[np.argsort(-objective.values(grid))[:1]]
    found = maximise(objective, domain, incumbents, everything, np.random.default_rng(0))
    assert found.value >= objective.values(grid).max() - 1e-6
    assert found.point[1] == n.encode(n.decode(found.point[1]))
    assert objective.values(found.point[None, :])[0] == pytest.approx(found.value)


def test_an_incumbent_in_a_narrow_peak_is_not_lost():
    class Peak:
        def values(self, X):
            return np.exp(-((X - 0.123) ** 2).sum(axis=1) / (2 * 0.004**2))

        def values_and_gradients(self, X):
            values = self.values(X)
            return values, -(X - 0.123) / 0.004**2 * values[:, None]

    near = np.full((1, 5), 0.126)
    found = maximise(Peak(), Domain.continuous(5), near, everything, np.random.default_rng(0))
    assert np.allclose(found.point, 0.123, atol=1e-3)


def test_where_the_best_point_is_refused_a_near_one_is_next():
    class Slope:
        def values(self, X):
            return X.sum(axis=1)

        def values_and_gradients(self, X):
            return self.values(X), np.ones(X.shape)

    domain = Domain.continuous(3)

    def not_the_corner(points):
        return (points < 1).any(axis=1)

    found = maximise(Slope(), domain, no_incumbents(domain), not_the_corner, np.random.default_rng(0))
    assert (found.point < 1).any()
    assert found.value > 2.95


def test_the_second_best_of_a_discrete_domain_follows_the_best():
    domain = Domain((Coordinate("ordinal", (0.25, 0.5, 0.75)), Coordinate("categorical", (0.25, 0.75))))
    objective = drawn(domain, 1)
    grid = np.array(list(itertools.product((0.25, 0.5, 0.75), (0.25, 0.75))))
    ranked = grid[np.argsort(-objective.values(grid))]
    refused: list[np.ndarray] = []

    def allows(points):
        return np.array([not any(np.array_equal(p, r) for r in refused) for p in points])

    for expected in ranked:
        found = maximise(objective, domain, no_incumbents(domain), allows, np.random.default_rng(0))
        assert np.array_equal(found.point, expected)
        refused.append(found.point)
    assert maximise(objective, domain, no_incumbents(domain), allows, np.random.default_rng(0)) is None


def test_an_objective_that_is_nowhere_finite_still_gets_an_answer():
    class Broken:
        def values(self, X):
            return np.full(len(X), np.nan)

        def values_and_gradients(self, X):
            return self.values(X), np.full(X.shape, np.nan)

    found = maximise(Broken(), MIXED, no_incumbents(MIXED), everything, np.random.default_rng(0))
    assert np.array_equal(MIXED.snap(found.point), found.point)


def test_the_same_stream_gives_the_same_maximum_to_the_bit():
    objective = drawn(MIXED, 5)
    first, second = (
        maximise(objective, MIXED, no_incumbents(MIXED), everything, np.random.default_rng(9)) for _ in "ab"
    )
    assert np.array_equal(first.point, second.point)
    assert first.value == second.value


def test_of_very_many_neighbours_a_part_is_looked_at_and_leads_as_high():
    asked = []

    class Tables:
        """A sum of one table for each of eight choices of 300 values, the highest of which add up to 8."""

        heights = np.linspace(0.0, 1.0, 300)[(np.arange(300) * 7) % 300]

        def values(self, X):
            asked.append(len(X))
            return self.heights[np.floor(X * 300).astype(int)].sum(axis=1)

        def values_and_gradients(self, X):
            return self.values(X), np.zeros(X.shape)

    choice = Coordinate("categorical", tuple((np.arange(300) + 0.5) / 300))
    domain = Domain((choice,) * 8)
    found = maximise(Tables(), domain, no_incumbents(domain), everything, np.random.default_rng(0))
    assert sum(asked) < 30_000, "12 moves of four points are 115,000 to all neighbours"
    assert found.value > 7.9
