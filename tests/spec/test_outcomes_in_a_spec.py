"""Outcomes in a spec: named, constrained, known of results from elsewhere, and checked with the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.build import build_problem, build_space, build_wanted_outcomes
from orchestrator.spec.load import load_spec_text

PARAMETERS = "parameters: {span: {type: float, bounds: [1, 9]}, sweep: {type: float, bounds: [0, 40]}}"
OBJECTIVE = "objective: {name: drag, goal: minimise}"
OUTCOMES = "outcomes: [lift, heat]"
CONSTRAINTS = "constraints: [span <= sweep, lift >= 0.4, 10 <= heat < 80 * span]"
WING = {
    "parameters": PARAMETERS,
    "objective": OBJECTIVE,
    "outcomes": OUTCOMES,
    "constraints": CONSTRAINTS,
    "algorithm": "algorithm: auto",
}


def remarks_on(folder: Path = Path(), **lines: str) -> list[str]:
    return list(load_spec_text(text_with(**(WING | lines)), "wing.yaml", folder).remarks)


def test_constraints_are_those_of_parameters_and_those_of_outcomes() -> None:
    spec = spec_with(**WING)
    assert build_space(spec).constraints == ("span <= sweep",)
    outcomes = build_wanted_outcomes(spec)
    assert outcomes is not None
    assert [constraint.text for constraint in outcomes.constraints] == spec.constraints[1:]
    assert build_problem(spec).outcome_constraints == 3


@pytest.mark.parametrize("name", ['""', "'a`b'", "'a, b'"])
def test_names_that_nobody_could_write_are_refused(name: str) -> None:
    refusal = refusal_with(**(WING | {"outcomes": f"outcomes: [{name}]", "constraints": ""}))
    assert "expected names of outcomes of at most 100 characters" in refusal


def test_a_pattern_has_to_name_each_of_them() -> None:
    command = "[./wing, '{span}', '{sweep}']"
    lines = WING | {
        "evaluation": f"evaluation: {{command: {command}, output: {{pattern: '(.*) (?P<lift>.*)'}}}}"
    }
    refusal = refusal_with(**lines)
    assert "expected a group of the pattern for the outcome `heat`, as `(?P<heat>...)`, got none" in refusal
    named = lines["evaluation"].replace("(.*)", "(.*) (?P<heat>.*)")
    assert spec_with(**(lines | {"evaluation": named})).outcomes == ["lift", "heat"]


def test_a_pattern_that_names_an_outcome_first_has_to_name_the_value_too() -> None:
    command = "[./wing, '{span}', '{sweep}']"
    unnamed = "(?P<lift>.*) (?P<heat>.*) (.*)"
    evaluation = f"evaluation: {{command: {command}, output: {{pattern: '{unnamed}'}}}}"
    refusal = refusal_with(**(WING | {"evaluation": evaluation}))
    expected = "expected a group of the pattern for the value, as `(?P<value>...)` or `(?P<drag>...)`"
    assert f"{expected}, got `lift` as its first" in refusal
    for named in ("(?P<lift>.*) (?P<heat>.*) (?P<drag>.*)", "(.*) (?P<lift>.*) (?P<heat>.*)"):
        assert spec_with(**(WING | {"evaluation": evaluation.replace(unnamed, named)})).outcomes


def test_what_is_left_to_gain_is_estimated_where_no_constraint_is_about_an_outcome() -> None:
    lines = WING | {"constraints": "", "budget": "budget: {expected_gain: 0.1, trials: 9}"}
    assert spec_with(**lines).budget.expected_gain == 0.1


def test_without_outcomes_there_are_none() -> None:
    spec = spec_with(**(WING | {"outcomes": "", "constraints": ""}))
    assert build_wanted_outcomes(spec) is None
    assert build_problem(spec).outcome_constraints == 0


def test_a_single_one_needs_no_list() -> None:
    assert spec_with(**(WING | {"outcomes": "outcomes: lift", "constraints": ""})).outcomes == ["lift"]


@pytest.mark.parametrize(
    ("lines", "said", "at"),
    [
        ({"outcomes": "outcomes: [span]"}, "got `span`, which is a parameter", "span]"),
        (
            {"constraints": "constraints: [lift >= 0.1, drag <= 3]"},
            "got `drag`, which is the objective; what is good enough of it is a `target` of the budget",
            "drag <=",
        ),
        (
            {"constraints": "constraints: [lift - drag >= 3]"},
            "got `drag`, which is the objective; have it returned a second time, as an outcome by another",
            "drag >=",
        ),
        ({"outcomes": "outcomes: [drag]"}, "got `drag`, which is the objective's own", "drag]"),
        ({"outcomes": "outcomes: [lift, value]"}, "got `value`, which is the objective's own", "value]"),
        ({"outcomes": "outcomes: [heat, heat]", "constraints": ""}, "got `heat` again", "heat]"),
        ({"outcomes": ""}, "got `lift`; what the evaluator returns beside the value is named", "lift >= 0.4"),
        (
            {"constraints": "constraints: [lfit >= 0.4]"},
            "expected the parameters and outcomes `span`, `sweep`, `lift`, `heat`, got `lfit` (did you mean",
            "lfit >= 0.4",
        ),
        (
            {"budget": "budget: {expected_gain: 0.1, trials: 9}"},
            "no `expected_gain` beside constraints on outcomes: what is left to gain",
            "expected_gain",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_place(lines: dict[str, str], said: str, at: str) -> None:
    refusal = refusal_with(**(WING | lines))
    assert said in refusal
    assert under_caret(refusal)[0].startswith(at)


def test_only_constraints_on_parameters_ask_for_an_algorithm_that_keeps_to_them() -> None:
    free = WING | {"algorithm": "algorithm: dumbo", "constraints": "constraints: lift >= 0.4"}
    assert spec_with(**free).algorithm.name == "dumbo"
    (said,) = sentences(refusal_with(**(WING | {"algorithm": "algorithm: dumbo"})))
    assert "an algorithm that keeps to constraints" in said


def test_it_is_remarked_on_that_an_algorithm_learns_nothing_of_them() -> None:
    (said,) = remarks_on(algorithm="algorithm: gp-ei")
    assert (
        "`gp-ei` has no model of outcomes: to it, what does not satisfy constraints on them has failed"
        in said
    )
    assert remarks_on() == []


def test_it_is_remarked_on_that_no_constraint_is_about_one() -> None:
    (said,) = remarks_on(constraints="constraints: lift >= 0.4")
    assert "`heat` has no effect: no constraint is about it" in said


def test_outcomes_with_something_to_say_of_each_are_told_that_names_are_all() -> None:
    (said,) = sentences(refusal_with(outcomes="outcomes: {heat: {unit: J}}"))
    assert said == "expected a list of names, as `[heat, lift]`, got a mapping"


INLINE = "{span: 2, sweep: 9, drag: 1.5, lift: 0.5, heat: 20}"


def test_known_results_bring_them_by_name() -> None:
    nested = "{parameters: {span: 2, sweep: 9}, value: 1.5, outcomes: {lift: 0.5, heat: 20}}"
    spec = spec_with(**WING, initial=f"initial: {{results: [{INLINE}, {nested}]}}")
    assert [known.outcomes for known in spec.initial.results] == [{"lift": 0.5, "heat": 20.0}] * 2
    assert [known.value for known in spec.initial.results] == [1.5, 1.5]


def test_a_file_of_known_results_has_a_column_for_each_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text(
        "span,sweep,drag,heat,operator\n2,9,1.5,20,ann\n3,9,1.4,,bob\n4,9,2,nan,cy\n"
    )
    text = text_with(**WING, initial="initial: {results: known.csv}")
    loaded = load_spec_text(text, "wing.yaml", tmp_path)
    assert [known.outcomes for known in loaded.spec.initial.results] == [{"heat": 20.0}, {}, {}]
    (said,) = loaded.remarks
    assert (
        "whether 3 of 3 known results satisfy the constraints is not known, as outcomes are missing" in said
    )
    assert "missing: still learned from, and no best\n" in said


@pytest.mark.parametrize("text", ["", "\n", "\n , ,\n\n"])
def test_an_empty_file_of_known_results_is_one_complaint(tmp_path: Path, text: str) -> None:
    (tmp_path / "known.csv").write_text(text)
    with pytest.raises(SpecError) as refusal:
        load_spec_text(text_with(**WING, initial="initial: {results: known.csv}"), "wing.yaml", tmp_path)
    assert "expected a first line with the names of the columns, got an empty file" in str(refusal.value)
    assert str(refusal.value).count("expected") == 1


def test_empty_lines_before_the_header_of_known_results_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("\n;\nspan;sweep;drag;lift;heat\n2;9;1.5;0.5;20\n")
    loaded = load_spec_text(text_with(**WING, initial="initial: {results: known.csv}"), "wing.yaml", tmp_path)
    assert [known.value for known in loaded.spec.initial.results] == [1.5]


def test_known_results_that_satisfy_all_of_them_are_nothing_to_remark_on() -> None:
    assert remarks_on(initial=f"initial: {{results: [{INLINE}]}}") == []
    hot = INLINE.replace("20", "2000")
    (said,) = remarks_on(initial=f"initial: {{results: [{hot}]}}")
    assert "the known result does not satisfy the constraints" in said


def test_a_known_result_with_an_outcome_that_there_is_not_is_refused() -> None:
    nested = "{parameters: {span: 2, sweep: 9}, value: 1.5, outcomes: {lfit: 0.5}}"
    refusal = refusal_with(**WING, initial=f"initial: {{results: [{nested}]}}")
    assert "expected the outcomes `lift` and `heat`, got `lfit` (did you mean `lift`?)" in refusal


def test_a_misspelt_one_among_known_results_is_told_what_it_may_be() -> None:
    refusal = refusal_with(**WING, initial="initial: {results: [{span: 2, sweep: 9, drag: 1.5, haet: 20}]}")
    assert "and the outcomes `lift` and `heat`, got `haet` (did you mean `heat`?)" in refusal


def test_what_is_true_or_false_is_one_or_zero_among_known_results() -> None:
    spec = spec_with(**WING, initial=f"initial: {{results: [{INLINE.replace('20', 'true')}]}}")
    assert spec.initial.results[0].outcomes["heat"] == 1.0


def test_one_that_is_called_as_a_column_of_ours_keeps_its_name() -> None:
    lines = WING | {
        "outcomes": "outcomes: [state, factor_1]",
        "constraints": "constraints: [state <= 3, factor_1 > 0]",
        "factors": "factors: [[span], [sweep]]",
    }
    known = (
        "{span: 2, sweep: 9, drag: 3, variance: 0.1, state: 2, factor_1: 4, run.factor_1: 1, run.factor_2: 2}"
    )
    spec = spec_with(**lines, initial=f"initial: {{results: [{known.replace('run.factor_2', 'factor_2')}]}}")
    (result,) = spec.initial.results
    assert result.outcomes == {"state": 2.0, "factor_1": 4.0}
    assert (result.variance, result.factors) == (0.1, [1.0, 2.0])


def test_results_that_are_added_bring_them_as_well() -> None:
    spec = spec_with(**WING)
    results, remarks = read_added_results(spec, [], ["span=2,sweep=9,value=1.5,lift=0.5,heat=20"])
    assert results[0].outcomes == {"lift": 0.5, "heat": 20.0}
    assert remarks == []
    _, remarks = read_added_results(spec, [], ["span=2,sweep=9,value=1.5,lift=0.5"])
    assert remarks == [
        "whether the known result satisfies the constraints is not known, as outcomes are missing: "
        "still learned from, and no best"
    ]
    _, remarks = read_added_results(spec, [], ["span=9,sweep=8,value=1.5,lift=0.5"])
    assert remarks == ["the known result does not satisfy the constraints: still learned from, and no best"]
    with pytest.raises(SpecError, match="number"):
        read_added_results(spec, [], ["span=2,sweep=9,value=1.5,lift=much"])
