"""Maximising over a box inside the domain."""

import numpy as np
import pytest

from orchestrator.domain import Coordinate, Domain
from orchestrator.maximisers.within_box import Box

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
