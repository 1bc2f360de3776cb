"""Searches of a finite space whose values are exact, in Python: each point once, and that is said."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from orchestrator import Optimiser, maximise, minimise

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
    # Whoever asks for one all the same is given one.
    assert found.ask()[0].trial == 7


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
