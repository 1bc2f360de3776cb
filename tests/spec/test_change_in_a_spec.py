"""What it takes to change settings: how a spec says it, and what is refused."""

from __future__ import annotations

import json

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.spec.build import build_space
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.schema import spec_schema
from orchestrator.values.change import Change

PARAMETERS = """\
parameters:
  nozzle: {type: choice, values: [a, b], change: 30 min}
  bed: {type: float, bounds: [40, 110], change: {up: 1 min, down: 4 min, per: 10}}
  gas: {type: float, bounds: [1.0e-6, 1.0e-2], scale: log, change: {takes: 1 min, per: 10}}
  shots: {type: int, bounds: [1, 9]}"""
SLOW = {"parameters": PARAMETERS, "mode": "mode: sequential"}
ONE = "parameters: {bed: TOLD, shots: {type: int, bounds: [1, 9]}}"


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(SLOW | lines))
    return sentences(refusal), under_caret(refusal)


def test_what_changes_take_is_the_runs_and_the_spaces() -> None:
    spec = spec_with(**SLOW)
    changes = {
        "nozzle": Change(1800.0, 1800.0),
        "bed": Change(60.0, 240.0, 10.0),
        "gas": Change(60.0, 60.0, 10.0, logarithmic=True),
    }
    assert policy_of(spec).where.changes == dict(build_space(spec).changes) == changes


def test_a_spec_without_them_has_none() -> None:
    assert policy_of(spec_with()).where.changes == {}


@pytest.mark.parametrize(
    ("told", "said", "at"),
    [
        ("{type: float, bounds: [0, 9], change: soon}", "expected a duration above 0", "soon"),
        (
            "{type: float, bounds: [0, 9], change: {takes: 60, per: -1}}",
            "as `per` a number above 0, in the parameter's own units, got -1",
            "-1}",
        ),
        (
            "{type: float, bounds: [0, 9], change: {up: 60, down: soon}}",
            "as `down` a duration above 0, such as `60 s`, `5 min`, `2 h` or `1 d`, got `soon`",
            "soon",
        ),
        (
            "{type: float, bounds: [0, 9], change: {up: 60}}",
            "as {takes: 2 min, per: 10}, got [up]",
            "change: {up",
        ),
        (
            "{type: choice, values: [3, 20], change: {takes: 60}}",
            "expected one duration, as 20 min",
            "change: {takes",
        ),
        ("{type: fixed, value: 3, change: 60}", "got `change`", "change: 60"),
        (
            "{type: float, bounds: [0, 9], change: 60, when: {shots: 3}}",
            "nobody can say from where",
            "change: 60",
        ),
    ],
)
def test_what_is_wrong_with_one_is_said_at_its_place(told: str, said: str, at: str) -> None:
    (sentence,), (there,) = refused(parameters=ONE.replace("TOLD", told))
    assert said in sentence
    assert there.startswith(at)


def test_trials_come_one_after_the_other_from_one_machine() -> None:
    (in_turn,), _ = refused(mode=None)
    assert "expected `mode: sequential` beside `change`" in in_turn
    (one,), (there,) = refused(workers="workers: {local: 2}")
    assert "expected one worker beside `change`, got 2" in one
    assert there.startswith("workers")


def test_an_algorithm_has_to_hold_what_stays() -> None:
    (sentence,), _ = refused(algorithm="algorithm: {name: soo}")
    assert "expected an algorithm that holds parameters" in sentence


def test_what_an_evaluation_takes_is_said_beside_a_change_alone() -> None:
    evaluation = 'evaluation: {evaluator: "json:dumps", takes: 6 min}'
    assert spec_with(**SLOW, evaluation=evaluation).evaluation.takes_s == 360.0
    sentence, there = sentences(alone := refusal_with(evaluation=evaluation)), under_caret(alone)
    assert "expected a parameter with a `change` beside `takes`" in sentence[0]
    assert there[0].startswith("takes")


def test_editors_are_told_what_may_stand_there() -> None:
    schema = json.dumps(spec_schema())
    assert "What it takes to change it from one evaluation to the next" in schema
    assert '"down"' in schema
