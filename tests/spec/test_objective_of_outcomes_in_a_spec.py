"""An objective that is computed from outcomes, in a spec: read, built, and refused where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.scheduler.rules.amended_values import AmendedValues
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.begun.amended_values import computed_by, with_values
from orchestrator.spec.build import build_problem, build_wanted_outcomes
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.schema import spec_schema

FIT = "objective: {fit: {lift: {value: 3.2, error: 0.1}, drag: 1}}"
FORMULA = 'objective: {name: worth, goal: maximise, value: "lift / drag - 0.1 * x"}'
OUTCOMES = "outcomes: [lift, drag]"
AUTO = {"algorithm": None}


def test_a_fit_names_its_outcomes_and_is_to_be_least() -> None:
    spec = spec_with(objective=FIT, **AUTO)
    assert (spec.objective.name, spec.objective.goal, spec.outcomes) == (
        "misfit",
        "minimise",
        ["lift", "drag"],
    )
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    assert wanted.value({"x": 0.5, "n": 2}, {"lift": 3.4, "drag": 0.0}) == pytest.approx(5.0)
    assert wanted.value({"x": 0.5, "n": 2}, {"lift": 3.4}) is None
    assert wanted.judged({"x": 0.5, "n": 2}, {"lift": 3.4, "drag": 0.0}, None).composed == (3.4, 0.0)


def test_the_pattern_of_a_program_names_the_outcomes_alone() -> None:
    pattern = r"lift (?P<lift>\S+) drag (?P<drag>\S+)"
    evaluation = f"evaluation: {{command: [./wing, '{{x}}', '{{n}}'], output: {{pattern: '{pattern}'}}}}"
    for objective in ({"objective": FIT}, {"objective": FORMULA, "outcomes": OUTCOMES}):
        assert spec_with(evaluation=evaluation, **objective, **AUTO).outcomes == ["lift", "drag"]
    unnamed = evaluation.replace("(?P<drag>", "(")
    assert "expected a group of the pattern for the outcome `drag`" in refusal_with(
        evaluation=unnamed, objective=FIT, **AUTO
    )


def test_a_fit_may_be_a_table_which_the_run_keeps(tmp_path: Path) -> None:
    (tmp_path / "target.csv").write_text("outcome,value,error\nlift,3.2,0.1\ndrag,1,1\n")
    text = text_with(objective="objective: {fit: target.csv}", **AUTO)
    loaded = load_spec_text(text, "wing.yaml", tmp_path)
    assert loaded.spec.objective == spec_with(objective=FIT, **AUTO).objective
    assert load_spec_text(loaded.text, "wing.yaml", None).spec.objective == loaded.spec.objective


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("outcome,error\nlift,0.1\n", "expected a column `value` once, got it 0 times"),
        ("outcome,value,eror\nlift,1,0.1\n", "got `eror` (did you mean `error`?)"),
        ("outcome,value\nlift,1\nlift,2\n", "expected each outcome once, got `lift` again"),
        ("outcome,value\nlift,much\n", "expected a number"),
        ("outcome,value,error\nlift,1,0\n", "above 0"),
        ("outcome,value,error\nlift,1,\n", "expected an error above 0, got an empty cell"),
        ("outcome,at,value\nlift,1,2\nlift,,3\n", "points of a curve say in a column `at` where they are"),
        ("outcome,at,value\nlift,1,2\nlift,1,3\n", "expected each point of `lift` once, got 1 again"),
        ("outcome,at,value\nlift,1,2\nlift,2,much\n", "expected the points of a curve as finite numbers"),
    ],
)
def test_what_is_wrong_in_a_table_is_said_where_it_stands(table: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "target.csv").write_text(table)
    refused = refusal_with(tmp_path, objective="objective: {fit: target.csv}", **AUTO)
    assert said in refused
    assert "target.csv" in refused


def test_a_formula_is_of_outcomes_and_parameters() -> None:
    spec = spec_with(objective=FORMULA, outcomes=OUTCOMES, **AUTO)
    problem = build_problem(spec)
    assert problem.composite is not None
    assert problem.composite.outcomes == 2
    assert problem.composite.named.tolist() == [True, False]
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    assert wanted.value({"x": 0.5, "n": 2}, {"lift": 3.0, "drag": 2.0}) == pytest.approx(1.45)


@pytest.mark.parametrize(
    ("value", "said", "at"),
    [
        ("lift / dragg", "got `dragg` (did you mean `drag`?)", "dragg"),
        ("2 * x", "expected arithmetic of at least one outcome, got none", "2 * x"),
        ("lift <= 3", "what must hold stands under `constraints`", "lift <= 3"),
        ("lift +", "which cannot be read", ""),
    ],
)
def test_what_is_wrong_in_a_formula_is_said_at_its_character(value: str, said: str, at: str) -> None:
    refused = refusal_with(
        objective=f'objective: {{goal: minimise, value: "{value}"}}', outcomes=OUTCOMES, **AUTO
    )
    assert said in sentences(refused)[0]
    assert under_caret(refused)[0].startswith(at)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            {"objective": FIT[:-1] + ", value: lift}"},
            "expected the objective's `value` or its `fit`, got both",
        ),
        ({"objective": FIT[:-1] + ", noise: 0.3}"}, "expected no `noise` of an objective that is computed"),
        (
            {"fidelity": "fidelity: {parameter: n}"},
            "expected no `fidelity` beside an objective that is computed",
        ),
        ({"algorithm": "algorithm: {name: auto, options: {start_points: 4}}"}, "expected no options beside"),
        ({"objective": FIT[:-1] + ", goal: maximise}"}, "expected `goal: minimise` beside a `fit`"),
        ({"objective": "objective: {fit: 3}"}, "expected targets by outcome"),
    ],
)
def test_what_cannot_stand_beside_it_is_refused_with_what_to_do(lines: dict[str, str], said: str) -> None:
    assert said in refusal_with(**{"objective": FIT, **AUTO, **lines})


def test_known_results_have_outcomes_and_their_value_is_computed(tmp_path: Path) -> None:
    (tmp_path / "before.csv").write_text("x,n,lift,drag,misfit\n0.1,2,3.2,1,99\n0.2,3,,,\n0.3,4,3.3,1,\n")
    results = (
        "initial: {results: [before.csv, {x: 0.5, n: 2, lift: 3.2, drag: 3}, {x: 0.6, n: 2, state: failed}]}"
    )
    text = text_with(objective=FIT, initial=results, **AUTO)
    loaded = load_spec_text(text, "wing.yaml", tmp_path)
    values = [one.value for one in loaded.spec.initial.results]
    assert values == [pytest.approx(0.0), pytest.approx(1.0), pytest.approx(4.0), None]
    assert any("1 skipped" in remark for remark in loaded.remarks)


def test_a_known_result_without_an_outcome_is_refused() -> None:
    refused = refusal_with(objective=FIT, initial="initial: {results: [{x: 0.5, n: 2, lift: 3}]}", **AUTO)
    assert "expected the outcome `drag`, a finite number, got none beside `lift`" in refused


def test_results_that_come_to_light_later_are_read_likewise(tmp_path: Path) -> None:
    spec = spec_with(objective=FIT, **AUTO)
    (tmp_path / "more.csv").write_text("x,n,lift,drag\n0.1,2,3.2,1\n")
    results, _ = read_added_results(spec, [tmp_path / "more.csv"], ["x=0.5,n=2,lift=3.3,drag=1"])
    assert [one.value for one in results] == [pytest.approx(0.0), pytest.approx(1.0)]
    with pytest.raises(SpecError, match="expected the outcome `drag`"):
        read_added_results(spec, [], ["x=0.5,n=2,lift=3.3"])


def test_the_schema_knows_both_ways() -> None:
    objective = spec_schema()["$defs"]["Objective"]
    assert {"fit", "value"} <= objective["properties"].keys()
    assert {"required": ["fit"]} in objective["if"]["anyOf"]


def test_an_error_that_is_1_is_told_apart_from_one_that_nobody_told() -> None:
    fit = "objective: {fit: {lift: {value: 3.2, error: 1}, drag: 0.5, mass: {value: [2, 3]}}}"
    told = spec_with(objective=fit, **AUTO)
    again = with_values(spec_with(objective=FIT, **AUTO), AmendedValues(computed_by(told.objective)))
    for spec in (told, again):
        assert spec.objective.fit is not None
        assert [one.target.told for one in spec.objective.fit.values()] == [True, False, False]
