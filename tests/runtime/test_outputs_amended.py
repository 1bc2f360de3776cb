"""What is read of a program's output, amended in a run that has begun: values are read anew."""

from __future__ import annotations

import msgspec
import pytest
from amended_lives import Run
from valued_runs import TRADED_OFF, begun

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.kinds import Amend, ReadOutput
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.load import load_spec_text

COMPARED = """\
experiment: taste
objective: {told: by comparison}
parameters: {span: {type: float, bounds: [1, 9]}}
budget: {trials: 9}
evaluation: {command: [./cook, "{span}"], attempts: 1, output: {patterns: {cost: "costs (.)"}}}
mode: sequential
"""


def test_what_was_foreseen_by_values_as_they_were_read_is_named_and_may_be_forgotten() -> None:
    run = Run(load_spec_text(TRADED_OFF, "spec.yaml", None).spec)
    run.trial({"span": 2.0}, None)
    foreseen = ev.Forecast(mean=103.0, deviation=1.0, chance=0.01)
    run.happen(ev.TrialFoundUnlikely(at=9.0, lease="1.1", reason="unlikely", forecast=foreseen))
    run.happen(ev.StopRequested(at=9.5, now=False, reason="Ctrl-C"))
    amend = Amend(output={"patterns": {"drag": "(.)", "mass": "m(.)"}}, observed=1)
    why = "trial 1 was stopped: what it would have come to .* To go on without: --forget 1 --reason TEXT"
    with pytest.raises(UsageError, match=why):
        run.amend(amend)
    run.amend(msgspec.structs.replace(amend, forget=[1], reason="of the other pattern"), "b")
    assert run.state.trials[1].forgotten


def test_outputs_that_were_looked_through_before_another_reading_are_to_be_looked_through_again() -> None:
    """As where what asked for nothing new, and was answered, is back once the power failed."""
    run = Run(load_spec_text(TRADED_OFF, "spec.yaml", None).spec)
    run.trial({"span": 2.0}, 9.0)
    run.happen(ev.StopRequested(at=run.state.at, now=False, reason="Ctrl-C"))
    first = Amend(output={"patterns": {"drag": "(.)"}}, read_before=None, observed=1)
    late = msgspec.json.decode(msgspec.json.encode(first), type=Amend)
    read = [ReadOutput(trial=1, value=3.0)]
    run.amend(Amend(output={"patterns": {"drag": "d(..)"}}, read=read, read_before=None, observed=1))
    with pytest.raises(UsageError, match="got another reading, which was amended since: say it again"):
        run.amend(late, "b")
    of_before = Amend(output=first.output, observed=1)
    assert b"read_before" not in msgspec.json.encode(of_before)
    run.amend(of_before, "c")


def test_a_threshold_is_said_to_stay_as_it_is_in_the_new_values() -> None:
    wants = "objective: {name: drag, threshold: 5}"
    goals = "objectives: [{name: drag, goal: minimise}, {name: mass, goal: minimise}]"
    run = Run(load_spec_text(TRADED_OFF.replace(goals, wants), "spec.yaml", None).spec)
    run.trial({"span": 2.0}, 9.0)
    run.happen(ev.StopRequested(at=run.state.at, now=False, reason="Ctrl-C"))
    read = [ReadOutput(trial=1, value=3.0)]
    sentence = run.amend(Amend(output={"patterns": {"drag": "(.)"}}, read=read, observed=1))
    assert sentence.endswith("the threshold stays 5, and is one of the new values")


def test_what_people_compare_is_carried_out_still_once_more_is_read_of_it() -> None:
    taste = load_spec_text(COMPARED, "spec.yaml", None).spec
    run = Run(taste)
    run.trial({"span": 2.0}, None)
    run.happen(ev.ResultArrived(at=9.0, worker="w", lease="1.1", value=None, extras={"cost": 1.0}))
    run.happen(ev.StopRequested(at=9.5, now=False, reason="Ctrl-C"))
    read = ReadOutput(trial=1, extras={"cost": 2.0})
    sentence = run.amend(Amend(output={"patterns": {"cost": "cost (.)"}}, read=[read], observed=1))
    assert sentence.endswith("trials that returned something else, and have no other value: 1")
    first = run.state.trials[1]
    assert (first.state, first.extras) == (TrialState.COMPLETED, {"cost": 2.0})
    assert violations(run.state) == []


def test_what_a_worker_of_before_read_as_it_is_read_no_more_does_not_count() -> None:
    run = begun()
    run.trial({"span": 8.0}, None)
    run.happen(ev.LeaseExpired(at=20.0, lease="4.1", reason="its worker was silent", counts=False))
    run.happen(ev.WorkerLeft(at=20.5, worker="w", lost=False))
    run.happen(ev.ValuesAmended(at=21.0, output={"pattern": "(x)"}))
    run.happen(ev.ResultArrived(at=22.0, worker="w", lease="4.1", value=0.1))
    assert not run.state.trials[4].settled
    # The worker has that evaluation still, and is to leave it for one that is read as all are now.
    run.happen(ev.WorkerJoined(at=23.0, worker="w", slots=1, held=("4.2",)))
    lease = run.state.trials[4].lease
    assert lease == "4.3"
    run.happen(ev.ResultArrived(at=24.0, worker="w", lease=lease, value=0.2))
    assert run.state.trials[4].value == 0.2
