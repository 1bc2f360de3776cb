"""The calling convention: parameters first, options by keyword, the context for those who ask."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from evaluators.child_process.calling import load_evaluator
from evaluators.context import Context
from evaluators.errors import EvaluatorNotLoaded

NO_FUNCTION = 3
CONTEXT = Context(trial=1, attempt=1, seed=5, options={}, directory=Path("unused"))


def parameters_only(parameters: dict[str, Any]) -> float:
    return float(parameters["x"])


def with_options(parameters: dict[str, Any], dataset: str = "iris", *, folds: int) -> str:
    return f"{dataset} {folds} {parameters['x']}"


def with_context(parameters: dict[str, Any], context: Context, **options: Any) -> tuple[int, dict[str, Any]]:
    return context.seed, options


def without_parameters() -> float:
    return 0.0


class Simulator:
    @staticmethod
    def drag(parameters: dict[str, Any]) -> float:
        return 2.0 * float(parameters["x"])


def _load(function: str, **options: Any) -> Any:
    return load_evaluator(f"{__name__}:{function}", options)({"x": 3}, CONTEXT)


def test_each_function_gets_what_it_asks_for() -> None:
    assert _load("parameters_only") == 3.0
    assert _load("with_options", folds=4) == "iris 4 3"
    assert _load("with_options", folds=4, dataset="wine") == "wine 4 3"
    assert _load("with_context", anything=1) == (5, {"anything": 1})
    assert _load("Simulator.drag") == 6.0


@pytest.mark.parametrize(
    ("function", "options", "words"),
    [
        ("parameters_only", {"folds": 4}, "has no option `folds`; it takes no options"),
        ("with_options", {}, "needs the option `folds`"),
        ("with_options", {"folds": 4, "context": 1}, "an option cannot be called `context`"),
        ("without_parameters", {}, "whose first argument takes the parameters"),
        ("parameter_only", {}, "did you mean `parameters_only`?"),
        ("CONTEXT", {}, "expected a function, got a Context"),
        ("NO_FUNCTION", {}, "expected a function, got an int"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_runs(
    function: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(EvaluatorNotLoaded) as refused:
        load_evaluator(f"{__name__}:{function}", options)
    assert words in str(refused.value)


def test_a_number_that_is_not_finite_is_reported_as_it_is() -> None:
    heard: list[tuple[int, str]] = []
    context = Context(
        trial=1,
        attempt=1,
        seed=5,
        options={},
        directory=Path("unused"),
        report=lambda step, values: heard.append((step, str(values))),
    )
    context.report(1, loss=math.nan, rate=0.5)
    context.report(2, loss=-math.inf)
    context.report(3, loss=10**400, gain=-(10**400))
    context.report(4)
    assert heard == [
        (1, "{'loss': nan, 'rate': 0.5}"),
        (2, "{'loss': -inf}"),
        (3, "{'loss': inf, 'gain': -inf}"),
        (4, "{}"),
    ]
