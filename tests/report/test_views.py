"""What a person sees of a run follows from its events."""

from __future__ import annotations

import pytest
from recorded_runs import SPEC, RecordedRun, always, parameters, suggested

from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.outlook import Attendance, activity
from orchestrator.report.seen.settlements import Settlements
from orchestrator.report.words.happenings import happenings
from orchestrator.runtime.circumstances import Circumstances, JobsSeen
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.transitions import Phase


def said(run: RecordedRun) -> list[str]:
    return [happening.sentence for happening in run.view().happenings]


def test_the_best_point_is_shown_with_its_units_and_its_history():
    run = RecordedRun().begin().settle(5, lambda trial: [9.0, 7.0, 8.0, 6.5, 7.5][trial - 1])
    view = run.view()
    assert (view.best.trial, view.best.value) == (4, 6.5)
    assert view.best.parameters[0] == ("span", "1.4 m")
    assert view.curve == ((1, 9.0), (2, 7.0), (4, 6.5))
    assert (view.completed, view.running, view.budget) == (5, 2, 20)


def test_a_trial_that_is_tried_again_has_not_failed_and_one_given_up_has():
    run = RecordedRun().begin(workers=1).settle(1, always(None))
    assert run.view().failed == 0
    assert "trial 1 failed, to be tried again: error: RuntimeError: it broke" in said(run)
    run.settle(2, always(None))
    assert run.view().failed == 1
    assert said(run)[-1] == "trial 1 failed for good: error: RuntimeError: it broke"


def test_a_worker_line_says_what_runs_for_how_long_and_what_it_reports():
    run = RecordedRun().begin().settle(3, always(1.0))
    worker = run.scheduler.state.workers["local-1"]
    (lease, number) = next(iter(worker.running.items()))
    run.chronicle.progressed(lease, 12, {"loss": 0.25})
    line = next(line for line in run.view(after_s=4.0).workers if line.name == "local-1")
    assert line.running[0].trial == number
    assert line.running[0].seconds == pytest.approx(4.0)
    assert (line.running[0].step, line.running[0].values) == (12, (("loss", 0.25),))
    assert line.completed + next(w for w in run.view().workers if w.name == "local-2").completed == 3


def test_names_of_what_is_reported_cannot_speak_to_the_terminal():
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    run.chronicle.progressed("2.1", 1, {"\x1b[2Jloss\n": 0.25})
    assert run.view().workers[0].running[0].values == ((" [2Jloss ", 0.25),)


def test_progress_of_a_lease_that_ended_is_forgotten():
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    run.chronicle.progressed("2.1", 1, {"loss": 1.0})
    run.settle(1, always(None))
    line = run.view().workers[0]
    assert (line.running[0].trial, line.running[0].attempt, line.running[0].step) == (2, 2, None)


def test_workers_are_listed_as_people_count():
    run = RecordedRun().begin(workers=11)
    assert [line.name for line in run.view().workers][-2:] == ["local-10", "local-11"]


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


