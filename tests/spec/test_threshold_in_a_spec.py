"""Where a value crosses a threshold: how a spec says it, and what is refused."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.report.words.goals import sought_words
from orchestrator.spec.build import build_algorithm, build_problem
from orchestrator.spec.policy_of_spec import policy_of

OBJECTIVE = "objective: {name: drag, threshold: 0.3, unit: N}"
CROSSED: dict[str, str | None] = {
    "objective": OBJECTIVE,
    "parameters": "parameters:\n  span: {type: float, bounds: [1, 20]}\n  shots: {type: int, bounds: [1, 9]}",
    "algorithm": "algorithm: {name: explore}",
    "budget": "budget: {trials: 20}",
}


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(CROSSED | lines))
    return sentences(refusal), under_caret(refusal)


@pytest.mark.parametrize("name", ["auto", "explore"])
def test_it_is_the_problems_and_no_trial_is_the_best(name: str) -> None:
    spec = spec_with(**(CROSSED | {"algorithm": f"algorithm: {{name: {name}}}"}))
    assert build_problem(spec).threshold == 0.3
    assert policy_of(spec).no_trial_is_best
    assert type(build_algorithm(spec)).__name__ == "BoundarySearch"
    assert sought_words(spec) == "learn where drag is above 0.3 N"


def test_a_spec_without_one_is_as_ever() -> None:
    assert build_problem(spec_with()).threshold is None
    assert not policy_of(spec_with()).no_trial_is_best


def test_there_is_no_goal_beside_it_and_without_it_there_is_one() -> None:
    (sentence,), (place,) = refused(objective="objective: {name: drag, goal: maximise, threshold: 0.3}")
    assert sentence.startswith("expected no `goal` beside `threshold`: what is sought is where")
    assert place.startswith("goal")
    (sentence,), _ = refused(objective="objective: {name: drag}")
    assert "expected the key `goal`" in sentence


@pytest.mark.parametrize("told", ["high", ".inf", "[1, 2]"])
def test_it_is_one_number(told: str) -> None:
    (sentence, *_), _ = refused(objective=f"objective: {{name: drag, threshold: {told}}}")
    assert sentence.startswith("expected a")


def test_other_algorithms_are_refused_with_those_that_do() -> None:
    (sentence,), _ = refused(algorithm="algorithm: {name: random}")
    assert sentence.startswith(
        "expected an algorithm that looks for where values cross a threshold (`auto` or `explore`), got"
    )


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            {"budget": "budget: {trials: 20, target: 3}"},
            "expected no `target` beside `threshold`: no value is",
        ),
        ({"budget": "budget: {trials: 20, patience: 5}"}, "expected no `patience` beside `threshold`"),
        ({"clock": "clock: span"}, "expected no `clock` beside `threshold`: what is above it now"),
        (
            {"outcomes": "outcomes: [heat]", "constraints": "constraints: [heat < 3]"},
            "expected no constraints on outcomes beside `threshold`: all of the domain",
        ),
        (
            {
                "objective": "objective: {name: drag, threshold: 1, value: heat * 2}",
                "outcomes": "outcomes: [heat]",
            },
            "expected no objective that is computed beside `threshold`",
        ),
        (
            {"parameters": "parameters:\n  span: {type: float, bounds: [1, 20], tolerance: 1}"},
            "expected no `tolerance` beside `threshold`",
        ),
    ],
)
def test_what_makes_no_sense_beside_it_is_refused_with_a_sentence(
    lines: dict[str, str | None], words: str
) -> None:
    told, _ = refused(**lines)
    assert any(sentence.startswith(words) for sentence in told), told
