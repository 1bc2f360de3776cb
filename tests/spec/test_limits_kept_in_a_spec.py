"""Limits on outcomes that every trial is to keep: how they are written, and what cannot stand beside them."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, spec_with

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.expressions.constraints import Constraint, kept_among
from orchestrator.spec.build import build_problem, build_wanted_outcomes

KEPT = "probability(heat <= 80) >= 0.99"
OVEN = {
    "parameters": "parameters: {span: {type: float, bounds: [1, 9]}, sweep: {type: float, bounds: [0, 40]}}",
    "outcomes": "outcomes: [lift, heat]",
    "constraints": f"constraints: [lift >= 0.4, {KEPT}]",
    "algorithm": "algorithm: auto",
    "initial": "initial: {points: [{span: 2, sweep: 3}]}",
}


def refusal(**lines: str) -> str:
    return refusal_with(**(OVEN | lines))


def test_the_algorithm_is_told_which_slacks_are_kept_and_how_surely() -> None:
    spec = spec_with(
        **(OVEN | {"constraints": "constraints: [lift >= 0.4, 0.9 <= probability(9 < heat <= 80)]"})
    )
    problem = build_problem(spec)
    assert problem.outcome_constraints == 3
    assert problem.kept == (KeptLimit((1, 2), 0.9),)
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    judged = wanted.judged({"span": 2.0, "sweep": 3.0}, {"lift": 1.0, "heat": 81.0}, 1.0)
    assert judged.slacks == (0.6, 72.0, -1.0)
    assert judged.broken == ("0.9 <= probability(9 < heat <= 80)",)


def test_what_is_to_hold_is_what_stands_within_the_brackets() -> None:
    assert Constraint.of(KEPT).limit == "heat <= 80"
    assert Constraint.of("heat <= 80").kept is None
    assert kept_among(["heat <= 80", KEPT, "x + y == 1"]) == (KEPT,)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("probability(heat <= 80)", "expected `probability(heat <= 80) >= 0.99`, got"),
        ("probability(heat <= 80) <= 0.9", "how surely it is kept is the least that it may be"),
        ("probability(heat <= 80) >= 1", "expected a number above 0.5 and below 1 beside `probability`"),
        ("probability(heat <= 80) >= lift", "expected a number above 0.5 and below 1 beside `probability`"),
        ("probability(heat) >= 0.9", "expected one inequality within `probability`"),
        ("probability(span <= 4) >= 0.9", "expected an outcome within `probability`"),
        ("probability(heat <= 80) >= probability(lift >= 1)", "expected `probability(heat <= 80) >= 0.99`"),
    ],
)
def test_what_says_no_probability_is_refused_with_the_form(text: str, sentence: str) -> None:
    assert sentence in refusal(constraints=f"constraints: ['{text}']")


def test_a_run_begins_from_what_is_known_to_be_safe() -> None:
    sentence = (
        "expected a beginning that is known to be safe, as nothing is asked for before a result has kept"
    )
    assert f"{sentence} `heat <= 80`" in (without := refusal(initial=""))
    assert "got neither" in without
    result = "initial: {{results: [{{parameters: {{span: 2, sweep: 3}}, value: 1, outcomes: {{{}}}}}]}}"
    assert "got 1 results, none of which keeps it" in refusal(initial=result.format("heat: 90, lift: 1"))
    assert "got 1 results, none of which keeps it" in refusal(initial=result.format("lift: 1"))
    assert spec_with(**(OVEN | {"initial": result.format("heat: 70, lift: 1")}))


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            {"algorithm": "algorithm: gp-ei"},
            "limits on outcomes in every trial (`auto`), got `gp-ei`",
        ),
        (
            {"algorithm": "algorithm: {name: auto, options: {weigh_duration: true}}"},
            "expected no `options` beside limits that are kept in every trial",
        ),
        (
            {"initial": "initial: {count: 5, points: [{span: 2, sweep: 3}]}"},
            "expected no `count` beside limits that are kept in every trial: a start design lies all over",
        ),
        (
            {"factors": "factors: [[span], [sweep]]"},
            "expected no `factors` beside limits kept in every trial",
        ),
        (
            {
                "parameters": "parameters: {span: {type: float, bounds: [1, 9]}, "
                "sweep: {type: float, bounds: [0, 40], when: span > 3}}"
            },
            "expected no `when` beside limits that are kept in every trial",
        ),
        (
            {
                "parameters": "parameters: {span: {type: float, bounds: [1, 9], travel: 1}, "
                "sweep: {type: float, bounds: [0, 40]}}"
            },
            "expected no `travel` beside limits kept in every trial: what lies on the way",
        ),
    ],
)
def test_what_cannot_stand_beside_them_is_refused_with_why(lines: dict[str, str], sentence: str) -> None:
    assert sentence in refusal(**lines)


def test_beside_candidates_the_beginning_is_a_row_that_is_known_to_be_safe() -> None:
    rows = "candidates: [{span: 2, sweep: 3}, {span: 4, sweep: 9}, {span: 6, sweep: 20}]"
    lines: dict[str, str | None] = {"parameters": None, "candidates": rows}
    spec = spec_with(**(OVEN | lines | {"initial": "initial: {points: [{span: 4, sweep: 9}]}"}))
    assert build_problem(spec).kept
    elsewhere = {"initial": "initial: {points: [{span: 4, sweep: 10}]}"}
    assert "got one of none" in refusal_with(**(OVEN | lines | elsewhere))
