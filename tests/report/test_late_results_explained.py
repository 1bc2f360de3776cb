"""`explain` says of what came late that it did not count, and why, where it stands in a trial's story."""

from __future__ import annotations

from recorded_runs import RecordedRun

from orchestrator.report.explained.explain import explain
from orchestrator.scheduler import events as ev


def story_of(run: RecordedRun, trial: int) -> list[str]:
    words = explain(run.spec, run.scheduler.state.policy, run.events, trial)
    return [line.split(" s  ", 1)[1] for line in words.split("Its story\n", 1)[1].splitlines()]


def result(run: RecordedRun, lease: str, value: float, worker: str, after: float = 1.0) -> RecordedRun:
    return run.happen(ev.ResultArrived(at=run.at + after, worker=worker, lease=lease, value=value))


def failure(run: RecordedRun, lease: str, worker: str) -> RecordedRun:
    message = "it broke\nTraceback of it"
    return run.happen(
        ev.FailureArrived(at=run.at + 1.0, worker=worker, lease=lease, kind="error", message=message)
    )


def taken_over() -> RecordedRun:
    """Trial 1 was lost with its worker, and is at work on another one."""
    run = RecordedRun().begin(workers=2).answer_asks()
    return run.happen(ev.WorkerLeft(at=1.0, worker="local-1", lost=True, reason="silent for 10 s"))


def test_a_result_of_a_trial_that_was_completed_already_did_not_count() -> None:
    run = taken_over()
    result(run, "2.1", 3.0, "local-2")
    result(run, "1.2", 5.0, "local-2")
    result(run, "1.1", 7.0, "local-1")
    told = story_of(run, 1)
    assert told[-3:] == [
        "local-2 sent 5.0 for lease 1.2",
        "trial 1 is completed",
        "local-1 sent 7.0 for lease 1.1, which does not count, as trial 1 is completed already",
    ]
    assert run.scheduler.state.trials[1].value == 5.0


def test_what_came_late_in_the_same_moment_settles_nothing_again() -> None:
    run = result(taken_over(), "2.1", 3.0, "local-2")
    result(run, "1.2", 5.0, "local-2")
    result(run, "1.1", 7.0, "local-1", after=0.0)
    assert story_of(run, 1).count("trial 1 is completed") == 1


def test_the_first_result_counts_though_its_lease_had_ended() -> None:
    run = result(taken_over(), "1.1", 7.0, "local-1")
    assert "local-1 sent 7.0 for lease 1.1" in story_of(run, 1)
    assert run.scheduler.state.trials[1].value == 7.0


def test_a_failure_of_a_lease_that_had_ended_did_not_count() -> None:
    told = story_of(failure(taken_over(), "1.1", "local-1"), 1)
    why = "which does not count, as that lease had ended already"
    assert told[-1] == f"local-1 reports for lease 1.1, {why}, error: it broke"


def test_what_counts_is_told_as_it_came() -> None:
    run = RecordedRun().begin(workers=1).answer_asks()
    assert "local-1 reports for lease 1.1 error: it broke" in story_of(failure(run, "1.1", "local-1"), 1)
