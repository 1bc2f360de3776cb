"""How long a run will still take, as far as its pace and its budget tell."""

from __future__ import annotations

from recorded_runs import SPEC, RecordedRun, always

from orchestrator.scheduler import events as ev


def test_the_end_is_estimated_from_the_pace_and_not_promised_while_nothing_moves():
    run = RecordedRun().begin().settle(10, always(1.0), every_s=2.0)
    soon = run.view().remaining
    assert 18.0 < soon.seconds < 26.0
    assert not soon.at_most
    assert run.view(after_s=100.0).remaining.seconds > 3 * soon.seconds


def test_no_end_is_estimated_while_no_worker_is_connected():
    run = RecordedRun().begin().settle(10, always(1.0), every_s=2.0)
    for name in ("local-1", "local-2"):
        run.happen(ev.WorkerLeft(at=run.at, worker=name, lost=True, reason="silent for 12 s"))
    assert run.view(after_s=30.0).remaining is None


def test_no_end_is_estimated_of_what_a_person_does_but_that_of_the_time_budget():
    by_hand = SPEC.replace('"wings:drag"', "person")
    for spec, left in ((by_hand, None), (by_hand.replace("trials: 20", "trials: 20, time: 9 h"), 9 * 3600.0)):
        run = RecordedRun(spec).begin(workers=0)
        run.happen(ev.WorkerJoined(at=0.5, worker="person", slots=2, local=True)).settle(5, always(1.0))
        remaining = run.view().remaining
        assert (remaining and remaining.seconds + run.at) == left


def test_a_resumed_run_is_not_slow_because_nobody_worked_on_it():
    run = RecordedRun().begin().settle(4, always(1.0), every_s=2.0)
    run.evaluations.clear()
    run.happen(ev.RunResumed(at=500.0, wall="2024-01-02T00:00:00"))
    for number in (1, 2):
        run.happen(ev.WorkerJoined(at=500.5, worker=f"again-{number}", slots=1, local=True))
    run.settle(1, always(1.0), every_s=2.0)
    assert run.view().remaining.seconds < 60.0


def test_a_time_budget_is_an_upper_bound():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 2000, time: 30 s")).begin()
    run.settle(5, always(1.0))
    left = run.view().remaining
    assert left.at_most
    assert left.seconds == 30.0 - run.at