def test_what_is_withdrawn_is_not_counted_as_settled():
    run = RecordedRun(SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"'))
    run.begin().answer_asks()
    run.happen(ev.BoundsAmended(at=2.0, bounds={"span": (1.9, 2.0)}))
    view = run.view()
    assert view.abandoned == view.withdrawn > 0
    assert view.settled == 0


def test_a_time_budget_is_an_upper_bound():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 2000, time: 30 s")).begin()
    run.settle(5, always(1.0))
    left = run.view().remaining
    assert left.at_most
    assert left.seconds == 30.0 - run.at


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
    assert chronicle.view(state, 9.0).curve[-1] == (3, 3.0)


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
    assert told == f"{run.scheduler.state.abandoned} trials abandoned"


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


def test_every_trial_is_settled_once_whatever_ends_the_run():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 20, target: 2.0")).begin(workers=3)
    run.settle(4, lambda trial: 1.0 if trial == 4 else 5.0)
    assert run.scheduler.state.phase is Phase.FINISHED
    settlements, settled = Settlements(), []
    replayed = RecordedRun(run.spec_text)
    for event in run.events:
        replayed.scheduler.handle(event)
        settled += [trial.number for trial in settlements.take(event, replayed.scheduler.state)]
    assert sorted(settled) == list(range(1, len(run.scheduler.state.trials) + 1))
    assert any("abandoned" in sentence for sentence in said(run))


def test_a_resumed_run_has_its_curve_though_its_events_were_not_seen():
    run = RecordedRun().begin().settle(4, lambda trial: 10.0 - trial)
    before = run.view().curve
    run.chronicle = Chronicle(run.spec)
    run.happen(ev.RunResumed(at=run.at + 1.0, wall="2024-01-02T00:00:00"))
    view = run.view()
    assert view.curve == before
    assert view.lives == 2
    assert view.workers == ()
    assert not any("failed" in sentence for sentence in said(run))


def test_thousands_of_trials_leave_a_view_of_bounded_size():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 3000")).begin(workers=150)
    run.settle(3000, lambda trial: 1.0 / trial, every_s=0.001)
    view = run.view()
    assert view.completed == 3000
    assert len(view.curve) == 3000
    assert len(view.happenings) <= 60
    active = RecordedRun(SPEC.replace("trials: 20", "trials: 3000")).begin(workers=150).view()
    assert (active.workers_connected, len(active.workers)) == (150, 100)


class TestWhyNothingMoves:
    def told(self, run: RecordedRun, after_s: float = 0.0, **attendance: object) -> str:
        state = run.scheduler.state
        return activity(run.spec, state, run.at + after_s, Attendance(**attendance))

    def test_no_worker(self):
        run = RecordedRun().begin(workers=0)
        assert self.told(run, 1.0) == "waiting for 2 local workers to start"
        words = self.told(run, 60.0, address="tcp://10.0.0.1:5555")
        start = "orchestrator worker --connect tcp://10.0.0.1:5555 --evaluator wings:drag"
        assert words == f"no worker is connected; start one: {start}"
        # How jobs stand is said beside it.
        queued = Circumstances(jobs=JobsSeen(waiting=1, waiting_since=0.0))
        assert self.told(run, 60.0, circumstances=queued) == "no worker is connected"

    def test_no_worker_any_more_and_how_the_last_one_left(self):
        run = RecordedRun().begin(workers=1)
        run.happen(ev.WorkerLeft(at=run.at, worker="local-1", lost=False, reason="drained by SIGTERM"))
        assert run.view(after_s=90.0).activity == (
            "no worker is connected, for 1 min 30 s: the last, local-1, left (drained by SIGTERM)"
        )
        run.happen(ev.RunResumed(at=run.at + 100.0, wall=""))
        assert "local-1" not in run.view(after_s=60.0).activity

    def test_the_optimiser_thinks(self):
        run = RecordedRun().begin(workers=1)
        assert self.told(run, 4.0) == "waiting for the optimiser to choose 1 point, for 4.5 s"

    def test_long_evaluations(self):
        run = RecordedRun().begin().settle(2, always(1.0))
        assert self.told(run, 100.0).startswith("2 trials running, trial 3 for 1 min 4")

    def test_a_batch_waits_for_its_last(self):
        run = RecordedRun(SPEC + "mode: {synchronous: 2}\n").begin().settle(1, always(1.0))
        assert self.told(run).startswith("1 slot waiting for the batch of 2: 1 trial running")

    def test_the_budget_is_given_out(self):
        run = RecordedRun().begin().settle(19, always(1.0))
        assert self.told(run).startswith("the last trial running, trial 20 for")

    def test_the_orchestrator_is_gone(self):
        run = RecordedRun().begin().settle(2, always(1.0))
        words = self.told(run, attended=False, folder="logs/wing")
        assert words == "no orchestrator works on this run now; continue it: orchestrator resume logs/wing"

    def test_it_died_before_its_first_event_was_safe(self):
        words = self.told(RecordedRun(), 0.0, attended=False, folder="logs/wing")
        assert words == ("it ended before it had begun; start it again: orchestrator run logs/wing/spec.yaml")

    def test_the_orchestrator_is_there_and_hangs(self):
        run = RecordedRun().begin().settle(2, always(1.0))
        assert self.told(run, unheard_s=9.0, process=4711).startswith("2 trials running")
        assert self.told(run, unheard_s=61.0, process=4711) == (
            "process 4711 has said nothing for 1 min 01 s: it was stopped, as by Ctrl-Z (go on: kill -CONT "
            "4711), or its disk keeps it waiting"
        )
        assert self.told(run, unheard_s=3.0, process=4711, stopped=True) == (
            "process 4711 has said nothing for 3.0 s: it was stopped, as by Ctrl-Z (go on: kill -CONT 4711)"
        )

    def test_stopping(self):
        run = RecordedRun().begin().settle(2, always(1.0))
        run.happen(ev.StopRequested(at=run.at, now=False, reason="SIGINT"))
        assert self.told(run) == "stopping: 2 trials may finish first"
        run.settle(2, always(1.0))
        assert self.told(run, folder="logs/wing").startswith("stopped on request; continue it: ")

    def test_what_a_person_is_to_do_while_nobody_works_on_the_run(self):
        run = RecordedRun(SPEC.replace('"wings:drag"', "person"))
        run.happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
        run.happen(ev.WorkerJoined(at=0.1, worker="person", slots=2, local=True)).answer_asks()
        gone = self.told(run, attended=False, folder="logs/wing")
        assert gone.endswith("; what is to be done: orchestrator trials logs/wing --state running")
        run.happen(ev.StopRequested(at=run.at, now=True, reason="SIGINT"))
        stopped = self.told(run, attended=False, folder="logs/wing")
        assert stopped.endswith("; what is to be done: orchestrator trials logs/wing --state queued")

    def test_remote_workers_of_an_earlier_life(self):
        run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
        run.happen(ev.WorkerJoined(at=0.1, worker="far", slots=1)).answer_asks()
        run.happen(ev.RunResumed(at=9.0, wall=""))
        assert "1 trial may still run on workers that come back" in self.told(run)

    def test_a_person_s_approval_and_not_a_trial_that_has_it_and_waits_for_something_else(self):
        text = SPEC.replace("timeout: 60 s", "timeout: 60 s, approval: true") + "mode: sequential\n"
        spots = [f"{{span: {span}, sweep: 20, ribs: 7, skin: foam}}" for span in (2, 3, 4)]
        run = RecordedRun(text + f"initial: {{points: [{', '.join(spots)}]}}\n")
        points = tuple(run.spec.initial.points)
        run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="", points=points, in_turn=True))
        for number in (1, 2):
            run.happen(ev.WorkerJoined(at=0.5, worker=f"local-{number}", slots=1, local=True))
        assert self.told(run) == "waiting for approval of trials 1, 2, 3: orchestrator approve"
        named = self.told(run, folder="logs/wing")
        assert named == "waiting for approval of trials 1, 2, 3: orchestrator approve logs/wing"
        for number in (1, 2):
            run.happen(ev.TrialApproved(at=1.0, trial=number))
        assert self.told(run) == "waiting for approval of trial 3: orchestrator approve"
        run.happen(ev.TrialApproved(at=1.0, trial=3))
        assert self.told(run) == "one trial at a time, as the spec says: 1 trial running, trial 1 for 0.0 s"

    def test_workers_that_take_nothing_more(self):
        run = RecordedRun().begin(workers=1, slots=2).answer_asks()
        run.happen(ev.WorkerBeganDraining(at=9.0, worker="local-1"))
        assert self.told(run) == "2 trials running: whoever is connected takes nothing more"
        run.settle(2, always(1.0))
        assert self.told(run) == (
            "nothing runs, 1 trial waiting for another worker: whoever is connected takes nothing more"
        )
        run.happen(ev.WorkerJoined(at=run.at, worker="local-2", slots=1))
        assert "takes nothing more" not in self.told(run)


