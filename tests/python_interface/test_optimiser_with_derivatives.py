"""Derivatives told from Python: of a search in one call, kept, exported and refused."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.derivatives import in_the_cube
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.search import minimise

BOUNDS: Mapping[str, Any] = {
    "x": (-2.0, 3.0),
    "rate": {"type": "float", "bounds": [0.01, 100.0], "scale": "log"},
    "n": {"type": "int", "bounds": [1, 3]},
}


def bowl(parameters: Mapping[str, Any]) -> dict[str, Any]:
    x, rate = parameters["x"] - 1.0, math.log(parameters["rate"]) - 0.7
    slopes = {"x": 2.0 * x, "rate": 2.0 * rate / parameters["rate"]}
    return {"value": x**2 + rate**2 + 0.1 * (parameters["n"] - 2) ** 2, "derivatives": slopes}


@pytest.fixture(scope="module")
def searched() -> Optimiser:
    return minimise(bowl, BOUNDS, 10, derivatives=True, noise=0)


def test_a_search_in_one_call_learns_from_them(searched: Optimiser) -> None:
    assert searched.takes_derivatives
    assert searched.best().value < 0.01


def test_they_are_by_the_cube_s_coordinates_what_differences_are() -> None:
    space, h = Space.from_description(BOUNDS), 1e-6
    there = {"x": 0.5, "rate": 3.0, "n": 2}
    found = in_the_cube(space, there, bowl(there)["derivatives"])
    point = space.encode(there)
    for j, name in enumerate(("x", "rate")):
        values = []
        for sign in (1.0, -1.0):
            moved = point.copy()
            moved[j] += sign * h
            values.append(bowl(space.decode(moved))["value"])
        assert found[j] == pytest.approx((values[0] - values[1]) / (2.0 * h), rel=1e-4), name
    assert math.isnan(found[2])


def test_bounds_of_a_log_scale_may_be_farther_apart_than_a_float_can_say() -> None:
    space = Space.from_description({"rate": {"type": "float", "bounds": [1e-200, 1e200], "scale": "log"}})
    found = in_the_cube(space, {"rate": 2.0}, {"rate": 0.25})
    assert found == pytest.approx([0.5 * 400.0 * math.log(10.0)])


def test_a_search_that_is_kept_goes_on_to_the_bit(searched: Optimiser, tmp_path: Path) -> None:
    store = tmp_path / "search.jsonl"
    for trials in (6, 10):
        kept = minimise(bowl, BOUNDS, trials, derivatives=True, noise=0, store=store)
    assert [one["x"] for one in kept.results()] == [one["x"] for one in searched.results()]


def test_what_is_said_of_parameters_learns_from_them(searched: Optimiser) -> None:
    found = searched.sensitivity()
    assert next(iter(found.hypotheses)).endswith("with derivatives")
    along = found.influences["rate"].profile
    assert along is not None
    assert along.range[1] == pytest.approx(bowl({"x": 1.0, "rate": 0.01, "n": 2})["value"], rel=0.1)


def test_what_results_says_another_learns_and_so_does_one_that_is_pickled(searched: Optimiser) -> None:
    rows = searched.results()
    assert rows[0]["d_x"] == pytest.approx(2.0 * (rows[0]["x"] - 1.0))
    other, each = (Optimiser(BOUNDS, goal="minimise", derivatives=True, noise=0) for _ in range(2))
    other.learn_all(rows)
    for row in rows:
        slopes = {name: row[f"d_{name}"] for name in ("x", "rate")}
        each.learn({name: row[name] for name in BOUNDS}, row["value"], derivatives=slopes)
    kept = pickle.loads(pickle.dumps(other))
    asked = [one.ask()[0].parameters for one in (other, each, kept)]
    assert asked[0] == asked[1] == asked[2]


def test_those_that_are_none_are_refused_and_those_not_known_are_left_out() -> None:
    optimiser = Optimiser(BOUNDS, derivatives=["rate"])
    (asked,) = optimiser.ask()
    for wrong, said in (
        ({"x": 1.0}, "expected derivatives by `rate`, got one by `x`"),
        ({"rate": "steep"}, "a finite number, or null, got 'steep'"),
        (0.5, "by the names of parameters"),
    ):
        with pytest.raises(UsageError, match=said):
            optimiser.tell(asked.trial, 1.0, derivatives=wrong)  # type: ignore[arg-type]
    optimiser.tell(asked.trial, 1.0, derivatives={"rate": math.nan})
    assert optimiser.told == 1


def test_a_function_may_return_each_under_a_name_of_its_own_and_a_misspelt_one_is_refused() -> None:
    each = minimise(lambda p: {"value": p["x"] ** 2, "d_x": 2.0 * p["x"]}, BOUNDS, 2, derivatives=["x"])
    assert [row["d_x"] for row in each.results()] == [2.0 * row["x"] for row in each.results()]
    for returned, meant in (({"d_rte": 1.0}, "d_rate"), ({"derivative": {"x": 1.0}}, "derivatives")):
        with pytest.raises(UsageError, match=f"did you mean `{meant}`"):
            minimise(lambda _, told=returned: {"value": 1.0, **told}, BOUNDS, 2, derivatives=True)


def test_a_misspelt_column_is_said_of_a_table() -> None:
    row = {"x": 0.5, "rate": 3.0, "n": 2, "value": 1.0, "d_rte": 0.3}
    with pytest.warns(RuntimeWarning, match="`d_rte` is left alone; if it is `d_rate`, rename it"):
        Optimiser(BOUNDS, derivatives=True).learn_all([row])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"derivatives": ["n"]}, "expected real parameters"),
        ({"derivatives": True, "algorithm": "gp-ei"}, "that makes use of derivatives"),
        ({"derivatives": True, "objectives": {"lift": "maximise"}}, "beside `derivatives`"),
        ({"derivatives": True, "blocks": True}, "expected no `blocks` beside `derivatives`"),
        ({"derivatives": True, "clock": "x"}, "expected no `clock` beside `derivatives`"),
    ],
)
def test_what_is_at_odds_with_them_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises((SpecError, UsageError), match=said):
        Optimiser(BOUNDS, **settings)


def test_where_none_are_expected_they_are_refused() -> None:
    optimiser = Optimiser(BOUNDS, algorithm="random")
    with pytest.raises(UsageError, match="say derivatives=True"):
        optimiser.tell(optimiser.ask()[0].trial, 1.0, derivatives={"x": 1.0})
