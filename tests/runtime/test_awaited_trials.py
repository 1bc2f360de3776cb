"""Whoever reads lines, and no screen, is told which trials wait for people."""

from __future__ import annotations

from pathlib import Path

from policies import policy_with

from orchestrator.runtime.evaluations.awaited_trials import AwaitedApprovals, AwaitedComparisons
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold
from orchestrator.scheduler.machine import Scheduler


def test_what_is_to_be_approved_is_told_of_once_and_again_where_it_failed() -> None:
    scheduler, approvals = (
        Scheduler(policy_with(trials=2, approval=True)),
        AwaitedApprovals(Path("my runs/r")),
    )

    def told_after(*events: ev.Event) -> list[str]:
        for event in events:
            scheduler.handle(event)
        return list(approvals.sentences(scheduler.state))

    points = ({"x": 1.0}, {"x": 2.0})
    begun = ev.RunStarted(at=0.0, run="r", wall="noon", points=points, approves_attempts=True)
    command = "orchestrator approve 'my runs/r'"
    assert told_after(begun) == [f"trial {n} waits for approval: {command} {n}" for n in (1, 2)]
    assert told_after(ev.WorkerJoined(at=1.0, worker="w1", slots=1)) == []
    assert told_after(ev.TrialApproved(at=2.0, trial=1)) == []
    failed = ev.FailureArrived(at=3.0, worker="w1", lease="1.1", kind="error", message="emergency stop")
    assert told_after(failed) == [f"trial 1 waits for approval once more, as it failed: {command} 1"]


def test_what_ran_here_as_the_orchestrator_died_is_to_be_approved_once_more() -> None:
    scheduler, approvals = Scheduler(policy_with(trials=1, approval=True)), AwaitedApprovals(Path("r"))
    scheduler.handle(
        ev.RunStarted(at=0.0, run="r", wall="noon", points=({"x": 1.0},), approves_attempts=True)
    )
    scheduler.handle(ev.WorkerJoined(at=1.0, worker="w1", slots=1, local=True))
    scheduler.handle(ev.TrialApproved(at=2.0, trial=1))
    assert list(approvals.sentences(scheduler.state)) == []
    scheduler.handle(ev.RunResumed(at=3.0, wall="later", approves_again=True))
    assert list(approvals.sentences(scheduler.state)) == [
        "trial 1 waits for approval once more, as it was cut short: orchestrator approve r 1"
    ]


def test_what_is_to_be_compared_is_told_of_once_and_again_where_that_was_taken_back() -> None:
    scheduler, comparisons = Scheduler(policy_with(trials=2, compared=True)), AwaitedComparisons(Path("r"))

    def told_after(*events: ev.Event) -> list[str]:
        for event in events:
            scheduler.handle(event)
        return list(comparisons.sentences(scheduler.state))

    points = ({"x": 1.0}, {"x": 2.0})
    begun = ev.RunStarted(at=0.0, run="r", wall="noon", points=points)
    joined = ev.WorkerJoined(at=1.0, worker="w1", slots=2)
    assert told_after(begun, joined) == []
    first, second = (
        ev.ResultArrived(at=2.0, worker="w1", lease=lease, value=None) for lease in ("1.1", "2.1")
    )
    assert told_after(first) == []
    command = "orchestrator prefer r 2 --over 1"
    said = f"trial 2 is to be compared, best with trial 1: {command}, or the other way round"
    assert told_after(second) == [said]
    assert told_after() == []
    assert told_after(ComparisonTold(at=3.0, trial=2, other=1, alike=False, request="")) == []
    assert told_after(ComparisonTakenBack(at=4.0, trial=2, other=1)) == [said]
