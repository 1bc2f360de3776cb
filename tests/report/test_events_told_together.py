"""Events that the loop makes safe in one turn, and handles before any is told: each is told as its own."""

from __future__ import annotations

from recorded_runs import SPEC, RecordedRun, always

from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.words.happenings import happenings
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.transitions import Phase


def said(run: RecordedRun) -> list[str]:
    return [happening.sentence for happening in run.view().happenings]


def told_together(run: RecordedRun, *group: ev.Event) -> list[str]:
    """What is said of events that were made safe in one turn of the loop: all were handled before."""
    for event in group:
        run.scheduler.handle(event)
    told: list[str] = []
    for event in group:
        taken = run.chronicle.take(event, run.scheduler.state)
        told += [happening.sentence for happening in happenings(event, taken)]
    return told


def failure(lease: str, message: str, worker: str = "local-1") -> ev.FailureArrived:
    return ev.FailureArrived(at=9.0, worker=worker, lease=lease, kind="error", message=message)


def test_the_best_of_several_events_told_together_is_credited_to_its_own_trial():
    """The loop makes events safe in groups: the state is ahead of the first of them."""
    run = RecordedRun().begin().settle(1, always(9.0))
    chronicle, state = Chronicle(run.spec), run.scheduler.state
    for event in run.events:
        chronicle.take(event, state)
    group = [
        ev.ResultArrived(at=9.0, worker="local-1", lease="3.1", value=8.0),
        ev.ResultArrived(at=9.0, worker="local-2", lease="2.1", value=3.0),
    ]
    for event in group:
        run.scheduler.handle(event)
    taken = [chronicle.take(event, state) for event in group]
    assert [[trial.number for trial in one.settled] for one in taken] == [[3], [2]]
    assert [one.improved for one in taken] == [True, True]
    assert chronicle.view(state, 9.0).found.curve[-1] == (3, 3.0)


def test_a_trial_given_up_beside_a_refit_is_said_once_and_to_have_failed_for_good():
    """The refit was computed before the last failure came, and both were made safe together."""
    run = RecordedRun(SPEC.replace("timeout: 60 s", "timeout: 60 s, attempts: 2"))
    run.begin(workers=1).settle(1, always(None))
    command = run.evaluations.popleft()
    group = [
        ev.RefitFinished(at=8.0, number=1, observations=10, payload={}),
        ev.FailureArrived(at=8.5, worker=command.worker, lease=command.lease, kind="error", message="broken"),
    ]
    for event in group:
        run.scheduler.handle(event)
    for event in group:
        run.chronicle.take(event, run.scheduler.state)
    told = [sentence for sentence in said(run) if "broken" in sentence]
    assert told == ["trial 1 failed for good: error: broken"]


def test_a_late_failure_told_beside_the_one_that_settled_its_trial_is_not_taken_for_it():
    run = RecordedRun(SPEC.replace("timeout: 60 s", "timeout: 60 s, attempts: 2")).begin().answer_asks()
    run.happen(ev.LeaseExpired(at=8.0, lease="1.1", reason="no result 330 s past its timeout"))
    assert run.evaluations[-1].lease == "1.2"
    assert told_together(run, failure("1.1", "late"), failure("1.2", "broken")) == [
        "local-1 sent a late failure of trial 1, recorded",
        "trial 1 failed for good: error: broken",
    ]


def test_of_failures_that_end_a_run_together_each_is_told_by_its_own():
    run = RecordedRun(SPEC.replace("timeout: 60 s", "timeout: 60 s, attempts: 1")).begin().answer_asks()
    stop = ev.StopRequested(at=9.0, now=False, reason="SIGTERM")
    assert told_together(run, stop, failure("1.1", "one"), failure("2.1", "two", "local-2")) == [
        "asked to stop: SIGTERM",
        "trial 1 failed for good: error: one",
        "trial 2 failed for good: error: two",
    ]
    assert run.scheduler.state.phase is Phase.FINISHED


def test_a_worker_that_is_lost_beside_the_failure_of_another_is_told_with_its_own_trials():
    run = RecordedRun(SPEC.replace("timeout: 60 s", "timeout: 60 s, attempts: 1")).begin().answer_asks()
    lost = ev.WorkerLeft(at=9.0, worker="local-2", lost=True, reason="silent for 12 s")
    assert told_together(run, lost, failure("1.1", "broken")) == [
        "local-2 was lost: silent for 12 s",
        "trial 2 failed: silent for 12 s",
        "trial 1 failed for good: error: broken",
    ]


def test_trials_that_the_end_of_a_run_abandons_are_told_whatever_came_before_it_in_the_same_turn():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 20, target: 2.0")).begin(workers=3).answer_asks()
    refit = ev.RefitFinished(at=8.0, number=1, observations=10, payload={})
    reached = ev.ResultArrived(at=9.0, worker="local-1", lease="1.1", value=1.0)
    *_, told = told_together(run, refit, reached)
    assert run.scheduler.state.phase is Phase.FINISHED
    assert told == f"{run.scheduler.state.tally.abandoned} trials abandoned"


def test_a_worker_that_says_hello_again_and_again_has_joined_once():
    """Its hellos wait while nobody reads them; each is an event, as each says what it works on."""
    run = RecordedRun().begin(workers=1)
    again = ev.WorkerJoined(at=1.0, worker="lab3", slots=1)
    assert told_together(run, again, again, again) == ["lab3 joined"]
    assert told_together(run, again) == []
    left = ev.WorkerLeft(at=2.0, worker="lab3", lost=False)
    assert told_together(run, left, again) == ["lab3 left", "lab3 joined"]
    assert said(run).count("lab3 joined") == 2
    run.happen(ev.RunResumed(at=3.0, wall="2024-01-02T00:00:00"))
    assert told_together(run, again) == ["lab3 joined"]
