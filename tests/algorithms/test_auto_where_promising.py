"""`auto` begins where good settings are believed to lie, trusts that less and less, and excludes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from asked_alike import adopts_alike_what_was_journalled, answers_alike_when_asked_again
from sequential_runs import EXACT, Workers, fitted, step

from orchestrator.acquisition.where_promising import WherePromising
from orchestrator.algorithms import registry
from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import Algorithm, AskKey, Observation, Problem, Suggestion
from orchestrator.algorithms.mixture.leaning import Leaning
from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels
from orchestrator.values.candidates import Candidates

UNIT: Mapping[str, Any] = {"type": "float", "bounds": [0.0, 1.0]}


def believed(*means: float, deviation: float = 0.1) -> dict[str, Any]:
    promising = ({"mean": mean, "deviation": deviation} for mean in means)
    return {name: {**UNIT, "promising": one} for name, one in zip("abcd", promising, strict=False)}


def problem_of(told: Mapping[str, Any], *constraints: str, **more: Any) -> Problem:
    space = Space.from_description(told, constraints)
    return Problem(space.domain, **{"noise": EXACT, "hunch": hunch_of_points(space), **more})


def auto(problem: Problem, **options: Any) -> Algorithm:
    return registry.build("auto", problem, options)


def designed(count: int, problem: Problem, held: Domain | None = None) -> list[Suggestion]:
    return list(auto(problem, start_points=count).ask(count, [], AskKey(0, 0, held)))


def narrow(point: FloatArray) -> float:
    """The best of 1 on a narrow hill, beside a broad one of 0.6."""
    broad = 0.6 * math.exp(-6.0 * float(np.sum((point - 0.75) ** 2)))
    return broad + math.exp(-150.0 * float(np.sum((point - np.array([0.22, 0.3])) ** 2)))


def found_after(problem: Problem, objective: Callable[[FloatArray], float], good: float) -> int:
    """How many trials until the first that is as good, or the number of all."""
    algorithm, trials = auto(problem), problem.trials or 0
    for trial in range(trials):
        if objective(step(algorithm, trial, objective).point) >= good:
            return trial + 1
    return trials


def test_it_begins_in_the_middle_and_half_of_the_rest_lies_there_while_half_are_as_ever() -> None:
    problem = problem_of(believed(0.3, 0.8) | {"c": UNIT}, seed=2)
    chosen, plain = designed(17, problem), designed(17, replace(problem, hunch=None))
    assert chosen[0].point == pytest.approx([0.3, 0.8, 0.5])
    assert [one.point.tolist() for one in chosen[1::2]] == [one.point.tolist() for one in plain[:8]]
    there = np.array([one.point for one in chosen[2::2]])
    assert np.abs(there[:, :2].mean(axis=0) - [0.3, 0.8]).max() < 0.05
    assert np.abs(there[:, :2] - [0.3, 0.8]).max() < 0.3
    # Of what nobody believes anything they are spread as ever.
    assert there[:, 2].min() < 0.25
    assert there[:, 2].max() > 0.75
    assert ["promising" in one.why for one in chosen] == [not trial % 2 for trial in range(17)]


def test_who_asks_in_another_order_begins_with_the_same_points() -> None:
    problem = problem_of(believed(0.3, 0.8), "a + b <= 1.05", "a + b >= 1.045", seed=4)
    late = auto(problem, start_points=200)
    late.tell([Observation(0, designed(1, problem)[0].point, 1.0)])
    (far,) = late.ask(1, [], AskKey(70, 70))
    (near,) = late.ask(1, [], AskKey(2, 2))
    again = auto(problem, start_points=200)
    again.tell([Observation(0, designed(1, problem)[0].point, 1.0)])
    assert [one.point.tolist() for one in again.ask(1, [], AskKey(2, 2))] == [near.point.tolist()]
    assert [one.point.tolist() for one in again.ask(1, [], AskKey(70, 70))] == [far.point.tolist()]


def test_where_the_middle_was_tried_already_it_is_not_waited_for() -> None:
    problem = problem_of(believed(0.3, 0.8), seed=1)
    algorithm = auto(problem, start_points=8)
    algorithm.tell([Observation(0, np.array([0.3, 0.8]), 1.0)])
    assert all(one.point.tolist() != [0.3, 0.8] for one in algorithm.ask(6, [], AskKey(1, 1)))


def test_after_first_points_of_a_persons_own_the_middle_is_still_tried() -> None:
    algorithm = auto(problem_of(believed(0.3, 0.8), seed=1), start_points=8)
    algorithm.tell([Observation(0, np.array([0.1, 0.1]), 1.0)])
    (first,) = algorithm.ask(1, [], AskKey(1, 1))
    assert first.point == pytest.approx([0.3, 0.8])


def test_where_ties_leave_little_its_points_are_the_more_promising_of_those() -> None:
    problem = problem_of(believed(0.3, 0.7), "a + b <= 1.01", "a + b >= 1", seed=3)
    chosen = [one.point for one in designed(16, problem)]
    assert problem.domain.feasible(np.array(chosen)).all()
    there, elsewhere = np.array(chosen[2::2]), np.array(chosen[1::2])
    assert np.abs(there[:, 0] - 0.3).mean() < 0.75 * np.abs(elsewhere[:, 0] - 0.3).mean()


def test_where_nothing_of_what_is_promising_is_feasible_it_begins_nearest_to_that() -> None:
    problem = problem_of(believed(0.3, 0.8), "a >= 0.8", "b <= 0.1", seed=3)
    chosen = np.array([one.point for one in designed(9, problem)])
    assert problem.domain.feasible(chosen).all()
    assert chosen[0] == pytest.approx([0.8, 0.1], abs=0.02)
    assert len(np.unique(chosen, axis=0)) == 9


def test_beside_what_is_held_it_begins_in_the_middle_of_the_rest_and_once() -> None:
    problem = problem_of(believed(0.3, 0.8), seed=3)
    held = problem.domain.holding({0: 0.6})
    chosen = designed(6, problem, held)
    assert chosen[0].point == pytest.approx([0.6, 0.8])
    assert all(one.point[0] == 0.6 for one in chosen)
    assert sum(one.point[1] == chosen[0].point[1] for one in chosen) == 1


def test_with_a_fidelity_it_begins_in_the_middle_at_full_fidelity() -> None:
    told = believed(0.3) | {"cells": {"type": "int", "bounds": [1, 4]}}
    levels = Levels(1, np.array([0.125, 0.375, 0.625, 0.875]), np.array([0.1, 0.3, 0.6, 1.0]), None)
    chosen = designed(6, problem_of(told, fidelity=levels, seed=2))
    assert chosen[0].point == pytest.approx([0.3, 0.875])
    assert len({one.point[1] for one in chosen}) > 1
    assert sum(abs(one.point[0] - 0.3) < 1e-6 for one in chosen) == 1


def test_the_rows_to_begin_with_are_drawn_by_how_promising_they_are() -> None:
    masses = np.linspace(0.0, 1.0, 101).tolist()
    rows = Candidates.of({"a": masses, "b": [math.sin(9.0 * mass) for mass in masses]})
    space = Space.from_description({"a": believed(0.3)["a"], "b": (-1.0, 1.0)}, (), rows)
    problem = Problem(space.domain, seed=1, noise=EXACT, hunch=hunch_of_points(space))
    chosen = [one.point[0] for one in designed(12, problem)]
    assert len(set(chosen)) == 12
    assert np.abs(np.array(chosen[2::2]) - 0.3).mean() < 0.2


def test_what_is_maximised_has_the_slopes_of_its_sum() -> None:
    problem = problem_of(believed(0.3, 0.8) | {"c": UNIT})
    assert problem.hunch is not None

    class Wave:
        def values(self, X: FloatArray) -> FloatArray:
            return np.asarray(np.sin(3.0 * X).sum(axis=1))

        def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
            return self.values(X), 3.0 * np.cos(3.0 * X)

    weighed = WherePromising(Wave(), problem.hunch, 0.7, problem.domain)
    points = np.random.default_rng(0).uniform(0.05, 0.95, (20, 3))
    values, gradients = weighed.values_and_gradients(points)
    assert values == pytest.approx(weighed.values(points))
    for j in range(3):
        step_j = 1e-6 * np.eye(3)[j]
        differences = (weighed.values(points + step_j) - weighed.values(points - step_j)) / 2e-6
        assert gradients[:, j] == pytest.approx(differences, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(
    ("trials", "results", "power"), [(40, 1, 4.0), (40, 4, 1.0), (40, 40, 0.1), (None, 10, 0.2), (40, 0, 4.0)]
)
def test_it_counts_to_the_power_of_a_tenth_of_the_trials_over_the_results(
    trials: int | None, results: int, power: float
) -> None:
    leaning = Leaning.of(problem_of(believed(0.3, 0.8), trials=trials), results)
    assert leaning is not None
    assert leaning.power == pytest.approx(power)


def test_no_place_is_excluded_for_what_is_taken_off_anywhere_vanishes_with_the_results() -> None:
    problem = problem_of(believed(0.3, 0.8, deviation=1e-3), trials=40)
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    taken = []
    for results in (4, 40, 400, 4000):
        leaning = Leaning.of(problem, results)
        assert leaning is not None
        taken.append(-min(leaning.counted(problem.domain, corner) for corner in corners))
    # Two parameters, of which each is wrong in one of a hundred.
    assert taken == pytest.approx([2.0 * math.log(100.0) / 10.0**i for i in range(4)])


def test_a_right_hunch_finds_a_narrow_hill_in_a_third_of_the_trials_where_none_does_not() -> None:
    for seed in (0, 1):
        right = problem_of(believed(0.25, 0.25), seed=seed, trials=18)
        assert found_after(right, narrow, 0.95) < 18
        assert found_after(replace(right, hunch=None), narrow, 0.95) == 18


def test_a_wrong_hunch_is_found_out() -> None:
    def hill(point: FloatArray) -> float:
        return -float(np.sum((point - np.array([0.2, 0.25])) ** 2))

    assert found_after(problem_of(believed(0.8, 0.85, deviation=0.05), seed=0, trials=30), hill, -1e-4) < 30


def test_what_is_suggested_depends_on_what_was_told_alone() -> None:
    points = np.random.default_rng(1).random((9, 2))
    problem = problem_of(believed(0.3, 0.8), seed=5, trials=20)
    values = [narrow(point) for point in points]
    one, other = auto(problem), auto(problem)
    for search in (one, other):
        search.tell([Observation(i, x, v) for i, (x, v) in enumerate(zip(points, values, strict=True))])
    adopts_alike_what_was_journalled(one, other)
    answers_alike_when_asked_again(one, [np.array([0.31, 0.79])])


def test_beside_others_that_run_none_is_asked_for_twice() -> None:
    workers = Workers(auto(problem_of(believed(0.25, 0.25), seed=1, trials=16, parallel=4)), 4)
    points = []
    for _ in range(10):
        points += [tuple(one.point.tolist()) for one in workers.ask()]
        workers.tell(narrow)
    assert len(set(points)) == len(points)


def test_of_whole_numbers_and_choices_what_is_likely_is_tried_first_and_all_of_it_in_the_end() -> None:
    told = {
        "n": {"type": "int", "bounds": [1, 3], "promising": {"mean": 3, "deviation": 0.5}},
        "kind": {"type": "choice", "values": ["x", "y"], "promising": {"chances": [0.0, 1.0]}},
    }
    space, problem = Space.from_description(told), problem_of(told, trials=6)
    algorithm, tried = auto(problem), []

    def evaluate(point: FloatArray) -> float:
        tried.append(tuple(space.decode(point).values()))
        return float(len(tried))

    for trial in range(6):
        step(algorithm, trial, evaluate)
    assert tried[0] == (3, "y")
    assert len(set(tried)) == 6


def test_where_values_and_outcomes_are_still_to_be_satisfied_it_leans_there_too() -> None:
    problem = problem_of(believed(0.25, 0.25), seed=1, trials=20, outcome_constraints=1)
    algorithm = auto(problem)
    for trial in range(14):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (one,) = algorithm.ask(1, [], AskKey(trial, trial))
        slack = 0.35 - float(one.point.sum())
        algorithm.tell([Observation(trial, one.point, narrow(one.point), slacks=(slack,))])
    assert math.isfinite(float(one.point.sum()))


def test_what_it_says_of_itself_has_how_much_that_counts_by_now() -> None:
    points = np.random.default_rng(1).random((10, 2))
    algorithm = fitted(auto(problem_of(believed(0.3, 0.8), trials=20)), points, map(narrow, points))
    (said,) = [note for note in algorithm.insight().notes if "promising" in note]
    assert "to the power 0.2 of" in said


def test_others_refuse_it() -> None:
    problem = problem_of(believed(0.3, 0.8))
    for name in ("random", "gp-ei", "explore"):
        with pytest.raises(SpecError, match="begins where settings are said to be promising"):
            registry.build(name, problem, {})


def test_auto_alone_says_that_it_heeds_it() -> None:
    assert registry.HEEDS_HUNCHES.able() == ("auto",)
    assert Auto.Options.heeds_hunches
