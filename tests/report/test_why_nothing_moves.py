"""Why a run does not move, in a sentence, and what to do about it."""

from __future__ import annotations

from recorded_runs import SPEC, RecordedRun, always

from orchestrator.report.seen.outlook import Attendance, activity
from orchestrator.runtime.circumstances import Circumstances, JobsSeen
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import PointsAdded


def told(run: RecordedRun, after_s: float = 0.0, **attendance: object) -> str:
    state = run.scheduler.state
    return activity(run.spec, state, run.at + after_s, Attendance(**attendance))


def test_no_worker():
    run = RecordedRun().begin(workers=0)
    assert told(run, 1.0) == "waiting for 2 local workers to start"
    words = told(run, 60.0, address="tcp://10.0.0.1:5555")
    start = "orchestrator worker --connect tcp://10.0.0.1:5555 --evaluator wings:drag"
    assert words == f"no worker is connected; start one: {start}"
    # How jobs stand is said beside it.
    queued = Circumstances(jobs=JobsSeen(waiting=1, waiting_since=0.0))
    assert told(run, 60.0, circumstances=queued) == "no worker is connected"


def test_no_worker_any_more_and_how_the_last_one_left():
    run = RecordedRun().begin(workers=1)
    run.happen(ev.WorkerLeft(at=run.at, worker="local-1", lost=False, reason="drained by SIGTERM"))
    assert run.view(after_s=90.0).activity == (
        "no worker is connected, for 1 min 30 s: the last, local-1, left (drained by SIGTERM)"
    )
    run.happen(ev.RunResumed(at=run.at + 100.0, wall=""))
    assert "local-1" not in run.view(after_s=60.0).activity


def test_the_optimiser_thinks():
    run = RecordedRun().begin(workers=1)
    assert told(run, 4.0) == "waiting for the optimiser to choose 1 point, for 4.5 s"


def test_long_evaluations():
    run = RecordedRun().begin().settle(2, always(1.0))
    assert told(run, 100.0).startswith("2 trials running, trial 3 for 1 min 4")


def test_a_batch_waits_for_its_last():
    run = RecordedRun(SPEC + "mode: {synchronous: 2}\n").begin().settle(1, always(1.0))
    assert told(run).startswith("1 slot waiting for the batch of 2: 1 trial running")


def test_the_budget_is_given_out():
    run = RecordedRun().begin().settle(19, always(1.0))
    assert told(run).startswith("the last trial running, trial 20 for")


def test_the_orchestrator_is_gone():
    run = RecordedRun().begin().settle(2, always(1.0))
    words = told(run, attended=False, folder="logs/wing")
    ran = "when it was last heard of, 2 trials ran (trial 3 on local-1, 4 on local-2)"
    assert words == (
        f"no orchestrator works on this run now; {ran}; continue it: orchestrator resume logs/wing"
    )
    assert "when it was last heard of, 5 min 10 s ago, 2" in told(run, attended=False, heard_ago_s=310.0)


def test_of_a_run_that_was_killed_nobody_says_that_its_trials_run():
    run = RecordedRun().begin(workers=7).settle(2, always(1.0))
    view = run.chronicle.view(run.scheduler.state, run.at, Attendance(attended=False))
    assert view.running_words == "7 ran when last heard of"
    assert "(trial 3 on local-3, 4 on" in view.activity
    assert "and 2 more" in view.activity
    assert run.view().running_words == "7 running"


def test_it_died_before_its_first_event_was_safe():
    words = told(RecordedRun(), 0.0, attended=False, folder="logs/wing")
    assert words == ("it ended before it had begun; start it again: orchestrator run logs/wing/spec.yaml")


def test_the_orchestrator_is_there_and_hangs():
    run = RecordedRun().begin().settle(2, always(1.0))
    assert told(run, unheard_s=9.0, process=4711).startswith("2 trials running")
    assert told(run, unheard_s=61.0, process=4711) == (
        "process 4711 has said nothing for 1 min 01 s: it was stopped, as by Ctrl-Z (go on: kill -CONT "
        "4711), or its disk keeps it waiting"
    )
    assert told(run, unheard_s=3.0, process=4711, stopped=True) == (
        "process 4711 has said nothing for 3.0 s: it was stopped, as by Ctrl-Z (go on: kill -CONT 4711)"
    )


