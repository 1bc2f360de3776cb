"""A search for how plausible parameters are: how a spec says it, and what is refused."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.errors import UsageError
from orchestrator.spec.build import build_algorithm
from orchestrator.spec.checks.beside import refuse_beside

FITTED: dict[str, str | None] = {
    "objective": "objective: {fit: {lift: {value: 3.2, error: 0.1}, drag: {value: 1, error: 0.2}}}",
    "parameters": "parameters:\n  span: {type: float, bounds: [1, 20]}\n  shots: {type: int, bounds: [1, 9]}",
    "algorithm": "algorithm: {name: posterior}",
    "budget": "budget: {trials: 20}",
}


def refused(**lines: str | None) -> tuple[str, str]:
    """The sentence, and what stands from its caret on."""
    refusal = refusal_with(**(FITTED | lines))
    (sentence,), (place,) = sentences(refusal), under_caret(refusal)
    return sentence, place


def test_it_is_an_algorithm_of_a_fit() -> None:
    assert type(build_algorithm(spec_with(**FITTED))).__name__ == "PosteriorSearch"


@pytest.mark.parametrize(
    "objective",
    [
        "objective: {name: drag, goal: minimise}",
        'objective: {value: "span - 3 * lift", goal: maximise}\noutcomes: [lift]',
    ],
)
def test_of_another_objective_it_is_refused(objective: str) -> None:
    sentence, place = refused(objective=objective)
    assert sentence.startswith("expected an objective that is a fit, of which it learns how plausible")
    assert place.startswith("algorithm: {name: posterior}")


def test_a_target_without_its_error_is_refused() -> None:
    sentence, _ = refused(objective="objective: {fit: {lift: {value: 3.2, error: 0.1}, drag: 1}}")
    assert sentence.startswith("expected an error with each target, got none of `drag`")


@pytest.mark.parametrize("budget", ["target: 1", "patience: 5"])
def test_a_budget_by_the_best_value_is_refused_then_and_later(budget: str) -> None:
    sentence, place = refused(budget=f"budget: {{trials: 20, {budget}}}")
    name = budget.split(":")[0]
    assert sentence.startswith(f"expected no `{name}` beside `algorithm: posterior`: trials are for which")
    assert sentence.endswith("say `trials` or `time`")
    assert place.startswith(name)
    with pytest.raises(UsageError, match="beside `algorithm: posterior`"):
        refuse_beside(spec_with(**FITTED), ["patience"])


def test_of_what_is_left_to_gain_no_other_algorithm_is_recommended_that_cannot_tell_it_either() -> None:
    sentence, place = refused(budget="budget: {trials: 20, expected_gain: 0.1}")
    assert sentence.startswith("expected no `expected_gain` beside an objective that is computed")
    assert place.startswith("expected_gain")


def test_there_are_no_options() -> None:
    sentence, place = refused(algorithm="algorithm: {name: posterior, options: {start_points: 4}}")
    assert "start_points" in sentence
    assert place.startswith("start_points")
