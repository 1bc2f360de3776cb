"""Maximisers where parameters do not always count: each branch is climbed, in what counts there."""

import itertools

import numpy as np
import pytest
from acquisition_surfaces import drawn

from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.maximisers.climbs.coordinate_moves import Sweep, changed_in_a_few
from orchestrator.maximisers.climbs.drawn_maxima import maxima
from orchestrator.maximisers.climbs.multistart import anything, maximise
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

BRANCHES = Space.from_description(
    {
        "kind": {"type": "choice", "values": ["a", "b", "c"]},
        "x": {"type": "float", "bounds": [0, 1], "when": {"kind": ["a", "b"]}},
        "y": {"type": "float", "bounds": [0, 1], "when": {"kind": "a"}},
        "n": {"type": "int", "bounds": [1, 6], "when": {"kind": "c"}},
    }
)
DOMAIN = BRANCHES.domain
SHARED = Space.from_description(
    {
        "share": {"type": "float", "bounds": [0, 1]},
        "rest": {"type": "float", "bounds": [0, 1], "when": "share < 0.5"},
    }
).domain


def everywhere(domain: Domain, steps: int = 80) -> np.ndarray:
    axes = [c.positions or np.linspace(0, 1, steps) for c in domain.coordinates]
    return np.unique(domain.folded(np.array(list(itertools.product(*axes)))), axis=0)


@pytest.mark.parametrize("seed", range(8))
def test_gradients_are_those_of_finite_differences_and_none_along_what_does_not_count(seed: int) -> None:
    objective, step = drawn(DOMAIN, seed), 1e-6
    points = np.random.default_rng(seed).random((40, 4))
    _, gradients = objective.values_and_gradients(points)
    for j in (1, 2):
        aside = np.eye(4)[j] * step
        slopes = (objective.values(points + aside) - objective.values(points - aside)) / (2 * step)
        assert np.allclose(gradients[:, j], slopes, atol=1e-6)
    assert (gradients[~DOMAIN.active(points)] == 0.0).all()


@pytest.mark.parametrize("seed", range(8))
def test_the_highest_point_of_all_branches_is_found(seed: int) -> None:
    objective = drawn(DOMAIN, seed)
    found = maximise(objective, DOMAIN, np.empty((0, 4)), anything, np.random.default_rng(0))
    assert found.value >= objective.values(everywhere(DOMAIN)).max() - 1e-3
    assert np.array_equal(DOMAIN.snap(found.point), found.point)
    assert objective.values(found.point[None, :])[0] == pytest.approx(found.value)


@pytest.mark.parametrize("seed", range(8))
def test_so_it_is_where_a_continuous_parameter_decides_what_counts(seed: int) -> None:
    objective = drawn(SHARED, seed)
    found = maximise(objective, SHARED, np.empty((0, 2)), anything, np.random.default_rng(0))
    assert found.value >= objective.values(everywhere(SHARED, 300)).max() - 1e-3
    assert np.array_equal(SHARED.snap(found.point), found.point)


@pytest.mark.parametrize("seed", range(4))
def test_the_maxima_of_drawn_functions_are_of_points_that_there_are(seed: int) -> None:
    class One:
        """A single function, as several that were drawn."""

        def values(self, X: np.ndarray) -> np.ndarray:
            return objective.function.values(X)[None, :]

        def values_and_gradients(self, X: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            assert (which == 0).all()
            return objective.function.values_and_gradients(X)

    objective = drawn(DOMAIN, seed)
    sampled = DOMAIN.sample(200, np.random.default_rng(seed))
    (highest,) = maxima(One(), DOMAIN, [sampled])
    assert objective.values(sampled).max() <= highest <= objective.values(everywhere(DOMAIN)).max() + 1e-3


def test_a_box_reaches_into_other_branches_about_where_their_parameters_rest() -> None:
    box = Box.about(DOMAIN, BRANCHES.encode({"kind": "c", "n": 2}), np.full(4, 0.15))
    others = [{"kind": "a", "x": 0.6, "y": 0.4}, {"kind": "b", "x": 0.6}, {"kind": "b", "x": 0.9}]
    assert box.contains(np.array([BRANCHES.encode(one) for one in others])).tolist() == [True, True, False]
    narrow = Box.about(DOMAIN, BRANCHES.encode({"kind": "a", "x": 0.1, "y": 0.9}), np.full(4, 0.15))
    others = [{"kind": "b", "x": 0.1}, {"kind": "b", "x": 0.5}, {"kind": "c", "n": 4}, {"kind": "c", "n": 6}]
    found = narrow.contains(np.array([BRANCHES.encode(one) for one in others]))
    assert found.tolist() == [True, False, True, False]


@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_a_box_is_found_in_whichever_branch_it_lies(seed: int) -> None:
    objective = drawn(DOMAIN, seed)
    centre = DOMAIN.sample(1, np.random.default_rng(seed))[0]
    box = Box.about(DOMAIN, centre, np.full(4, 0.2))
    points = everywhere(DOMAIN)
    best = objective.values(points[box.contains(points)]).max()
    found = box.maximise(objective, centre[None, :], anything, np.random.default_rng(0))
    assert objective.values(found[None, :])[0] >= best - 1e-3
    assert np.array_equal(DOMAIN.folded(found), found)


def test_a_box_of_choices_alone_has_each_distinct_point_once() -> None:
    space = Space.from_description(
        {
            "kind": {"type": "choice", "values": ["a", "b"]},
            "m": {"type": "choice", "values": [1, 2, 3], "when": {"kind": "a"}},
        }
    )
    box = Box.about(space.domain, space.encode({"kind": "b"}), np.full(2, 1.0))
    assert box.size == len(box.all()) == 4


def test_moves_along_coordinates_and_mixed_points_rest_where_they_should() -> None:
    objective, rng = drawn(DOMAIN, 1), np.random.default_rng(0)
    start = DOMAIN.sample(1, rng)[0]
    moved = Sweep().improve(objective.values, DOMAIN, start, rng)
    assert np.array_equal(DOMAIN.folded(moved), moved)
    assert objective.values(moved[None, :])[0] >= objective.values(start[None, :])[0]
    mixed = changed_in_a_few(DOMAIN, DOMAIN.sample(5, rng), 200, rng)
    assert np.array_equal(DOMAIN.folded(mixed), mixed)
