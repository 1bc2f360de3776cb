"""Maximising over a box inside the domain."""

import numpy as np
import pytest

from orchestrator.maximisers.boxes.within_box import MOST_ENUMERATED, Box
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

CONTINUOUS = Domain.continuous(3)
MIXED = Domain(
    (
        Coordinate(),
        Coordinate("ordinal", tuple(np.linspace(0.0, 1.0, 11))),
        Coordinate("categorical", (0.0, 0.5, 1.0)),
    )
)


class Bowl:
    """Highest at a point."""

    def __init__(self, top):
        self.top = np.array(top)

    def values(self, X):
        return -((X - self.top) ** 2).sum(axis=1)

    def values_and_gradients(self, X):
        return self.values(X), -2.0 * (X - self.top)


def everything(points):
    return np.ones(len(points), dtype=bool)


def test_a_top_inside_is_found_and_one_outside_approached():
    box = Box.about(CONTINUOUS, np.full(3, 0.5), np.full(3, 0.1))
    rng = np.random.default_rng(0)
    inside = box.maximise(Bowl([0.45, 0.5, 0.58]), np.empty((0, 3)), everything, rng)
    np.testing.assert_allclose(inside, [0.45, 0.5, 0.58], atol=1e-4)
    outside = box.maximise(Bowl([0.9, 0.5, 0.5]), np.full((1, 3), 0.5), everything, rng)
    np.testing.assert_allclose(outside, [0.6, 0.5, 0.5], atol=1e-4)


def test_a_discrete_coordinate_reaches_its_neighbours_and_in_a_wide_box_a_category_all_others():
    box = Box.about(MIXED, np.array([0.5, 0.5, 0.0]), np.array([0.01, 0.01, 0.2]))
    found = box.maximise(Bowl([0.5, 0.6, 1.0]), np.empty((0, 3)), everything, np.random.default_rng(0))
    np.testing.assert_allclose(found, [0.5, 0.6, 1.0], atol=1e-3)
    assert np.array_equal(found, MIXED.snap(found))
    assert box.contains(np.array([[0.5, 0.4, 1.0]]))[0]
    assert not box.contains(np.array([[0.5, 0.3, 1.0]]))[0]


def test_in_a_narrow_box_a_category_stays():
    box = Box.about(MIXED, np.array([0.5, 0.5, 0.5]), np.full(3, 0.01))
    found = box.maximise(Bowl([0.503, 0.6, 1.0]), np.empty((0, 3)), everything, np.random.default_rng(0))
    np.testing.assert_allclose(found, [0.503, 0.6, 0.5], atol=1e-3)
    assert not box.contains(np.array([[0.5, 0.5, 1.0]]))[0]


def test_what_is_not_allowed_is_not_found():
    box = Box.about(MIXED, np.array([0.5, 0.5, 0.0]), np.array([0.05, 0.05, 0.2]))

    def not_the_top(points):
        return points[:, 2] != 1.0

    found = box.maximise(Bowl([0.5, 0.5, 1.0]), np.empty((0, 3)), not_the_top, np.random.default_rng(0))
    assert found is not None
    assert found[2] != 1.0
    none = box.maximise(Bowl([0.5] * 3), np.empty((0, 3)), lambda X: ~everything(X), np.random.default_rng(0))
    assert none is None


def test_at_the_edge_of_the_cube_the_box_ends_there():
    box = Box.about(CONTINUOUS, np.array([0.0, 1.0, 0.5]), np.full(3, 0.2))
    assert box.lower.min() == 0.0
    assert box.upper.max() == 1.0
    assert box.shrunk(box.stretched(np.array([0.1, 0.9, 0.6]))) == pytest.approx([0.1, 0.9, 0.6])


SWITCHES = Domain((Coordinate("ordinal", (0.0, 1.0)),) * 6)
CATEGORIES = Domain((Coordinate("categorical", (0.0, 0.25, 0.5, 0.75, 1.0)),) * 6)
CATEGORIES_AND_COUNTS = Domain(
    (*CATEGORIES.coordinates[:3], Coordinate("ordinal", (0.0, 0.25, 0.5, 0.75, 1.0)))
)


def test_a_switch_is_as_good_as_a_category_and_stays_while_others_move():
    box = Box.about(SWITCHES, np.zeros(6), np.full(6, 0.01))
    assert box.changes == 1
    assert box.contains(np.array([[0, 1.0, 0, 0, 0, 0], [0, 1.0, 0, 0, 1.0, 0]])).tolist() == [True, False]


@pytest.mark.parametrize(("half", "most"), [(0.2, 6), (0.1, 6), (0.05, 3), (0.03, 2), (0.001, 1)])
def test_where_nothing_is_continuous_the_narrower_a_box_the_fewer_categories_change_at_once(half, most):
    centre = np.full(6, 0.5)
    box = Box.about(CATEGORIES, centre, np.full(6, half))
    changed = np.tile(centre, (7, 1))
    changed[np.tril_indices(7, -1, 6)] = 0.25
    assert box.contains(changed).tolist() == [count <= most for count in range(7)]


FINITE = {"categories": CATEGORIES, "and counts": CATEGORIES_AND_COUNTS, "switches": SWITCHES}


