"""A spec whose parameters are not those of its evaluator is told so before anything begins."""

from __future__ import annotations

import pytest

from orchestrator.errors import OrchestratorError
from orchestrator.report.doctor.readiness import refuse_unless_ready
from orchestrator.report.doctor.taken_parameters import parameters_amiss
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

SPEC = """\
experiment: push
objective: {name: value, goal: maximise}
parameters: {PARAMETERS}
budget: {trials: 9}
algorithm: random
workers: {local: 0, listen: "tcp://127.0.0.1:5555"}
evaluation: {evaluator: "EVALUATOR"}
"""


def spec_with(parameters: str, evaluator: str = "evaluators.robots:push", options: str = "goal: 0") -> Spec:
    text = SPEC.replace("PARAMETERS", parameters).replace(
        '"EVALUATOR"', f'"{evaluator}", options: {{{options}}}'
    )
    return load_spec_text(text, "push.yaml", None).spec


def floats(*names: str) -> str:
    return ", ".join(f"{name}: {{type: float, bounds: [0, 1]}}" for name in names)


@pytest.mark.parametrize("names", [("x", "y", "duration"), ("x", "y", "angle", "duration")])
def test_those_that_are_taken_are_right(names: tuple[str, ...]) -> None:
    assert parameters_amiss(spec_with(floats(*names))) == ""


def test_one_that_is_misspelt_is_said_to_be_and_no_run_begins() -> None:
    spec = spec_with(floats("x", "y", "durations"))
    said = (
        "expected the parameters `x`, `y`, `duration`, and perhaps `angle` of `evaluators.robots:push`, got "
        "none of `duration`, but `durations`, which it does not know (did you mean `duration`?): every trial "
        "would fail"
    )
    assert parameters_amiss(spec) == said
    with pytest.raises(OrchestratorError) as refused:
        refuse_unless_ready(spec)
    assert str(refused.value) == f"{said}; no trial was begun"


def test_of_many_some_are_named() -> None:
    spec = spec_with(floats("x1"), "evaluators.synthetic:function", "name: hartman-6")
    assert parameters_amiss(spec) == (
        "every trial would fail: no synthetic function is called `hartman-6`; did you mean `hartmann-6`?"
    )
    spec = spec_with(floats("x1"), "evaluators.synthetic:function", "name: hartmann-6")
    assert parameters_amiss(spec) == (
        "expected the parameters `x1`, `x2`, `x3`, `x4`, `x5`, `x6` of `evaluators.synthetic:function`, got "
        "none of `x2`, `x3`, `x4`, `x5`, `x6`: every trial would fail"
    )


def test_of_one_that_does_not_always_count_nothing_is_presumed() -> None:
    parameters = (
        floats("x", "y", "duration")
        + ", how: {type: choice, values: [1, 2]}, spin: {type: float, bounds: [0, 1], when: {how: 2}}"
    )
    assert "`how`, which it does not know" in parameters_amiss(spec_with(parameters))
    assert "spin" not in parameters_amiss(spec_with(parameters))


def test_somebody_s_own_evaluator_may_take_anything() -> None:
    assert parameters_amiss(spec_with(floats("anything"), "wings:drag")) == ""
