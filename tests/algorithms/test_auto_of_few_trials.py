"""Auto of a known number of trials that are few: they are not all spent before it has a model."""

from dataclasses import replace

import pytest
from sequential_runs import EXACT, hill, optimise

from orchestrator.algorithms import registry
from orchestrator.algorithms.mixture.options import AutoOptions, LearningOptions
from orchestrator.algorithms.problem import Problem
from orchestrator.unit_cube.domain import Domain


def designed(dimension, trials, options=None, **told):
    """How many points are spread first."""
    problem = Problem(Domain.continuous(dimension), trials=trials, **told)
    return (options or AutoOptions()).designed(problem)


@pytest.mark.parametrize(
    ("trials", "points"),
    [(1, 1), (3, 2), (8, 4), (12, 4), (18, 6), (29, 10), (30, 10), (500, 10), (None, 10)],
)
def test_a_third_of_them_is_spread_or_a_point_more_than_there_are_parameters(trials, points):
    assert designed(3, trials) == points


@pytest.mark.parametrize(("trials", "points"), [(10, 5), (20, 10), (26, 13), (36, 13), (45, 15), (60, 20)])
def test_of_many_parameters_half_of_them_may_be(trials, points):
    assert designed(12, trials) == points


def test_whoever_says_how_many_has_as_many():
    assert designed(3, 12, AutoOptions(start_points=9)) == 9
    assert designed(3, 12, start_points=11) == 11


def test_to_learn_the_whole_function_more_are_spread():
    assert designed(3, 12, LearningOptions()) == 10


@pytest.mark.parametrize("seed", range(2))
def test_nine_trials_come_nearer_than_points_that_are_spread(seed):
    problem = Problem(Domain.continuous(3), seed=seed, noise=EXACT, trials=9)
    spread = registry.build("auto", replace(problem, start_points=9), {})
    _, best = optimise(registry.build("auto", problem, {}), hill, 9)
    _, best_spread = optimise(spread, hill, 9)
    assert best > best_spread / 2
