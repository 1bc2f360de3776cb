"""Who asks an Optimiser for what studies and clients elsewhere have is told what that is here."""

from __future__ import annotations

import copy
import re

import pytest

import orchestrator
from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface.attributes_elsewhere import WRITTEN

BOX = {"x": (0.0, 1.0)}


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("best_params", r"best\(\)\.parameters"),
        ("optimize", r"minimise\(function, optimiser, 40\), or maximise"),
        ("enqueue_trial", r"attach\(parameters\)"),
        ("get_pareto_frontier", r"front\(\)"),
        ("attach_data", r"watch\(trial\), beside tell\(trial, value\)"),
    ],
)
def test_an_attribute_that_others_have_is_named_as_it_is_here(name: str, here: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; here that is {here}$"):
        getattr(Optimiser(BOX), name)


def test_any_other_is_refused_as_python_does() -> None:
    optimiser = Optimiser(BOX, algorithm="sobol")
    assert not hasattr(optimiser, "to_dict")
    with pytest.raises(AttributeError, match=r"^'Optimiser' object has no attribute 'bets'$"):
        optimiser.bets  # type: ignore[attr-defined]  # noqa: B018
    assert copy.deepcopy(optimiser).ask()[0].parameters == optimiser.ask()[0].parameters


def test_what_it_is_here_is_there() -> None:
    for here, names in WRITTEN:
        called = re.findall(r"^(\w+)\(", here)
        assert called
        assert set(called) <= {*dir(Optimiser), *orchestrator.__all__}, here
        assert not set(names) & set(dir(Optimiser)), here


def test_american_spellings_are_read_of_what_is_imported_too() -> None:
    from orchestrator import Optimizer, minimize  # type: ignore[attr-defined]

    assert (Optimizer, minimize) == (Optimiser, minimise)
    with pytest.raises(AttributeError, match=r"runs \(did you mean `maximise`\?\)"):
        orchestrator.maximse  # noqa: B018


def test_a_function_of_a_trial_is_told_that_parameters_are_stated_beforehand() -> None:
    with pytest.raises(AttributeError, match="suggest_float") as raised:
        minimise(lambda trial: trial.suggest_float("x", 0, 1), BOX, 3)  # type: ignore[attr-defined]
    assert any("stated beforehand" in note for note in raised.value.__notes__)


def test_a_goal_in_short_is_told_in_full() -> None:
    with pytest.raises(UsageError, match=r"got 'min' \(did you mean `minimise`\?\)"):
        Optimiser(BOX, goal="min")  # type: ignore[arg-type]


def test_a_mean_with_its_standard_error_is_told_as_a_variance() -> None:
    optimiser = Optimiser(BOX)
    (asked,) = optimiser.ask()
    with pytest.raises(UsageError, match=r'error is \{"value": 0.3, "variance": 0.1 \*\* 2\}$'):
        optimiser.tell(asked.trial, (0.3, 0.1))  # type: ignore[arg-type]
    optimiser.tell(asked.trial, {"value": 0.3, "variance": 0.1**2})


def test_points_of_which_some_is_to_be_chosen_are_attached_one_by_one() -> None:
    optimiser = Optimiser(BOX | {"y": (0.0, 1.0)}, algorithm="random")
    with pytest.raises(
        SpecError, match=r"`y`: expected a value, .*; where the rest is to be chosen, .* attach\("
    ):
        optimiser.attach_all([{"x": 0.5}])
    assert optimiser.attach({"x": 0.5}).parameters["x"] == pytest.approx(0.5)


@pytest.mark.parametrize("told", [None, {"x": 0.5}, 3, [{"x": 0.5}, 3]])
def test_points_that_are_no_list_of_mappings_are_refused(told: object) -> None:
    optimiser = Optimiser(BOX, algorithm="random")
    for take in (optimiser.attach_all, optimiser.parts_among):
        with pytest.raises(UsageError, match=r"expected as `points` a list of mappings, as .*, got "):
            take(told)  # type: ignore[arg-type]


def test_points_may_be_made_as_they_are_taken() -> None:
    optimiser = Optimiser(BOX, algorithm="random")
    attached = optimiser.attach_all({"x": x} for x in (0.25, 0.5))
    assert [one.parameters["x"] for one in attached] == pytest.approx([0.25, 0.5])
    assert optimiser.parts_among(iter([{"x": 0.75}])) == []


def test_how_the_value_itself_is_limited_is_said() -> None:
    with pytest.raises(
        SpecError, match="got `value`; the value is limited where it is returned a second time"
    ):
        Optimiser(BOX, outcomes=["drag"], constraints=["value <= 0.5"])
    limited = {"objectives": {"lift": "maximise"}, "constraints": ["value <= 0.5"]}
    found = minimise(lambda p: {"value": p["x"], "lift": p["x"]}, BOX, 6, algorithm="sobol", **limited)
    assert found.front()
    assert all(one.value <= 0.5 for one in found.front())