@pytest.mark.parametrize("domain", FINITE.values(), ids=FINITE)
@pytest.mark.parametrize("half", [0.1, 0.06, 0.03, 0.01])
def test_the_points_of_a_box_are_all_there_each_once_and_as_many_as_it_says(domain, half):
    centre = domain.snap(np.full(domain.dimension, 0.5))
    box = Box.about(domain, centre, np.full(domain.dimension, half))
    points = box.all()
    assert len(points) == len(np.unique(points, axis=0)) == box.size
    assert box.contains(points).all()
    everywhere = domain.sample(2000, np.random.default_rng(0))
    inside = {tuple(point) for point in everywhere[box.contains(everywhere)]}
    assert inside <= {tuple(point) for point in points}


class Table:
    """Highest at one point; elsewhere the lower, the more coordinates differ from it."""

    def __init__(self, top):
        self.top = np.array(top)

    def values(self, X):
        return -(np.abs(X - self.top) > 1e-9).sum(axis=1).astype(float)

    def values_and_gradients(self, X):
        return self.values(X), np.zeros_like(X)


@pytest.mark.parametrize("half", [0.05, 0.02])
def test_the_best_within_reach_is_found_and_once_it_is_told_the_next_down_to_the_last(half):
    centre = np.full(6, 0.5)
    box = Box.about(CATEGORIES, centre, np.full(6, half))
    rng = np.random.default_rng(1)
    objective = Table([0.0, 0.25, 0.75, 1.0, 0.5, 0.5])
    found = box.maximise(objective, centre[None, :], everything, rng)
    assert box.changed(found[None, :])[0] == box.changes
    assert objective.values(found[None, :])[0] == box.changes - 4.0
    only = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.0])

    def only_the_last(points):
        return (points == only).all(axis=1)

    assert np.array_equal(box.maximise(objective, centre[None, :], only_the_last, rng), only)


def test_of_a_box_too_full_to_look_at_every_point_the_best_is_found_by_one_change_after_another():
    centre = np.full(6, 0.5)
    box = Box.about(CATEGORIES, centre, np.full(6, 0.07))
    assert box.size > MOST_ENUMERATED
    objective = Table([0.0, 0.25, 0.75, 1.0, 0.25, 0.0])
    found = box.maximise(objective, centre[None, :], everything, np.random.default_rng(1))
    assert box.changed(found[None, :])[0] == 4
    assert objective.values(found[None, :])[0] == -2.0


def test_a_point_on_a_face_is_inside_after_it_was_written_down_and_read_again():
    space = Space.from_description(
        {"x": (-1.0, 3.0), "rate": {"type": "float", "bounds": [1e-6, 0.1], "scale": "log"}}
    )
    rng = np.random.default_rng(0)
    for _ in range(200):
        box = Box.about(space.domain, rng.random(2), rng.uniform(0.01, 0.3, 2))
        for corner in (box.lower, box.upper):
            assert box.contains(space.encode(space.decode(corner))[None, :])[0]


def test_whole_numbers_by_the_thousand_lie_inside_once_they_are_snapped():
    space = Space.from_description(
        {
            "n": {"type": "int", "bounds": [1, 9000]},
            "m": {"type": "int", "bounds": [1, 100_000], "scale": "log"},
        }
    )
    rng = np.random.default_rng(0)
    for _ in range(50):
        box = Box.about(space.domain, space.domain.sample(1, rng)[0], rng.uniform(0.001, 0.3, 2))
        inside = space.domain.snap(box.lower + rng.random((20, 2)) * box.width)
        assert box.contains(inside).all()


@pytest.mark.parametrize(
    "coordinate", [Coordinate("ordinal", (0.0, 0.5, 1.0)), Coordinate("categorical", (0.25, 0.75))]
)
def test_a_box_with_more_points_than_a_float_can_count_shrinks_until_it_cannot(coordinate):
    domain = Domain((coordinate,) * 1100)
    assert domain.size == np.inf
    centre = domain.snap(np.full(1100, 0.2))
    wide = Box.about(domain, centre, np.ones(1100))
    assert wide.size == np.inf
    assert not wide.is_least
    assert Box.about(domain, centre, np.full(1100, 1e-5)).is_least


@pytest.mark.parametrize(("half", "points"), [(0.0, 3), (0.1, 9)])
def test_whole_numbers_few_enough_are_all_looked_at_and_neighbours_always_inside(half, points):
    space = Space.from_description({"n": {"type": "int", "bounds": [1, 5000], "scale": "log"}})
    four = space.encode({"n": 4})
    box = Box.about(space.domain, four, np.array([half]))
    assert box.size == len(box.all()) == points
    assert box.is_least == (points == 3)
    five = space.encode({"n": 5})
    between = Bowl(0.6 * five + 0.4 * four)
    found = box.maximise(between, four[None, :], everything, np.random.default_rng(0))
    assert np.array_equal(found, five)


def test_whole_numbers_too_many_to_look_at_keep_their_places_in_a_box():
    space = Space.from_description({"n": {"type": "int", "bounds": [1, 10**6], "scale": "log"}})
    box = Box.about(space.domain, space.encode({"n": 10**5}), np.array([0.1]))
    assert box.size == np.inf
    top = space.encode({"n": 123_456})
    found = box.maximise(Bowl(top), np.empty((0, 1)), everything, np.random.default_rng(0))
    assert np.array_equal(found, top)
