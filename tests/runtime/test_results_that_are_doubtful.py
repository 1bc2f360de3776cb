"""Results that can be used and are probably not what was meant: it is said, and once only."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest

from orchestrator.runtime.evaluations.results_in_doubt import ResultsInDoubt
from orchestrator.scheduler.events import ResultArrived
from orchestrator.spec.load import load_spec_text

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [0, 1]}, sweep: {type: float, bounds: [0, 1]}}
factors: [[span], [sweep]]
budget: {trials: 9}
algorithm: random
evaluation: {evaluator: "wings:drag"}
"""
DECLARED = (
    SPEC.replace("goal: minimise", "goal: minimise, derivatives: true")
    .replace("random", "auto")
    .replace("factors: [[span], [sweep]]\n", "outcomes: [d_swap]\n")
)


LARGEST = sys.float_info.max


def doubts(text: str = SPEC) -> ResultsInDoubt:
    return ResultsInDoubt(load_spec_text(text, "wing.yaml", None).spec)


def came(value: float = 3.0, **more: Any) -> ResultArrived:
    return ResultArrived(at=1.0, worker="w1", lease="4.1", value=value, **more)


def test_factors_that_do_not_add_up_to_the_value_are_told_once() -> None:
    hearer = doubts()
    (said,) = hearer.heard(came(factors=(1.0, 2.5)))
    assert said.startswith(
        "trial 4: expected values of factors that add up to the value, 3, got 3.5 of 2: each part"
    )
    assert hearer.heard(came(factors=(1.0, 2.5))) == []


def test_those_of_the_other_sign_are_said_to_be_that() -> None:
    (said,) = doubts().heard(came(factors=(-1.0, -2.0)))
    assert "got -3 of 2: they have the other sign" in said


@pytest.mark.parametrize(
    "result",
    [
        came(factors=(1.0, 2.0)),
        came(factors=(1.0, 2.002)),
        came(3e-9, factors=(1000.0, -1000.0)),
        came(factors=(1.0, 2.5), variance=0.04),
        came(factors=(float("nan"), 2.5)),
        came(factors=(math.inf, -math.inf)),
        came(LARGEST, factors=(LARGEST, LARGEST)),
        came(),
    ],
    ids=[
        "their sum",
        "rounded",
        "that cancel",
        "noisy, as is reported",
        "no numbers",
        "infinite both ways",
        "penalties whose sum is beyond a float",
        "none",
    ],
)
def test_those_that_add_up_but_for_rounding_and_reported_noise_are_not(result: ResultArrived) -> None:
    assert doubts().heard(result) == []


def test_what_is_nearly_a_derivative_is_told_once_where_some_are_declared() -> None:
    hearer = doubts(DECLARED)
    told = {"d_spam": 1.0, "d_swap": 2.0, "d_noise": 0.1}
    assert hearer.heard(came(extras=told)) == [
        "trial 4: expected derivatives as `d_span` and `d_sweep`, got `d_spam` (did you mean `d_span`?); it "
        "is kept, and nothing is learned from it"
    ]
    assert hearer.heard(came(extras=told)) == []
    assert doubts(DECLARED).heard(came(extras={"d_spam": 1.0, "derivatives": {"span": 1.0}})) == []


def test_and_where_one_by_another_parameter_comes_with_it() -> None:
    (said,) = doubts().heard(came(extras={"d_span": 1.0, "d_sweeep": 2.0}))
    assert "got `d_sweeep` (did you mean `d_sweep`?)" in said
    assert doubts().heard(came(extras={"d_spam": 1.0, "d_sweeep": 2.0})) == []
