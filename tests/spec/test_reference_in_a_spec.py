"""`initial: {reference: …}`: the point that the best one is measured against, and that is tried first."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

CONSTRAINED = "constraints: [x <= 0.1 * n]"


def test_it_is_the_first_of_the_points_with_what_is_fixed() -> None:
    parameters = "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9]}, c: 3}"
    initial = "initial: {points: [{x: 1, n: 2}], reference: {x: 0.5, n: 3.0}}"
    spec = spec_with(parameters=parameters, initial=initial)
    assert spec.initial.reference is not None
    assert spec.initial.points == [{"x": 0.5, "n": 3, "c": 3}, {"x": 1.0, "n": 2, "c": 3}]


def test_it_needs_no_other_points_and_without_one_there_is_none() -> None:
    assert spec_with(initial="initial: {reference: {x: 0.5, n: 3}}").initial.points == [{"x": 0.5, "n": 3}]
    assert spec_with(initial="initial: {points: [{x: 1, n: 2}]}").initial.reference is None


@pytest.mark.parametrize(
    ("reference", "said", "at"),
    [
        ("{x: 2, n: 3}", ["expected a number in [0, 1] for `x`, got 2"], ["2, n: 3}}"]),
        ("{x: 1}", ["expected a value for `n`, but it is missing"], ["{x: 1}}"]),
        (
            "{x: 1, N: 1}",
            [
                "expected the parameters `x` and `n`, got `N` (did you mean `n`?)",
                "expected a value for `n`, but it is missing",
            ],
            ["N: 1}}", "{x: 1, N: 1}}"],
        ),
        (
            "{x: 1, n: 3}",
            ["expected a point that satisfies `x <= 0.1 * n`, got one that does not"],
            ["{x: 1,"],
        ),
    ],
)
def test_what_is_wrong_of_it_is_said_once_where_it_stands(
    reference: str, said: list[str], at: list[str]
) -> None:
    refusal = refusal_with(initial=f"initial: {{reference: {reference}}}", constraints=CONSTRAINED)
    assert sorted(sentences(refusal)) == sorted(said)
    for place in at:
        assert any(found.startswith(place) for found in under_caret(refusal))


def test_what_is_no_point_at_all_is_refused_once() -> None:
    assert len(sentences(refusal_with(initial="initial: {reference: [1, 2]}"))) == 1
    assert len(sentences(refusal_with(initial="initial: {reference: {x: [1], n: 2}}"))) == 1


def test_the_budget_pays_for_it() -> None:
    said = refusal_with(
        initial="initial: {reference: {x: 1, n: 2}, points: [{x: 0, n: 1}]}", budget="budget: {trials: 1}"
    )
    assert "expected no more points than the budget of 1 trials, got 2" in said


def test_of_trials_that_are_compared_nobody_says_by_how_much_one_is_better() -> None:
    said = refusal_with(
        objective="objective: {name: taste, told: by comparison}",
        algorithm=None,
        initial="initial: {reference: {x: 1, n: 2}}",
    )
    assert "expected no `reference` beside `told: by comparison`: by how much one trial is better" in said


def test_where_evaluations_may_look_less_closely_it_looks_as_closely_as_the_best() -> None:
    lines = {
        "algorithm": "algorithm: auto",
        "fidelity": 'fidelity: {parameter: n, cost: "n ** 2"}',
        "budget": "budget: {cost: 40}",
    }
    said = refusal_with(initial="initial: {reference: {x: 0.5, n: 3}}", **lines)
    assert sentences(said) == ["expected a reference at full fidelity, `n` = 9, as the best point is, got 3"]
    assert under_caret(said)[0].startswith("3}}")
    spec = spec_with(initial="initial: {reference: {x: 0.5, n: 9.0}}", **lines)
    assert spec.initial.points == [{"x": 0.5, "n": 9}]