def test_stopping():
    run = RecordedRun().begin().settle(2, always(1.0))
    run.happen(ev.StopRequested(at=run.at, now=False, reason="SIGINT"))
    assert told(run) == "stopping: 2 trials may finish first"
    run.settle(2, always(1.0))
    assert told(run, folder="logs/wing").startswith("stopped on request; continue it: ")


def test_what_a_person_is_to_do_while_nobody_works_on_the_run():
    run = RecordedRun(SPEC.replace('"wings:drag"', "person"))
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
    run.happen(ev.WorkerJoined(at=0.1, worker="person", slots=2, local=True)).answer_asks()
    gone = told(run, attended=False, folder="logs/wing")
    assert gone.endswith("; what is to be done: orchestrator trials logs/wing --state running")
    run.happen(ev.StopRequested(at=run.at, now=True, reason="SIGINT"))
    stopped = told(run, attended=False, folder="logs/wing")
    assert stopped.endswith("; what is to be done: orchestrator trials logs/wing --state queued")


def test_remote_workers_of_an_earlier_life():
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
    run.happen(ev.WorkerJoined(at=0.1, worker="far", slots=1)).answer_asks()
    run.happen(ev.RunResumed(at=9.0, wall=""))
    assert "1 trial may still run on workers that come back" in told(run)


def test_remote_workers_that_are_missed_while_others_work():
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
    names = [f"far-{number}" for number in range(5)]
    for name in ["near", *names]:
        run.happen(ev.WorkerJoined(at=0.1, worker=name, slots=1))
    run.answer_asks().happen(ev.RunResumed(at=9.0, wall=""))
    run.happen(ev.WorkerJoined(at=9.5, worker="near", slots=1))
    assert told(run).endswith(
        ", 5 of them on workers that are not connected now and have up to a minute to come back"
    )
    for name in names[1:]:
        run.happen(ev.WorkerJoined(at=9.6, worker=name, slots=1))
    assert told(run).endswith(
        ", 1 of them on far-0, which is not connected now and has up to a minute to come back"
    )


def test_a_person_s_approval_and_not_a_trial_that_has_it_and_waits_for_something_else():
    text = SPEC.replace("timeout: 60 s", "timeout: 60 s, approval: true") + "mode: sequential\n"
    spots = [f"{{span: {span}, sweep: 20, ribs: 7, skin: foam}}" for span in (2, 3, 4)]
    run = RecordedRun(text + f"initial: {{points: [{', '.join(spots)}]}}\n")
    points = tuple(run.spec.initial.points)
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="", points=points, in_turn=True))
    for number in (1, 2):
        run.happen(ev.WorkerJoined(at=0.5, worker=f"local-{number}", slots=1, local=True))
    assert told(run) == "waiting for approval of trials 1, 2, 3: orchestrator approve"
    named = told(run, folder="logs/wing")
    assert named == "waiting for approval of trials 1, 2, 3: orchestrator approve logs/wing"
    for number in (1, 2):
        run.happen(ev.TrialApproved(at=1.0, trial=number))
    assert told(run) == "waiting for approval of trial 3: orchestrator approve"
    run.happen(ev.TrialApproved(at=1.0, trial=3))
    assert told(run) == "one trial at a time, as the spec says: 1 trial running, trial 1 for 0.0 s"


def test_workers_that_take_nothing_more():
    run = RecordedRun().begin(workers=1, slots=2).answer_asks()
    run.happen(ev.WorkerBeganDraining(at=9.0, worker="local-1"))
    assert told(run) == "2 trials running: whoever is connected takes nothing more"
    run.settle(2, always(1.0))
    assert told(run) == (
        "nothing runs, 1 trial waiting for another worker: whoever is connected takes nothing more"
    )
    run.happen(ev.WorkerJoined(at=run.at, worker="local-2", slots=1))
    assert "takes nothing more" not in told(run)


def test_what_has_not_in_common_what_runs_waits_until_that_is_done():
    run = RecordedRun(SPEC + "mode: {synchronous: 3, sharing: [sweep]}\n").begin().settle(1, always(1.0))
    elsewhere = {**run.scheduler.state.trials[3].parameters, "sweep": 35.0}
    run.happen(PointsAdded(at=run.at, points=(elsewhere,)))
    run.settle(1, always(1.0))
    assert told(run).startswith("1 trial waiting until nothing runs that has sweep = 20: 1 trial running")
