"""Searches of a finite space whose values are exact, in Python: each point once, and that is said."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from orchestrator import Optimiser, maximise, minimise
from orchestrator.errors import UsageError

GRID = {"x": {"type": "int", "bounds": [0, 2]}, "kind": {"type": "choice", "values": ["oil", "wax"]}}
ENDS = "ended after 6 trials: every point was tried, and with `noise=0` a second value at one tells nothing"


def height(parameters) -> float:
    return parameters["x"] + (parameters["kind"] == "oil")


def test_a_search_ends_with_the_last_point_however_many_trials_there_are() -> None:
    with ThreadPoolExecutor(4) as executor, pytest.warns(RuntimeWarning, match=ENDS):
        found = minimise(height, GRID, trials=50, executor=executor, algorithm="random", noise=0)
    tried = [(one["x"], one["kind"]) for one in found.results()]
    assert sorted(tried) == [(x, kind) for x in (0, 1, 2) for kind in ("oil", "wax")]
    assert found.untried == 0


def test_as_many_trials_as_points_end_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = minimise(height, GRID, trials=6, algorithm="random", noise=0)
    assert found.untried == 0


def test_constraints_leave_points_out_and_known_results_are_tried_already() -> None:
    optimiser = Optimiser(GRID, constraints=["x <= 1"], algorithm="random", noise=0)
    assert optimiser.untried == 4
    optimiser.learn({"x": 0, "kind": "wax"}, 0.0)
    # Where it was seen may not be tried.
    optimiser.learn({"x": 2, "kind": "wax"}, 2.0)
    assert optimiser.untried == 3
    with pytest.warns(RuntimeWarning, match="ended after 3 trials: every point was tried"):
        maximise(height, optimiser, trials=20)


@pytest.mark.parametrize(
    "settings",
    [
        {"noise": "unknown"},
        {"noise": 0.1},
        {"noise": 0, "blocks": True},
        {"noise": 0, "fidelity": {"parameter": "x", "cost": {0: 0.1, 1: 0.5, 2: 1.0}}},
        {"noise": 0, "outcomes": ["heat"], "constraints": ["heat <= 1"]},
        {"noise": 0, "objectives": {"cost": "minimise"}},
    ],
)
def test_where_another_value_may_tell_something_points_may_be_tried_again(settings) -> None:
    assert Optimiser(GRID, **settings).untried is None


def test_a_space_that_is_not_finite_has_no_last_point() -> None:
    whole = Optimiser({**GRID, "x": (0.0, 1.0)}, noise=0)
    assert whole.untried is None


def test_a_loop_of_ones_own_is_given_as_many_as_are_left_and_then_told_that_there_are_none() -> None:
    optimiser = Optimiser(GRID, algorithm="random", noise=0)
    first = optimiser.ask(4)
    assert len(optimiser.ask(4)) == 2
    with pytest.raises(UsageError, match="every one was, or is pending, and with `noise=0` a second value"):
        optimiser.ask()
    # Of one that nothing came of the point is left.
    optimiser.abandon(first[0].trial)
    (again,) = optimiser.ask(4)
    assert again.parameters == first[0].parameters
    assert optimiser.attach(again.parameters).trial == 8


def test_so_is_it_where_parameters_are_held_that_leave_a_finite_part() -> None:
    optimiser = Optimiser({**GRID, "heat": (0.0, 1.0)}, algorithm="random", noise=0)
    assert len(optimiser.ask(20)) == 20
    held = {"heat": 0.25, "kind": "oil"}
    assert sorted(one.parameters["x"] for one in optimiser.ask(5, held=held)) == [0, 1, 2]
    with pytest.raises(UsageError, match=r"every one where heat = 0\.25, kind = oil was, or is pending"):
        optimiser.ask(held=held)
    assert optimiser.attach(held).parameters["kind"] == "oil"
    assert len(optimiser.ask(5, held={"heat": 0.5, "kind": "oil"})) == 3


def test_a_part_of_a_point_is_completed_at_the_last_one_and_no_other_is_asked_for() -> None:
    optimiser = Optimiser(GRID, algorithm="random", noise=0)
    for x in (0, 1, 2):
        optimiser.learn({"x": x, "kind": "oil"}, height({"x": x, "kind": "oil"}))
    for x in (0, 1):
        optimiser.learn({"x": x, "kind": "wax"}, height({"x": x, "kind": "wax"}))
    with ThreadPoolExecutor(2) as executor, pytest.warns(RuntimeWarning, match="ended after 1 trials"):
        maximise(height, optimiser, trials=5, points=[{"x": 2}], executor=executor)
    assert optimiser.told == 1
