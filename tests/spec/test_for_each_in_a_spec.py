"""The best settings for each condition: how a spec asks for them, and what is refused."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.report.words.spec import spec_words
from orchestrator.spec.build import build_algorithm, build_problem
from orchestrator.spec.policy_of_spec import policy_of

PARAMETERS = """\
parameters:
  speed: {type: float, bounds: [1, 20]}
  blade: {type: choice, values: [thin, thick]}
  load: {type: float, bounds: [0, 20], in_use: evenly}"""
FOR_EACH: dict[str, str | None] = {
    "parameters": PARAMETERS,
    "objective": "objective: {name: power, goal: minimise, over: each}",
    "algorithm": "algorithm: {name: auto}",
}


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(FOR_EACH | lines))
    return sentences(refusal), under_caret(refusal)


def test_each_condition_has_its_own_best_and_no_trial_is_the_best() -> None:
    spec = spec_with(**FOR_EACH)
    in_use = build_problem(spec).in_use
    assert in_use is not None
    assert in_use.over.each
    assert in_use.over.told == "each"
    policy = policy_of(spec)
    assert policy.sought.for_each
    assert policy.no_trial_is_best
    assert policy.sought.over == "for each of what comes up in use"
    assert type(build_algorithm(spec)).__name__ == "BestForEach"
    assert "minimise power over 3 parameters, best settings for each load, with auto" in spec_words(spec)


def test_constraints_may_be_of_settings_and_their_condition() -> None:
    spec = spec_with(**FOR_EACH, constraints="constraints: [speed + load <= 30]")
    assert build_problem(spec).domain.ties is not None


def test_it_may_end_when_little_is_left_to_gain_over_all_conditions() -> None:
    spec = spec_with(**(FOR_EACH | {"budget": "budget: {trials: 9, expected_gain: 0.1}"}))
    assert policy_of(spec).budget.expected_gain == 0.1


def test_the_algorithm_has_the_options_of_auto() -> None:
    told = FOR_EACH | {"algorithm": "algorithm: {name: auto, options: {weigh_duration: true}}"}
    assert type(build_algorithm(spec_with(**told))).__name__ == "BestForEach"


def test_there_has_to_be_a_condition() -> None:
    (sentence,), (place,) = refused(parameters="parameters:\n  speed: {type: float, bounds: [1, 20]}")
    assert sentence.startswith("expected a parameter that varies in use beside `over`")
    assert place.startswith("over: each")


def test_what_counts_by_a_condition_is_refused_and_what_counts_by_a_setting_is_not() -> None:
    more = "\n  sharp: {type: float, bounds: [0, 1], when: "
    (sentence,), (place,) = refused(parameters=f"{PARAMETERS}{more}load >= 3}}")
    assert sentence.startswith("expected `when` of what is chosen alone beside `over: each`")
    assert place.startswith("when")
    assert build_problem(spec_with(**(FOR_EACH | {"parameters": f"{PARAMETERS}{more}{{blade: thin}}}}"})))


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            {"budget": "budget: {trials: 9, target: 3}"},
            "no `target` beside `over: each`: it is about one value in",
        ),
        (
            {"algorithm": "algorithm: {name: explore}"},
            "looks for what is best over what varies in use (`auto`)",
        ),
        (
            {"outcomes": "outcomes: [heat]", "constraints": "constraints: [heat <= 3]"},
            "no constraints on outcomes",
        ),
    ],
)
def test_what_is_at_odds_with_it_is_refused_in_a_sentence(lines: dict[str, str], sentence: str) -> None:
    told, _ = refused(**lines)
    assert any(sentence in one for one in told), told
