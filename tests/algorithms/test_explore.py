"""`explore` learns all of a function, where a search for the best point learns of that alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from sequential_runs import EXACT, Workers, build, optimise, step

from orchestrator import Optimiser
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.errors import SpecError
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.fits.one_kernel import fit
from orchestrator.surrogates.hyperparameters.beliefs import Prior
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points

Function = Callable[[np.ndarray], np.ndarray]


def rippled_in_one_corner(points: np.ndarray) -> np.ndarray:
    x, y = points.T
    return np.sin(14.0 * np.exp(-3.0 * (x**2 + y**2)))


def sum_of_ten(points: np.ndarray) -> np.ndarray:
    return np.asarray(sum(np.sin((2.0 + j) * points[:, j] + j) for j in range(10)))


def at(function: Function) -> Callable[[np.ndarray], float]:
    return lambda point: float(function(point[None, :])[0])


def points_by(name: str, function: Function, dimension: int, trials: int, seed: int = 0) -> np.ndarray:
    options = {"refit_every": 5} if name == "explore" else {}
    suggestions, _ = optimise(build(name, dimension, seed, **options), at(function), trials)
    return np.array([suggestion.point for suggestion in suggestions])


def off(expected: Function, function: Function, dimension: int) -> float:
    """The root of the mean square all over the unit cube, as a part of the function's deviation."""
    places = even_points(Domain.continuous(dimension), 1024, np.random.default_rng(99))
    truth = function(places)
    return float(np.sqrt(np.mean((expected(places) - truth) ** 2)) / truth.std())


def off_after(points: np.ndarray, function: Function) -> float:
    """By the mixture of models, whoever chose the points."""
    problem = Problem(Domain.continuous(points.shape[1]), noise=EXACT)
    values = function(points)
    model = ResultsModel.fitted(problem, Measured(points, values, np.zeros(len(values))))
    return off(model.expected, function, points.shape[1])


@pytest.mark.searches
def test_a_function_with_its_detail_in_one_corner_is_learned_better_than_by_points_that_lie_evenly() -> None:
    function = rippled_in_one_corner
    explored, evenly = (
        np.median([off_after(points_by(name, function, 2, 50, seed), function) for seed in range(2)])
        for name in ("explore", "sobol")
    )
    assert explored < 0.7 * evenly


@pytest.mark.searches
def test_a_sum_over_ten_parameters_is_learned_in_fewer_evaluations_than_by_one_process() -> None:
    explored = points_by("explore", sum_of_ten, 10, 60)
    evenly = points_by("sobol", sum_of_ten, 10, 120)
    values = sum_of_ten(evenly)
    template = KernelTemplate("matern", MATERN_52)
    rng, columns = np.random.default_rng(0), np.arange(10)
    data = Data(evenly, values - values.mean(), columns)
    own = fit(template, data, Prior.for_dimension(10), rng, 0.0)
    process = ExactGP(own.kernel(MATERN_52, columns), 0.0)
    process.append(evenly, data.y)
    of_one = off(lambda places: process.mean_at(places) + values.mean(), sum_of_ten, 10)
    assert off_after(explored, sum_of_ten) < 0.5 * of_one


@pytest.mark.searches
def test_what_it_says_is_not_known_falls_and_each_point_says_how_much_it_takes() -> None:
    algorithm = build("explore", 2, refit_every=5)
    told = [step(algorithm, trial, at(rippled_in_one_corner)).why for trial in range(40)]
    by_the_model = [why for why in told if why["source"] == "model"]
    assert len(by_the_model) == 30
    assert all(0.0 < why["learned"] < 1.0 for why in by_the_model)
    assert by_the_model[-1]["unknown"] < 0.75 * by_the_model[0]["unknown"]
    insight = algorithm.insight()
    assert "values by the model may be off by ± " in insight.notes[1]
    assert sum(insight.weights.values()) == pytest.approx(1.0)


