"""Limits on outcomes that are relative to the reference: what is wrong with one is said where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.spec.load import load_spec_text

REFERENCE = "initial: {reference: {x: 0.5, n: 3}}"
OUTCOMES = "outcomes: [heat]"
TWICE = "heat <= 2 * reference(heat)"


def constrained(text: str) -> str:
    return f'constraints: ["{text}"]'


def test_one_is_known_once_the_reference_is() -> None:
    spec = spec_with(initial=REFERENCE, outcomes=OUTCOMES, constraints=constrained(TWICE))
    wanted, known = build_wanted_outcomes(spec), build_wanted_outcomes(spec.relative_to({"heat": 40.0}))
    assert wanted is not None
    assert known is not None
    assert (wanted.relative, wanted.settled) == (("heat",), ())
    assert (known.relative, len(known.settled)) == ((), 1)
    point = {"x": 0.5, "n": 3}
    assert known.judged(point, {"heat": 70.0}, 1.0).slacks == (10.0,)
    assert known.judged(point, {"heat": 90.0}, 1.0).broken == (TWICE,)
    before = wanted.judged(point, {"heat": 70.0}, 1.0)
    assert str(before.slacks) == "(nan,)"
    assert before.broken == (TWICE,)


def test_of_several_objectives_the_first_has_a_level_too() -> None:
    spec = spec_with(
        objective="objectives: {drag: minimise, lift: maximise}",
        initial=REFERENCE,
        constraints=constrained("drag <= 1.1 * reference(drag)"),
    ).relative_to({"drag": 10.0})
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    assert wanted.judged({"x": 0.5, "n": 3}, {"lift": 1.0}, 10.5).slacks == (0.5,)


@pytest.mark.parametrize(
    ("text", "initial", "sentence", "at"),
    [
        (
            "heat <= reference(heat)",
            "initial: {count: 3}",
            "expected settings that `heat` was measured at",
            8,
        ),
        ("heat <= reference(heet)", REFERENCE, "got `heet` (did you mean `heat`?)", 8),
        ("heat <= reference(x)", REFERENCE, "got `x`, a parameter; write the number", 8),
        ("heat <= reference(drag)", REFERENCE, "expected an outcome in `reference(…)` (`heat`)", 8),
        ("heat <= baseline(heat)", REFERENCE, "got `baseline`; what is measured of today's settings", 8),
        ("heat <= 1.05 * reference", REFERENCE, "got `reference`; what is measured of today's settings", 15),
        ("heat <= 1.05 * baseline", REFERENCE, "is written `reference(heat)`, and is that of an outcome", 15),
        ("probability(heat <= reference(heat)) >= 0.9", REFERENCE, "before anything is tried", 20),
    ],
)
def test_what_is_wrong_with_one_is_said_at_its_character(
    text: str, initial: str, sentence: str, at: int
) -> None:
    refusal = refusal_with(initial=initial, outcomes=OUTCOMES, constraints=constrained(text))
    assert any(sentence in one for one in sentences(refusal))
    assert any(found.startswith(text[at:]) for found in under_caret(refusal))


def test_one_without_outcomes_says_that_there_are_none() -> None:
    refusal = refusal_with(initial=REFERENCE, constraints=constrained("x <= reference(heat)"))
    assert "there are none), got `heat`; what the evaluator returns" in refusal


def test_a_clock_and_what_it_had_at_another_time_are_at_odds() -> None:
    time = "t: {type: float, bounds: [0, 9], unit: h}"
    refusal = refusal_with(
        parameters=f"parameters: {{x: {{type: float, bounds: [0, 1]}}, {time}}}",
        clock="clock: t",
        initial="initial: {reference: {x: 0.5}}",
        algorithm="algorithm: auto",
        outcomes=OUTCOMES,
        constraints=constrained("heat <= reference(heat)"),
    )
    assert "expected no limits relative to the reference beside `clock`" in refusal


def test_a_known_result_is_not_said_to_be_doubtful_for_a_reference_that_is_to_be_tried() -> None:
    lines = {
        "outcomes": OUTCOMES,
        "constraints": constrained(TWICE),
        "initial": "initial: {reference: {x: 0.5, n: 3}, results: [{x: 0.2, n: 3, drag: 1, heat: 2}]}",
    }
    remarks = load_spec_text(text_with(**lines), "wing.yaml", Path()).remarks
    assert not [remark for remark in remarks if "known result" in remark]


def test_the_reference_comes_first_as_often_as_it_is_to_be_evaluated() -> None:
    there, other = {"x": 0.5, "n": 3}, {"x": 0.1, "n": 2}
    first = "initial: {reference: {x: 0.5, n: 3}, reference_times: 3, points: [{x: 0.1, n: 2}]}"
    assert spec_with(initial=first).initial.points == [there, there, there, other]
    alone = "initial: {reference: {x: 0.5, n: 3}, reference_times: 2}"
    assert spec_with(initial=alone).initial.points == [there, there]


@pytest.mark.parametrize(
    ("initial", "sentence", "at"),
    [
        ("initial: {reference_times: 3}", "expected a `reference`, today's settings", "reference_times"),
        ("initial: {reference: {x: 0.5, n: 3}, reference_times: 0}", "of at least 1, got 0", "0"),
        ("initial: {reference: {x: 0.5, n: 3}, reference_times: 9999}", "of at most 1000, got 9999", "9999"),
        ("initial: {reference: {x: 0.5, n: 3}, reference_times: x}", "expected a whole number, got", "x"),
        ("initial: {reference: {x: 0.5, n: 77}, reference_times: 3}", "", "77"),
        ("initial: {reference: {x: 0.5}, reference_times: 3}", "expected a value for `n`", "{x: 0.5}"),
        (
            "initial: {reference: {x: 0.5, n: 3}, reference_times: 999}",
            "expected no more points than the budget of 24 trials, got 999, 999 of them the reference",
            "reference",
        ),
    ],
)
def test_what_is_wrong_with_how_often_is_said_once_and_there(initial: str, sentence: str, at: str) -> None:
    refusal = refusal_with(initial=initial)
    (said,) = sentences(refusal)
    assert sentence in said
    assert under_caret(refusal)[0].startswith(at)
