"""What is said of a decision on a run that has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orchestrator.errors import UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.kinds import Approve
from orchestrator.runtime.requests.left_decisions import refuse_in_vain
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {x: {type: float, bounds: [0, 1]}}
algorithm: random
budget: {trials: 1, target: 2}
evaluation: {evaluator: "math:sqrt"}
mode: sequential
"""


@pytest.mark.parametrize(
    ("budget", "value", "options"),
    [
        ("{trials: 9, target: 2}", 1.0, "--target VALUE"),
        ("{trials: 1, target: 2}", 1.0, "--target VALUE --trials N"),
        ("{trials: 1, target: 2}", 3.0, "--trials N"),
    ],
)
def test_a_run_that_has_ended_goes_on_when_what_ended_it_is_amended(
    tmp_path: Path, budget: str, value: float, options: str
) -> None:
    text = SPEC.replace("{trials: 1, target: 2}", budget)
    spec = load_spec_text(text, "spec.yaml", None).spec
    scheduler = Scheduler(policy_of(spec))
    point: dict[str, Any] = {"x": 0.5}
    for event in (
        ev.RunStarted(at=0.0, run="r", wall=""),
        ev.WorkerJoined(at=0.5, worker="w", slots=1),
        ev.SuggestionsMade(at=1.0, ask=1, suggestions=(ev.Suggested(parameters=point),), seconds=0.1),
        ev.ResultArrived(at=2.0, worker="w", lease="1.1", value=value),
    ):
        scheduler.handle(event)
    with pytest.raises(UsageError, match=f"orchestrator amend [^ ]+ {options}$"):
        refuse_in_vain([Approve(trial=1)], RunFolder(tmp_path), spec, scheduler)
