"""A trial is told what an evaluation returns, in one mapping; what no model sees of it is kept, too."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, minimise
from orchestrator.cli import main
from orchestrator.errors import UsageError

BOX = {"x": (0.0, 1.0)}
HOT: dict[str, Any] = {"outcomes": ["heat"], "constraints": ["heat <= 80"]}


def measured(parameters: dict[str, Any]) -> dict[str, Any]:
    x = parameters["x"]
    return {"value": (x - 0.3) ** 2, "variance": 1e-6, "heat": 100 * x, "epochs": 7, "curve": np.ones(3)}


def test_a_trial_is_told_all_of_it_at_once() -> None:
    apart, together = (
        Optimiser(BOX, goal="minimise", algorithm="gp-ei", options={"start_points": 3}, **HOT) for _ in "12"
    )
    for _ in range(4):
        (one,), (other,) = apart.ask(), together.ask()
        assert one.parameters == other.parameters
        came = measured(one.parameters)
        apart.tell(one.trial, came["value"], came["variance"], outcomes={"heat": came["heat"]})
        together.tell(other.trial, came)
    assert together.best().outcomes == apart.best().outcomes
    assert together.best().extras == {"epochs": 7, "curve": [1.0, 1.0, 1.0]}
    assert together.results()[0]["epochs"] == 7


def test_a_mapping_that_lacks_something_or_says_it_twice_is_refused_and_may_be_told_again() -> None:
    optimiser = Optimiser(BOX, algorithm="random", **HOT)
    (asked,) = optimiser.ask()
    with pytest.raises(UsageError, match="expected a mapping with `value` and `heat`"):
        optimiser.tell(asked.trial, {"value": 1.0, "haet": 3.0})
    with pytest.raises(UsageError, match="in the mapping, got `outcomes` beside it as well"):
        optimiser.tell(asked.trial, {"value": 1.0, "heat": 3.0}, outcomes={"heat": 3.0})
    optimiser.tell(asked.trial, {"value": None, "why": "leak"}, reason="it burst")
    assert [(row["state"], row["why"]) for row in optimiser.results()] == [("failed", "leak")]


def test_an_objective_that_is_computed_is_told_by_its_outcomes_likewise() -> None:
    optimiser = Optimiser(BOX, outcomes=["lift", "drag"], value="lift / drag", algorithm="random")
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, {"lift": 3.0, "drag": 2.0, "mesh": "fine"})
    assert (optimiser.best().value, optimiser.best().extras) == (1.5, {"mesh": "fine"})


def test_what_a_function_returns_besides_is_kept_in_the_file_and_shown_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "search.jsonl"
    for trials in (2, 3):
        found = minimise(measured, BOX, trials, algorithm="random", store=store)
    assert [row["epochs"] for row in found.results()] == [7, 7, 7]
    assert pickle.loads(pickle.dumps(found)).best().extras == found.best().extras
    assert main(["export", str(store)]) == 0
    head, first = capsys.readouterr().out.splitlines()[:2]
    assert dict(zip(head.split(","), first.split(","), strict=False))["epochs"] == "7"


def test_which_parameters_matter_for_it_can_be_asked() -> None:
    def told(parameters: dict[str, Any]) -> dict[str, Any]:
        return {"value": parameters["x"] ** 2, "heat": 9 * parameters["y"], "lab": "A"}

    found = minimise(told, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, 6, algorithm="sobol")
    assert found.sensitivity("heat").influences["y"].in_all > 0.9
    with pytest.raises(UsageError, match="one of `heat`; got `lab`"):
        found.sensitivity("lab")


def test_names_that_are_taken_are_called_otherwise_and_nothing_is_read_back_as_something_else() -> None:
    optimiser = Optimiser(BOX, algorithm="random")
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, {"value": 1.0, "trial": "b12", "x": 9, "factor_1": 3, "held": True})
    (row,) = optimiser.results()
    assert row["trial"] == 1
    assert row["x"] == asked.parameters["x"]
    assert {name: row[name] for name in row if name.startswith("run.")} == {
        "run.trial": "b12",
        "run.x": 9,
        "run.factor_1": 3,
        "run.held": True,
    }
    again = Optimiser(BOX, algorithm="random")
    again.learn_all(optimiser.results())
    assert again.best().value == 1.0


def test_what_json_cannot_hold_or_is_long_fails_nothing(tmp_path: Path) -> None:
    odd = {"figure": object, "lost": math.nan, "field": np.zeros(200_000), "when": {1: (2, 3)}}
    found = minimise(lambda _: {"value": 1.0, **odd}, BOX, 1, algorithm="random", store=tmp_path / "odd")
    assert found.best().extras == {
        "figure": "<class 'object'>",
        "lost": None,
        "field": repr(odd["field"]),
        "when": {"1": [2, 3]},
    }


class Unshowable:
    """Of a library whose objects raise as they are shown, or looked at."""

    def __repr__(self) -> str:
        raise RuntimeError("it is on a device that is gone")


def test_nor_does_what_cannot_be_shown_or_a_name_that_is_no_text(tmp_path: Path) -> None:
    deep: list[Any] = []
    # Pythons differ in how deep they look before they give up.
    for _ in range(100_000):
        deep = [deep]
    odd = {"tensor": Unshowable(), "tree": deep, "\ud800": 1}
    found = minimise(lambda _: {"value": 1.0, **odd}, BOX, 1, algorithm="random", store=tmp_path / "odd")
    assert found.best().extras == {
        "tensor": "a value of type Unshowable",
        "tree": "a value of type list",
        "?": 1,
    }
