"""Several objectives in a spec: the first is the value, the others are outcomes with goals of their own."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.build import build_problem, build_wanted_outcomes
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.schema import spec_schema

LISTED = "objectives: [{name: drag, goal: minimise}, {name: lift, goal: maximise}]"
WING = {"objective": LISTED, "algorithm": "algorithm: auto"}


@pytest.mark.parametrize(
    "written",
    [LISTED, "objectives: {drag: minimise, lift: maximise}", "objectives: {drag: minimize, lift: maximize}"],
)
def test_they_are_a_list_or_names_with_goals(written: str) -> None:
    spec = spec_with(**(WING | {"objective": written}))
    assert (spec.objective.name, spec.objective.goal) == ("drag", "minimise")
    assert [(one.name, one.goal) for one in spec.further_objectives] == [("lift", "maximise")]
    assert spec.outcomes == ["lift"]
    assert policy_of(spec).sought.further == (("lift", "maximise"),)
    assert build_problem(spec).further_objectives == 1


def test_one_alone_is_the_objective() -> None:
    spec = spec_with(**(WING | {"objective": "objectives: {drag: minimise}"}))
    assert spec.further_objectives == []
    assert spec.outcomes == []


def test_they_stand_beside_outcomes_and_constraints_may_name_them() -> None:
    lines = {"outcomes": "outcomes: heat", "constraints": "constraints: [heat <= 80, lift >= 0.2]"}
    spec = spec_with(**(WING | lines))
    assert spec.outcomes == ["lift", "heat"]
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    judged = wanted.judged({"x": 0.5, "n": 1}, {"lift": 0.5, "heat": 90.0}, 1.0)
    assert judged.further == (0.5,)
    assert judged.broken == ("heat <= 80",)


def test_the_first_may_be_limited_as_well() -> None:
    limits = "[drag <= 3, lift / drag >= 0.1, x + n <= 9.0]"
    loaded = load_spec_text(
        text_with(**(WING | {"constraints": f"constraints: {limits}"})), "wing.yaml", Path()
    )
    wanted = build_wanted_outcomes(loaded.spec)
    assert wanted is not None
    assert loaded.spec.outcomes == ["lift"]
    assert build_problem(loaded.spec).outcome_constraints == 2
    judged = wanted.judged({"x": 0.5, "n": 1}, {"lift": 0.5}, 4.0)
    assert judged.slacks == pytest.approx((-1.0, 0.025))
    assert judged.broken == ("drag <= 3",)
    failed = wanted.judged({"x": 0.5, "n": 1}, {"lift": 0.5}, None)
    assert all(map(math.isnan, failed.slacks))


def test_known_results_beyond_its_limit_are_no_trade_offs() -> None:
    known = "initial: {results: [{parameters: {x: 0.5, n: 1}, value: 4.0, outcomes: {lift: 1.0}}]}"
    lines = WING | {"constraints": "constraints: [drag <= 3]", "initial": known}
    loaded = load_spec_text(text_with(**lines), "wing.yaml", Path())
    assert any("does not satisfy" in str(remark) for remark in loaded.remarks)


def test_what_is_minimised_is_told_the_more_the_better() -> None:
    spec = spec_with(**(WING | {"objective": "objectives: {lift: maximise, drag: minimise}"}))
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    assert wanted.judged({}, {"drag": 3.0}, 1.0).further == (-3.0,)


def test_an_objective_is_no_outcome_without_effect() -> None:
    loaded = load_spec_text(text_with(**WING), "wing.yaml", Path())
    assert list(loaded.remarks) == []


def test_known_results_bring_them_by_column(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,n,drag,lift\n0.5,2,1.5,0.7\n")
    spec = spec_with(tmp_path, **(WING | {"initial": "initial: {results: known.csv}"}))
    (known,) = spec.initial.results
    assert (known.value, known.outcomes) == (1.5, {"lift": 0.7})


@pytest.mark.parametrize(
    ("lines", "said", "at"),
    [
        (
            {"objective": "objective: {goal: minimise}\n" + LISTED},
            "expected `objective` or `objectives`, got both",
            "objectives",
        ),
        (
            {"objective": LISTED, "constraints": "constraints: [lift >= 0.2, value <= 3]"},
            "expected the parameters and outcomes `x`, `n`, `lift`, `drag`, got `value`",
            "value <= 3",
        ),
        ({"objective": "objectives: []"}, "expected objectives as", "objectives"),
        ({"objective": "objectives: [{name: drag, goal: least}]"}, "got `least`", "least"),
        ({"objective": "objectives: {drag: minimise, lift: most}"}, "got `most`", "most"),
        (
            {"objective": "objectives: {x: minimise, drag: maximise}"},
            "got `x`: if that is meant, have evaluations return it by another name; tables have a column",
            "x:",
        ),
        (
            {"objective": "objectives: {drag: minimise, x: maximise}"},
            "got `x`, which is a parameter: if that is meant, have evaluations return it by another name",
            "x:",
        ),
        (
            {"objective": "objectives: [{name: a, goal: minimise}, {name: a, goal: minimise}]"},
            "got `a`, which is the objective's own",
            "a, goal: minimise}]",
        ),
        ({"outcomes": "outcomes: [lift]"}, "got `lift` again", "lift]"),
        (
            {"objective": "objectives: [{name: a, goal: minimise}, {name: b, goal: minimise, noise: 0}]"},
            "got `noise`",
            "noise: 0}]",
        ),
        (
            {"budget": "budget: {target: 1, trials: 9}"},
            "expected no `target` beside further objectives",
            "target",
        ),
        (
            {"budget": "budget: {expected_gain: 1, trials: 9}"},
            "no `expected_gain` beside further objectives",
            "expected_gain",
        ),
        ({"algorithm": "algorithm: egp-ts"}, "expected an algorithm that trades objectives off", "egp-ts"),
    ],
)
def test_mistakes_are_told_where_they_stand(lines: dict[str, str], said: str, at: str) -> None:
    refusal = refusal_with(**(WING | lines))
    assert len(sentences(refusal)) == 1
    assert said in refusal
    assert under_caret(refusal)[0].startswith(at)


def test_more_than_four_are_too_many() -> None:
    many = ", ".join(f"{{name: y{i}, goal: minimise}}" for i in range(5))
    refusal = refusal_with(**(WING | {"objective": f"objectives: [{many}]"}))
    assert sentences(refusal) == ["expected at most 4 objectives, got 5"]


def test_the_editor_knows_both_forms() -> None:
    schema = spec_schema()
    listed, by_name = schema["properties"]["objectives"]["anyOf"]
    assert listed == {"type": "array", "items": {"$ref": "#/$defs/Objective"}, "minItems": 1, "maxItems": 4}
    assert by_name["additionalProperties"]["enum"] == ["maximise", "minimise", "maximize", "minimize"]
    assert schema["oneOf"] == [{"required": ["objective"]}, {"required": ["objectives"]}]
    assert "objective" not in schema["required"]
    assert "FurtherObjective" not in schema["$defs"]
