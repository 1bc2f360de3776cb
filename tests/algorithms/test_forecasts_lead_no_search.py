"""What an evaluation that was stopped would have come to is learned from, and leads no search."""

import numpy as np
import pytest
from sequential_runs import build, fitted, hill

from orchestrator.algorithms.base import Observation

POINTS = np.random.default_rng(0).random((12, 2))
AWAY = np.array([0.93, 0.04])


def forecast(trial: int, value: float, point: np.ndarray = AWAY) -> Observation:
    return Observation(trial, point, value, variance=4.0, foreseen=True)


def test_the_region_of_auto_stays_about_the_best_value_that_was_measured():
    algorithm = fitted(build("auto", 2, start_points=5), POINTS, [hill(x) for x in POINTS])
    centre, best = algorithm._local.region.centre, algorithm._local.region.best
    algorithm.tell([forecast(12, 100.0, centre + 1e-3), forecast(13, 100.0)])
    np.testing.assert_array_equal(algorithm._local.region.centre, centre)
    assert algorithm._local.region.best == best
    assert algorithm._local._next_region(None).best == best


def turbo():
    return fitted(build("turbo", 2, start_points=5, candidates=100), POINTS, [hill(x) for x in POINTS])


def test_a_trust_region_stays_about_the_best_value_that_was_measured():
    algorithm = turbo()
    best, failures = algorithm._centre(), algorithm._trust.region.failures
    algorithm.tell([forecast(12, 100.0)])
    np.testing.assert_array_equal(algorithm._centre(), best)
    assert algorithm._trust.region.failures == failures + 1
    algorithm.tell([Observation(13, AWAY + 0.01, 50.0)])
    np.testing.assert_array_equal(algorithm._centre(), AWAY + 0.01)


def test_forecasts_are_what_a_region_is_about_while_it_has_nothing_else():
    algorithm = build("turbo", 2, start_points=5, candidates=100)
    algorithm.tell([forecast(0, 2.0, POINTS[0]), forecast(1, 3.0, POINTS[1])])
    np.testing.assert_allclose(algorithm._history.points[algorithm._trust.region.centre], POINTS[1])
    algorithm.tell([Observation(2, POINTS[2], -5.0), forecast(3, 9.0, POINTS[3])])
    np.testing.assert_allclose(algorithm._history.points[algorithm._trust.region.centre], POINTS[2])


@pytest.mark.parametrize("name", ["bamsoo", "imgpo"])
def test_a_tree_spares_no_evaluation_because_of_a_forecast(name):
    algorithm = build(name, 2, start_points=4)
    algorithm.tell([Observation(0, POINTS[0], 1.0), forecast(1, 100.0, POINTS[1])])
    assert algorithm._best == 1.0
