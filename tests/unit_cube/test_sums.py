"""Sums of coordinates among what kernels see."""

import numpy as np
import pytest

from orchestrator.acquisition.embedded import Embedded
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.sums import Sum

CATEGORY = Coordinate(kind="categorical", positions=(1 / 6, 1 / 2, 5 / 6))
PLAIN = Domain((Coordinate(), CATEGORY, Coordinate()))
REST = Sum(1.0, (-1.0, 0.0, -0.5))
SEEN = PLAIN.seeing((REST,))
POINTS = np.array([[0.2, 0.5, 0.6], [0.0, 1 / 6, 0.4]])


class Waves:
    """Changes along every column, each at a rate of its own."""

    def values(self, X):
        return np.sin(X * np.arange(1, X.shape[1] + 1)).sum(axis=1)

    def values_and_gradients(self, X):
        rates = np.arange(1, X.shape[1] + 1)
        return self.values(X), np.cos(X * rates) * rates


def test_a_sum_is_the_last_column_with_a_length_scale_of_its_own():
    np.testing.assert_array_equal(SEEN.embed(POINTS)[:, :-1], PLAIN.embed(POINTS))
    np.testing.assert_allclose(SEEN.embed(POINTS)[:, -1], [0.5, 0.8])
    assert SEEN.embedded_aspect.tolist() == [0, 1, 1, 1, 2, 3]
    assert SEEN.embedding.aspects == 4


def test_slopes_along_a_sum_are_slopes_along_what_is_in_it():
    objective, small = Embedded(SEEN, Waves()), 1e-6
    _, slopes = objective.values_and_gradients(POINTS)
    for j in (0, 2):
        step = small * np.eye(3)[j]
        rise = objective.values(POINTS + step) - objective.values(POINTS - step)
        np.testing.assert_allclose(slopes[:, j], rise / (2 * small), rtol=1e-6)
    assert slopes[:, 1].tolist() == [0.0, 0.0]


def test_what_is_held_and_what_is_untied_see_the_same():
    for part in (SEEN.holding({0: 0.25}), SEEN.untied):
        np.testing.assert_array_equal(part.embed(POINTS), SEEN.embed(POINTS))


def test_a_coordinate_reaches_as_far_as_it_and_the_sum_let_it():
    reach = SEEN.embedding.of_coordinates([3.0, 2.0, 1e9, 0.25])
    assert reach.tolist() == pytest.approx([(1 / 9 + 16) ** -0.5, 2.0, 0.5])


def test_without_sums_nothing_is_another():
    assert PLAIN.seeing(()) is PLAIN
    assert PLAIN.embedding.aspects == 3
