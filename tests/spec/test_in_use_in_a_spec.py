"""What varies in use: how a spec says it, and what is refused."""

from __future__ import annotations

import json

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.runtime.recovery.recover import policy_of
from orchestrator.spec.build import build_algorithm, build_problem
from orchestrator.spec.schema import spec_schema

PARAMETERS = """\
parameters:
  span: {type: float, bounds: [1, 20]}
  shots: {type: int, bounds: [1, 9]}
  wind: {type: float, bounds: [0, 20], in_use: {mean: 8, deviation: 3}}
  air: {type: choice, values: [clean, icy], in_use: {chances: [0.8, 0.2]}}"""
OBJECTIVE = "objective: {name: drag, goal: minimise, over: {worst: 0.1}}"
VARYING: dict[str, str | None] = {
    "parameters": PARAMETERS,
    "objective": OBJECTIVE,
    "algorithm": "algorithm: {name: auto}",
}


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(VARYING | lines))
    return sentences(refusal), under_caret(refusal)


def test_what_varies_is_the_problems_and_no_trial_is_the_best() -> None:
    spec = spec_with(**VARYING)
    in_use = build_problem(spec).in_use
    assert in_use is not None
    assert in_use.coordinates == (2, 3)
    assert in_use.over.share == 0.1
    policy = policy_of(spec)
    assert policy.in_use == ("wind", "air")
    assert policy.no_trial_is_best
    assert policy.over == "on average over the worst 10 % of what comes up in use"
    assert type(build_algorithm(spec)).__name__ == "BestInUse"


def test_a_spec_without_any_is_as_ever() -> None:
    assert build_problem(spec_with()).in_use is None
    assert not policy_of(spec_with()).no_trial_is_best


def test_over_what_has_to_be_there() -> None:
    parameters = "parameters:\n  span: {type: float, bounds: [1, 20]}"
    (sentence,), (place,) = refused(parameters=parameters)
    assert sentence.startswith("expected a parameter that varies in use beside `over`")
    assert place.startswith("over")


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("{type: float, bounds: [0, 20], in_use: sometimes}", "expected how it varies in use"),
        ("{type: float, bounds: [0, 20], in_use: {mean: 8}}", "expected how it varies in use"),
        ("{type: float, bounds: [0, 20], in_use: {chances: [0.5, 0.5]}}", "expected no `chances`"),
        ("{type: choice, values: [a, b], in_use: {chances: [1]}}", "expected a chance for each value"),
    ],
)
def test_how_it_cannot_vary_is_said_where_it_stands(own: str, words: str) -> None:
    (sentence,), _ = refused(
        parameters=f"parameters:\n  span: {{type: float, bounds: [1, 20]}}\n  wind: {own}"
    )
    assert sentence.startswith(words)


def test_a_wrong_share_is_said_with_what_there_is() -> None:
    (sentence,), _ = refused(objective="objective: {name: drag, goal: minimise, over: {worst: 10}}")
    assert "between 0 and 1, such as 0.1" in sentence
    (sentence,), _ = refused(objective="objective: {name: drag, goal: minimise, over: often}")
    assert "`average`, `worst`, `{worst: 0.1}` or `{quantile: 0.1}`" in sentence


def test_constraints_are_of_the_design_alone_be_they_of_what_follows() -> None:
    (sentence,), (place,) = refused(constraints="constraints: [span < wind]")
    assert sentence.startswith("expected no constraint of `wind`, which varies in use")
    assert place.startswith("span < wind")
    computed = f"{PARAMETERS}\n  load: {{type: computed, value: wind * span, bounds: [0, 100]}}"
    (sentence,), _ = refused(parameters=computed)
    assert sentence.startswith("expected no constraint of `wind`")


def test_something_is_left_to_choose_and_always_counts() -> None:
    (sentence,), _ = refused(parameters="parameters:\n  wind: {type: float, bounds: [0, 20], in_use: evenly}")
    assert sentence.startswith("expected at least one parameter to choose")
    (sentence,), _ = refused(
        parameters=f"{PARAMETERS}\n  gap: {{type: float, bounds: [0, 1], when: shots >= 2}}"
    )
    assert sentence.startswith("expected no `when` beside `in_use`")


def test_other_algorithms_and_options_are_refused() -> None:
    (sentence,), _ = refused(algorithm="algorithm: {name: random}")
    assert sentence.startswith("expected an algorithm that looks for what is best over what varies in use")
    assert "fix those parameters" in sentence
    (sentence,), _ = refused(algorithm="algorithm: {name: auto, options: {start_points: 4}}")
    assert sentence.startswith("expected no `options` beside `in_use`")


def test_what_is_recorded_of_several_is_as_long() -> None:
    own = "{{type: float, bounds: [0, 9], in_use: {{recorded: {}}}}}"
    (sentence,), _ = refused(
        parameters=f"parameters:\n  span: {{type: float, bounds: [1, 20]}}\n  wind: {own.format([1, 2, 3])}"
        f"\n  rain: {own.format([1, 2])}"
    )
    assert sentence.endswith("got 3 and 2")


def test_the_schema_knows_it() -> None:
    told = json.dumps(spec_schema())
    assert '"in_use"' in told
    assert '"over"' in told
