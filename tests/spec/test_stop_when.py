"""When an evaluation is given up early: from the step that the spec names, beyond its limit and not at it."""

from __future__ import annotations

import math

import pytest
from spec_texts import refusal_with, sentences, under_caret

from orchestrator.spec.sections.stop_when import StopWhen


def test_the_first_step_at_which_a_limit_counts_is_the_one_that_is_named() -> None:
    rule = StopWhen(quantity="loss", above=2.0, after=5)
    assert rule.reason(4, {"loss": 9.0}) == ""
    assert rule.reason(5, {"loss": 9.0}) == "stopped: loss was 9 at step 5, above 2"


@pytest.mark.parametrize(
    ("limit", "at_it", "beyond"),
    [({"above": 2.0}, 2.0, 2.5), ({"below": 2.0}, 2.0, 1.5), ({"above": 0.0}, 0.0, 0.5)],
)
def test_a_quantity_at_its_limit_may_go_on(limit: dict[str, float], at_it: float, beyond: float) -> None:
    rule = StopWhen.model_validate({"quantity": "loss", **limit})
    assert rule.reason(1, {"loss": at_it}) == ""
    assert rule.reason(1, {"loss": beyond}).startswith(f"stopped: loss was {beyond:g} at step 1, ")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("limit", ["above", "below"])
def test_what_diverges_is_beyond_any_limit(limit: str, number: float) -> None:
    rule = StopWhen.model_validate({"quantity": "loss", limit: 2.0, "after": 3})
    assert rule.reason(2, {"loss": number}) == ""
    said = f"stopped: loss was {number:g} at step 3, which counts as {limit} 2"
    assert rule.reason(3, {"loss": number}) == said


def test_progress_that_does_not_say_the_quantity_stops_nothing() -> None:
    assert StopWhen(quantity="loss", below=2.0).reason(9, {"accuracy": 0.0}) == ""


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("{quantity: loss}", "expected `above`, `below` or `chance_below`, as in "),
        ("{quantity: loss, above: 1, below: 2}", "expected one of `above` and `below`, got both; as in "),
        (
            "{quantity: loss, above: 1, among_best: 0.2}",
            "expected `chance_below` beside `among_best`, as in ",
        ),
        ("{quantity: loss, below: 1, completed: 9}", "expected `chance_below` beside `completed`, as in "),
        ("[{quantity: loss, above: 1}]", "expected one rule, as in `{quantity: loss, above: 2, "),
        ("loss > 2", "expected one rule, as in "),
        ("{quantity: loss, chance_below: 1}", "expected a number below 1, got 1"),
        ("{quantity: loss, chance_below: 0.1, completed: 4}", "expected a number of at least 5, got 4"),
    ],
)
def test_a_rule_that_stops_nothing_or_everything_is_refused(rule: str, sentence: str) -> None:
    refusal = refusal_with(evaluation=f"evaluation: {{evaluator: 'json:dumps', stop_when: {rule}}}")
    (complaint,) = sentences(refusal)
    assert complaint.startswith(sentence)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"outcomes": "outcomes: [heat]", "constraints": "constraints: ['heat <= 80']"}, "`outcomes`"),
        (
            {
                "objective": "objectives: [{name: drag, goal: minimise}, {name: mass, goal: minimise}]",
            },
            "further objectives",
        ),
    ],
)
def test_chances_are_those_of_one_value(changes: dict[str, str], why: str) -> None:
    rule = "{quantity: loss, chance_below: 0.1}"
    refusal = refusal_with(
        evaluation=f"evaluation: {{evaluator: 'json:dumps', stop_when: {rule}}}", **changes
    )
    (said,) = sentences(refusal)
    assert said.startswith(f"expected no `chance_below` beside {why}: a trial's chances are those of ")
    assert under_caret(refusal)[0].startswith("chance_below: 0.1")


def test_what_is_unlikely_is_said_with_its_chance() -> None:
    half = StopWhen(quantity="loss", chance_below=0.1).unlikely(7, 0.25, 0.0421)
    assert half == (
        "stopped at step 7, where loss was 0.25: with probability 0.042 it would have ended among the better"
        " half of the trials before it"
    )
    tenth = StopWhen(quantity="loss", chance_below=0.1, among_best=0.1).unlikely(7, 0.25, 0.0)
    assert "with probability below 0.001 it would have ended among the best 10 % of the trials" in tenth