def test_workers_that_run_at_once_look_apart_from_one_another() -> None:
    algorithm = build("explore", 2, parallel=6)
    workers = Workers(algorithm, 6)
    workers.ask()
    for _ in range(14):
        workers.tell(at(rippled_in_one_corner))
        workers.ask()
    running = np.array(list(workers.running.values()))
    between = np.linalg.norm(running[:, None] - running[None, :], axis=2)
    assert between[np.triu_indices(len(running), 1)].min() > 0.05


@pytest.mark.searches
def test_places_that_break_constraints_on_outcomes_are_not_worth_learning() -> None:
    algorithm = registry.build(
        "explore", Problem(Domain.continuous(2), noise=EXACT, outcome_constraints=1), {"refit_every": 4}
    )
    tried = []
    for trial in range(26):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        x = suggestion.point
        value = float(np.sin(9.0 * x[0]) * np.cos(8.0 * x[1]))
        algorithm.tell([Observation(trial, x, value, slacks=np.array([0.4 - x[0]]))])
        if suggestion.why["source"] == "model":
            assert 0.0 <= suggestion.why["feasible"] <= 1.0
            tried.append(x[0])
    assert np.mean(np.array(tried) <= 0.45) > 0.8


def test_where_evaluations_fail_nothing_is_sought_but_for_a_few_trials() -> None:
    algorithm = registry.build("explore", Problem(Domain.continuous(2), noise=EXACT), {"refit_every": 4})
    tried = []
    for trial in range(26):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        x = suggestion.point
        value = None if x[0] > 0.5 else float(np.sin(9.0 * x[0]) * np.cos(8.0 * x[1]))
        algorithm.tell([Observation(trial, x, value)])
        if suggestion.why["source"] == "model":
            assert 0.0 <= suggestion.why["succeeds"] <= 1.0
            tried.append(x[0])
    assert np.mean(np.array(tried) <= 0.5) > 0.7


@pytest.mark.searches
def test_of_two_objectives_both_are_learned_whatever_their_units() -> None:
    def judged(points: np.ndarray) -> np.ndarray:
        """Much of the first on the left, and of the second on the right."""
        left, right = np.exp(-((points[:, 0] / 0.2) ** 2)), np.exp(-(((points[:, 0] - 1.0) / 0.2) ** 2))
        ripples = np.sin(18.0 * points[:, 1])
        return np.array([left * ripples, 1e6 * right * ripples])

    problem = Problem(Domain.continuous(2), noise=EXACT, further_objectives=1)
    algorithm = registry.build("explore", problem, {"refit_every": 5})
    points = []
    for trial in range(50):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value, other = judged(suggestion.point[None, :])[:, 0]
        algorithm.tell([Observation(trial, suggestion.point, value, further=np.array([other]))])
        points.append(suggestion.point)
    assert len(suggestion.further) == 1
    chosen = np.array(points[10:])[:, 0]
    assert np.mean(chosen < 0.4) > 0.25
    assert np.mean(chosen > 0.6) > 0.25


def test_where_a_parameter_is_held_that_part_is_learned() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, algorithm="explore", noise=0.0)
    for _ in range(12):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, rippled_in_one_corner(np.array([list(asked.parameters.values())]))[0])
    asked_for = optimiser.ask(6, held={"x": 0.125})
    assert {one.parameters["x"] for one in asked_for} == {0.125}
    tried = np.sort([one.parameters["y"] for one in asked_for])
    assert np.diff(tried).min() > 0.02
    assert tried[-1] - tried[0] > 0.5


def test_the_best_point_is_that_of_the_goal_and_may_be_asked_for() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise", algorithm="explore", noise=0.0)
    for _ in range(14):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, (asked.parameters["x"] - 0.3) ** 2)
    assert optimiser.best().value == min(row["value"] for row in optimiser.results())
    assert optimiser.recommend().parameters["x"] == pytest.approx(0.3, abs=0.02)


def test_how_closely_to_look_it_does_not_choose() -> None:
    with pytest.raises(
        SpecError, match=r"an algorithm that chooses how closely to look \(`asha`, `auto` or `hyperb"
    ):
        Optimiser(
            {"x": (0.0, 1.0), "cells": (1.0, 8.0)},
            algorithm="explore",
            fidelity={"parameter": "cells", "cost": "cells ** 2"},
        )
