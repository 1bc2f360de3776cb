"""Failed trials that are tried again, once what made them fail is mended."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest
from amended_lives import SPEC, Run, point

from orchestrator.command_line.amend_options import request_from
from orchestrator.command_line.arguments import command_parser
from orchestrator.command_line.retried_trials import with_retries
from orchestrator.errors import OrchestratorError
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.load import load_spec_text

CELLS = """\
experiment: mesh
objective: {name: drag, goal: minimise}
parameters:
  x: {type: float, bounds: [0, 1]}
  cells: {type: ordered, values: [100, 200, 400]}
fidelity: {parameter: cells, cost: cells}
budget: {cost: 9}
evaluation: {evaluator: "wings:drag", attempts: 1}
"""


def spec_of(text: str) -> Any:
    return load_spec_text(text, "spec.yaml", None).spec


ONCE = spec_of(SPEC.replace('"wings:drag"', '"wings:drag", attempts: 1'))


def fails(run: Run, parameters: dict[str, Any]) -> None:
    run.trial(parameters, None)
    lease = f"{len(run.state.trials)}.1"
    came = ev.FailureArrived(
        at=run.state.at + 0.5, worker="w", lease=lease, kind="error", message="no licence"
    )
    run.happen(came)


def typed(*options: str) -> Namespace:
    return command_parser(["amend", *options])[0].parse_args(["amend", *options])


def amended(run: Run, *options: str, name: str = "a") -> str:
    """As the command line has it, for points that are trials' own."""
    told = with_retries(typed(*options), run.spec, run.state)
    named = {str(number): trial.parameters for number, trial in run.state.trials.items()}
    return run.amend(request_from(told, run.spec, run.state, named), name=name)


def run_of(*spans: float, spec: Any = ONCE) -> Run:
    """The first trial succeeds, and all others fail."""
    run = Run(spec)
    first, *others = spans
    run.trial(point(first), first)
    for span in others:
        fails(run, point(span))
    assert run.state.tally.failed == len(others)
    return run


def test_all_that_failed_are_forgotten_and_evaluated_next_before_what_is_tried_besides() -> None:
    run = run_of(2.0, 3.0, 4.0)
    said = amended(run, "--retry", "failed", "--try", "1", "--reason", "the licence is back")
    assert said.startswith("what came of trial 2, trial 3 is forgotten, and the model learns anew")
    assert [run.state.trials[number].forgotten for number in (2, 3)] == ["the licence is back"] * 2
    following = [trial for number, trial in run.state.trials.items() if number > 3]
    assert [trial.parameters["span"] for trial in following[:3]] == [3.0, 4.0, 2.0]
    assert run.state.trials[1].state is TrialState.COMPLETED


def test_replicates_of_one_point_that_failed_are_each_evaluated_again() -> None:
    run = run_of(2.0, 3.0, 3.0)
    said = amended(run, "--retry", "failed", "--reason", "the licence is back")
    assert "trial 2, trial 3 is forgotten" in said
    assert said.endswith("span = 3, ribs = 7, rate = 0.1, skin = foam, mach = 0.8, 2 times")
    following = [trial for number, trial in run.state.trials.items() if number > 3]
    assert [trial.parameters["span"] for trial in following[:2]] == [3.0, 3.0]
    with pytest.raises(OrchestratorError, match="expected each point once"):
        amended(run_of(2.0, 3.0), "--retry", "2", "--try", "2", "--reason", "mended")


def test_one_that_was_elsewhere_than_what_is_held_by_now_is_said_to_be_tried_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = run_of(2.0, 3.0)
    amended(run, "--held", "skin=carbon", "--retry", "2", "--reason", "mended")
    said = "trial 2 is tried where parameters are held, skin = carbon, and not as it was, skin = foam"
    assert said in " ".join(capsys.readouterr().err.split())
    assert run.state.trials[3].parameters["skin"] == "carbon"


def test_one_is_named_by_its_number_and_once() -> None:
    run = run_of(2.0, 3.0, 4.0)
    amended(run, "--retry", "3", "--retry", "3", "--reason", "mended")
    assert not run.state.trials[2].forgotten
    assert next(trial.parameters["span"] for n, trial in run.state.trials.items() if n > 3) == 4.0
    amended(run, "--retry", "failed", "--reason", "mended", name="b")
    assert run.state.trials[2].forgotten == "mended"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("1",), "expected a trial that failed, to be tried again, got trial 1, which is completed; --try 1"),
        (("9",), "expected a trial from 1 to 2, got 9"),
        (("all",), "expected --retry of the number of a trial, or `failed`, got all"),
        (("failed",), "expected why what came of it is not to be believed: --reason TEXT"),
    ],
)
def test_what_cannot_be_tried_again_is_said(options: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(OrchestratorError) as refused:
        amended(run_of(2.0, 3.0), "--retry", *options)
    assert sentence in str(refused.value)


def test_nothing_is_tried_again_where_nothing_failed_or_it_was_before() -> None:
    run = run_of(2.0, 3.0)
    amended(run, "--retry", "failed", "--reason", "mended")
    with pytest.raises(OrchestratorError, match="expected trials that failed, to be tried again, got none"):
        amended(run, "--retry", "failed", "--reason", "mended", name="b")
    with pytest.raises(OrchestratorError, match="got trial 2, which is forgotten; --try 2 evaluates"):
        amended(run, "--retry", "2", "--reason", "mended", name="c")


def test_of_all_that_failed_those_are_tried_whose_settings_may_be_had_still(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = run_of(2.0, 3.0, 4.0, 8.0)
    said = amended(
        run, "--bounds", "span=1,6", "--constraint", "span >= 3.5", "--retry", "failed", "--reason", "mended"
    )
    assert "what came of trial 3 is forgotten" in said
    told = capsys.readouterr().err
    assert "--retry failed: trial 4 is left out: expected a number in [1, 6] for `span`, got 8" in told
    assert "--retry failed: trial 2 is left out: expected a point that satisfies `span >= 3.5`" in told
    assert [run.state.trials[number].forgotten for number in (2, 3, 4)] == ["", "mended", ""]


def test_where_none_of_all_that_failed_may_be_had_or_one_was_named_nothing_is_changed() -> None:
    run = run_of(2.0, 7.0, 8.0)
    narrow = ("--bounds", "span=1,6", "--reason", "mended")
    with pytest.raises(OrchestratorError, match="that failed and may be tried again, got trial 2: expected"):
        amended(run, "--retry", "failed", *narrow)
    with pytest.raises(OrchestratorError, match=r"expected a number in \[1, 6\] for `span`, got 8"):
        amended(run, "--retry", "3", *narrow)


@pytest.mark.parametrize("tried", ["3", "span=8"])
def test_what_is_to_be_tried_besides_is_never_left_out_but_refused_with_all_the_rest(tried: str) -> None:
    run = run_of(2.0, 3.0, 8.0)
    narrow = ("--bounds", "span=1,6", "--reason", "mended")
    with pytest.raises(OrchestratorError, match=r"expected a number in \[1, 6\] for `span`, got 8"):
        amended(run, "--retry", "failed", "--try", tried, *narrow)
    assert not any(trial.forgotten for trial in run.state.trials.values())


def test_beside_a_fidelity_it_looks_as_closely_as_before() -> None:
    run = Run(spec_of(CELLS))
    fails(run, {"x": 0.5, "cells": 100})
    amended(run, "--retry", "failed", "--reason", "mended")
    assert run.state.trials[2].parameters == {"x": 0.5, "cells": 100}
