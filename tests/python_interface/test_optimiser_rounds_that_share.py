"""Rounds that are asked for together and have some parameters in common, as samples in one oven have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser
from orchestrator.errors import OrchestratorError, SpecError
from orchestrator.parameters.space import Space
from orchestrator.values.named import Values

KILN: Mapping[str, Any] = {
    "heat": (1000.0, 1300.0),
    "minutes": {"type": "float", "bounds": [10.0, 120.0], "scale": "log"},
    "flux": {"type": "choice", "values": ["boron", "ash"]},
    "copper": (0.0, 5.0),
}


def gloss(parameters: Mapping[str, Any]) -> float:
    heat = (parameters["heat"] - 1180.0) / 60.0 + (0.3 if parameters["flux"] == "ash" else 0.0)
    return float(-(heat**2) - (parameters["copper"] - 2.0 - heat / 3.0) ** 2)


def kiln(**more: Any) -> Optimiser:
    return Optimiser(KILN, goal="maximise", seed=4, noise=0.0, **more)


def fired(optimiser: Optimiser, rounds: int, sharing: Sequence[str] = ("heat", "minutes")) -> list[Any]:
    """What each round had in common, as its first trial has it, once it was told."""
    had = []
    for _ in range(rounds):
        asked = optimiser.ask(5, sharing=sharing)
        had.append({name: asked[0].parameters[name] for name in sharing})
        for one in asked:
            assert {name: one.parameters[name] for name in sharing} == had[-1]
            optimiser.tell(one.trial, gloss(one.parameters))
    return had


@pytest.mark.parametrize("algorithm", ["auto", "sobol", "gp-ei"])
def test_all_of_a_round_have_to_the_digit_what_they_share(algorithm: str) -> None:
    fired(kiln(algorithm=algorithm), 3)


def test_whole_numbers_and_choices_are_shared_as_well() -> None:
    optimiser = Optimiser(
        {**KILN, "racks": {"type": "int", "bounds": [1, 6]}}, goal="maximise", algorithm="gp-ei"
    )
    had = fired(optimiser, 3, ("racks", "flux"))
    assert all(isinstance(one["racks"], int) for one in had)


def test_the_first_rounds_are_spread_over_what_they_share() -> None:
    quarters = {int((one["heat"] - 1000.0) // 75.0) for one in fired(kiln(algorithm="sobol"), 4)}
    assert quarters == {0, 1, 2, 3}


def test_trials_of_a_round_differ_in_what_is_left() -> None:
    for _ in range(4):
        asked = kiln().ask(5, sharing=["heat", "minutes"])
        assert len({one.parameters["copper"] for one in asked}) == 5


def test_the_others_of_a_round_say_which_trial_settled_it() -> None:
    first, *others = kiln().ask(3, sharing=["heat"])
    assert "round" not in first.why
    shares = {"heat": first.parameters["heat"]}
    assert [one.why["round"] for one in others] == [{"of": 1, "shares": shares}] * 2


def test_something_else_may_be_held_beside_what_is_shared() -> None:
    asked = kiln().ask(4, held={"flux": "ash"}, sharing=["heat"])
    assert {(one.parameters["flux"], one.parameters["heat"]) for one in asked} == {
        ("ash", asked[0].parameters["heat"])
    }


def test_what_an_earlier_process_left_of_a_round_settles_the_rest(tmp_path: Path) -> None:
    store = tmp_path / "kiln.jsonl"
    before = kiln(store=store)
    first = before.ask(5, sharing=["heat"])
    for one in first[:3]:
        before.tell(one.trial, gloss(one.parameters))
    before.close()
    after = kiln(store=store)
    asked = after.ask(5, sharing=["heat"])
    after.close()
    assert [one.trial for one in asked] == [4, 5, 6, 7, 8]
    assert {one.parameters["heat"] for one in asked} == {first[0].parameters["heat"]}


@pytest.mark.parametrize(
    ("sharing", "said"),
    [
        ("heat", "expected as `sharing` a list of names"),
        ([["heat"]], "expected as `sharing` a list of names"),
        (["heats"], "did you mean `heat`?"),
        (["heat", "heat"], "each parameter that trials share once"),
        (list(KILN), "all of them would be alike"),
    ],
)
def test_what_cannot_be_shared_is_refused_in_a_sentence(sharing: Any, said: str) -> None:
    with pytest.raises(OrchestratorError, match=said.replace("?", r"\?")):
        kiln().ask(3, sharing=sharing)


def test_the_clock_and_how_closely_to_look_are_not_shared() -> None:
    warming = Optimiser({"hours": (0.0, 9.0), "x": (0.0, 1.0), "y": (0.0, 1.0)}, clock="hours")
    with pytest.raises(OrchestratorError, match="`hours`, which is the clock"):
        warming.ask(2, held={"hours": 1.0}, sharing=["hours"])
    cells = {"type": "int", "bounds": [10, 40]}
    meshed = Optimiser({"cells": cells, "x": (0.0, 1.0)}, fidelity={"parameter": "cells", "cost": "cells"})
    with pytest.raises(OrchestratorError, match="says how closely an evaluation looks"):
        meshed.ask(2, sharing=["cells"])


def test_an_algorithm_that_holds_no_parameters_shares_none() -> None:
    with pytest.raises(OrchestratorError, match="expected an algorithm that holds parameters"):
        kiln(algorithm="turbo").ask(2, sharing=["heat"])


def test_where_nothing_is_found_beside_the_first_all_are_as_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def held_nowhere(_space: Space, held: Values) -> None:
        if held:
            raise SpecError("no point was found")

    monkeypatch.setattr("orchestrator.algorithms.sharing.held_within", held_nowhere)
    first, *others = kiln().ask(3, sharing=["heat"])
    assert [one.parameters for one in others] == [first.parameters] * 2
    assert [one.why["round"]["of"] for one in others] == [1, 1]


def test_what_is_held_anyway_is_not_settled_by_a_trial_of_the_round() -> None:
    asked = kiln().ask(3, held={"heat": 1100.0}, sharing=["heat"])
    assert [one.why.get("round") for one in asked] == [None] * 3
    assert [one.parameters for one in asked] == [
        one.parameters for one in kiln().ask(3, held={"heat": 1100.0})
    ]
