"""A parameter that seems not to matter is tried at other values before it is believed."""

import numpy as np
import pytest
from additive_stories import built, optimise

from orchestrator.algorithms.additive.untried_values import RESOLVED, at_untried_values
from orchestrator.parameters.space import ChoiceParameter, FloatParameter, Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

POINT = np.array([0.4, 0.5, 0.6])
THREE = Domain.continuous(3)
TOLD = np.array([[0.1, 0.0, 0.2], [0.9, 0.5, 0.8], [0.4, 0.6, 0.6]])


def by_first_and_last(X):
    return np.sin(3 * X[:, 0]) + np.cos(2 * X[:, 2])


def test_it_goes_where_it_is_farthest_from_what_was_tried():
    np.testing.assert_array_equal(at_untried_values(THREE, by_first_and_last, POINT, TOLD), [0.4, 1.0, 0.6])
    further = np.vstack([TOLD, [0.4, 1.0, 0.6]])
    np.testing.assert_array_equal(
        at_untried_values(THREE, by_first_and_last, POINT, further), [0.4, 0.25, 0.6]
    )


def test_it_rests_once_every_value_is_near_one_that_was_tried():
    points = np.tile(POINT, (32, 1))
    for trial in range(32):
        points[trial] = at_untried_values(THREE, by_first_and_last, POINT, points[: trial + 1])
    tried = np.sort(points[:, 1])
    assert np.diff(tried).max() <= 2 * RESOLVED
    np.testing.assert_array_equal(at_untried_values(THREE, by_first_and_last, POINT, points), POINT)


def test_parameters_that_matter_alike_stay_where_they_are():
    def bowl(X):
        return -((X - 0.5) ** 2).sum(axis=1)

    np.testing.assert_array_equal(at_untried_values(THREE, bowl, POINT, TOLD), POINT)


def test_choices_stay_as_they_are():
    space = Space(
        (FloatParameter("a", 0.0, 1.0), ChoiceParameter("b", ("x", "y")), FloatParameter("c", 0.0, 1.0))
    )
    point = np.array([0.4, 0.25, 0.6])
    np.testing.assert_array_equal(at_untried_values(space.domain, by_first_and_last, point, TOLD), point)


@pytest.mark.searches
def test_dec_hbo_finds_a_ridge_that_no_early_result_lies_on():
    def two_waves_and_a_ridge(point):
        x, y, z = point
        return np.array([np.sin(7 * x), np.sin(5 * y), 2.0 * np.exp(-(((z - 0.77) / 0.04) ** 2))])

    best, _ = optimise(built("dec-hbo", 3, {"start_points": 6}, seed=0), two_waves_and_a_ridge, 60)
    assert best > 3.5


def test_both_ends_of_an_angle_are_one_value_that_was_tried():
    domain = Domain((Coordinate(), Coordinate(periodic=True), Coordinate()))
    told = np.array([[0.1, 0.0, 0.2], [0.9, 0.1, 0.8], [0.4, 0.4, 0.6]])
    np.testing.assert_allclose(at_untried_values(domain, by_first_and_last, POINT, told), [0.4, 0.7, 0.6])
    points = np.tile([0.4, 0.95, 0.6], (32, 1))
    for trial in range(1, 32):
        points[trial] = at_untried_values(domain, by_first_and_last, POINT, points[:trial])
    np.testing.assert_array_equal(at_untried_values(domain, by_first_and_last, POINT, points), POINT)