class Unread(list):
    """What nobody may go through."""

    def __iter__(self):
        raise AssertionError("expected that no result is looked at")


def test_to_look_again_at_a_run_that_nobody_amended_costs_the_same_however_many_results_it_has():
    run = RecordedRun().begin().settle(5, lambda trial: [9.0, 7.0, 8.0, 6.5, 7.5][trial - 1])
    before = run.view()
    run.scheduler.state.observed = Unread(run.scheduler.state.observed)
    assert run.view() == before


def test_known_results_count_for_the_best_and_not_for_the_budget():
    known = ev.KnownResult(parameters=parameters(1), value=2.5)
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    view = run.view()
    assert (view.best.value, view.best.trial, view.settled) == (2.5, 0, 0)
    assert view.curve == ((0, 2.5),)
    assert suggested(1).parameters == view_parameters(run)


def view_parameters(run: RecordedRun) -> object:
    return run.scheduler.state.best.parameters


def test_a_known_result_that_breaks_a_constraint_is_no_best_that_trials_are_measured_by() -> None:
    known = ev.KnownResult(parameters=parameters(1), value=0.5, broken=("span < sweep",))
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    view = run.settle(1, always(3.0)).view()
    assert view.curve == ((1, 3.0),)
    assert any("the best so far" in happening.sentence for happening in view.happenings)
