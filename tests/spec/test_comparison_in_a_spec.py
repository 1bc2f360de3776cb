"""An objective that people compare: how a spec says it, and what is refused beside it."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.algorithms.by_comparison import ByComparison
from orchestrator.spec.build import build_algorithm, build_problem
from orchestrator.spec.policy_of_spec import policy_of

COMPARED = {
    "objective": "objective: {name: taste, told: by comparison}",
    "algorithm": None,
    "evaluation": "evaluation: {evaluator: person}",
    "workers": "workers: {local: 0}",
    "mode": "mode: sequential",
}


def test_the_scheduler_and_the_algorithm_are_told() -> None:
    spec = spec_with(**COMPARED)
    assert policy_of(spec).results.compared
    assert build_problem(spec).compared
    assert isinstance(build_algorithm(spec), ByComparison)


def test_a_spec_that_does_not_say_so_has_values() -> None:
    assert not policy_of(spec_with()).results.compared
    assert not build_problem(spec_with()).compared


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("objective: {told: by comparison, goal: maximise}", "leave it out", "goal: maximise"),
        ("objective: {told: by comparison, noise: 0.1}", "inferred", "noise: 0.1"),
        ("objective: {told: by comparison, unit: g}", "no values", "unit: g"),
        ("algorithm: random", "learns from comparisons (`auto`), got `random`", "random"),
        ("algorithm: {name: auto, options: {start_points: 3}}", "has none", "options"),
        ("budget: {patience: 3}", "no trial has a value", "patience"),
        ("budget: {trials: 8, target: 3}", "no trial has a value", "target"),
        (
            "evaluation: {evaluator: 'json:dumps', stop_when: {quantity: heat, chance_below: 0.1}}",
            "no value is foreseen",
            "chance_below",
        ),
        ("held: {x: 0.5}", "fix the parameter", "held"),
        ("outcomes: [heat]", "is kept all the same", "outcomes"),
        ("factors: [[x], [n]]", "made of comparisons", "factors"),
        ("initial: {results: [{x: 0, n: 1, taste: 3}]}", "no `results`", "results"),
        ("parameters: {x: {type: float, bounds: [0, 1], tolerance: 0.1}}", "no `tolerance`", "tolerance"),
    ],
)
def test_what_cannot_stand_beside_it_is_refused_at_its_place(line: str, said: str, at: str) -> None:
    refusal = refusal_with(**(COMPARED | {line.partition(":")[0]: line}))
    assert any(said in one for one in sentences(refusal)), refusal
    assert any(one.startswith(at) for one in under_caret(refusal)), refusal
