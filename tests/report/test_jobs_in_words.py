"""How the jobs of a run stand, as a person reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from policies import policy_with

from orchestrator.report.doctor.readiness import NotReadyError, refuse_to_begin
from orchestrator.report.words.jobs import jobs_so_far, jobs_words
from orchestrator.runtime.circumstances import JobsSeen
from orchestrator.runtime.jobs.job_notes import JobNotes
from orchestrator.runtime.jobs.jobs_seen import jobs_seen
from orchestrator.scheduler.events import RunStarted, WorkerJoined, WorkerLeft
from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobEvent,
    JobRefused,
    JobSentHome,
    JobSubmitted,
)
from orchestrator.scheduler.job_fates import ADVICE, MEMORY
from orchestrator.scheduler.job_keeping import QueuePatience
from orchestrator.scheduler.job_lists import Listing
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.words.job_words import job_sentence
from orchestrator.spec.load import load_spec_text


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (JobsSeen(), "no job is in the queue"),
        (JobsSeen(running=1), "1 job runs"),
        (JobsSeen(submitting_since=780.0), "a job is being submitted, for 40 s"),
        (
            JobsSeen(waiting=1, waiting_since=790.0, submitting_since=818.0),
            "1 job waits for 30 s and one more is being submitted, for 2.0 s",
        ),
        (
            JobsSeen(running=1, amiss="1 job ended badly, as NODE_FAIL: leave that node out", amiss_at=700.0),
            "1 job runs; 1 job ended badly, as NODE_FAIL: leave that node out (2 min 00 s ago)",
        ),
        (JobsSeen(running=3, coming=2), "3 jobs run (2 without a worker yet)"),
        (
            JobsSeen(running=5, waiting=3, why={"Priority": 3}, waiting_since=100.0),
            "5 jobs run and 3 wait (Priority), the first for 12 min 00 s",
        ),
        (
            JobsSeen(waiting=3, why={"Priority": 2, "Resources": 1}, waiting_since=790.0),
            "3 jobs wait (2 Priority, 1 Resources), the first for 30 s",
        ),
        (JobsSeen(waiting=1, waiting_since=790.0), "1 job waits for 30 s"),
        (JobsSeen(doubted=1), "of 1 job it is not known whether the queue has it"),
        (JobsSeen(doubted=2), "of 2 jobs it is not known whether the queue has them"),
        (
            JobsSeen(running=2, silent_since=790.0),
            "2 jobs run; the queue has not answered for 30 s",
        ),
        (
            JobsSeen(refused="no such partition\nat all"),
            "no job is in the queue; the last was not taken: no such partition",
        ),
        (
            JobsSeen(given_up=True, last_words="not found"),
            "no job is in the queue; no more are submitted, as too many in a row came to nothing, the last"
            " with: not found",
        ),
    ],
)
def test_how_they_stand(seen: JobsSeen, said: str) -> None:
    assert jobs_words(seen, 820.0) == said


def test_what_the_queue_may_have_of_a_run_that_was_killed() -> None:
    scheduler = Scheduler(policy_with(trials=9))
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon"))
    for number in (1, 2, 3):
        worker, name = f"job-{number}", f"wing-1-{number}"
        scheduler.handle(JobAsked(at=1.0, number=number, worker=worker, name=name, address="tcp://here:5556"))
        if number == 1:
            scheduler.handle(JobRefused(at=1.0, number=1, message="no such partition"))
            assert jobs_so_far(scheduler.state) == ""
    scheduler.handle(JobSubmitted(at=2.0, number=2, job="4711"))
    scheduler.handle(WorkerJoined(at=3.0, worker="job-2", slots=1))
    words = "2 jobs were submitted; in the queue when it was left: 4711, wing-1-3"
    assert jobs_so_far(scheduler.state) == words


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (JobEnded(at=1.0, number=3), "job 3 is not in the queue any more"),
        (JobEnded(at=1.0, number=3, said="bye"), "job 3 is not in the queue any more: bye"),
        (
            JobEnded(at=1.0, number=3, said="bye", how="COMPLETED"),
            "job 3 is not in the queue any more: COMPLETED",
        ),
        (
            JobEnded(at=1.0, number=3, said="no module", how="FAILED, exit code 3"),
            "job 3 is not in the queue any more: FAILED, exit code 3; it printed last: no module",
        ),
        (JobCalledOff(at=1.0, number=3), "job 3 is taken back out of the queue"),
        (
            JobCalledOff(at=1.0, number=3, reason="memory usage exceeded"),
            "job 3 is taken back: the queue holds it, memory usage exceeded",
        ),
        (
            JobSentHome(at=1.0, number=3, idle_s=610.0),
            "the worker of job 3 has had nothing to do for 10 min, and goes home",
        ),
        (JobSentHome(at=1.0, number=3), "the worker of job 3 is one too many, and goes home"),
    ],
)
def test_what_became_of_a_job(event: JobEvent, said: str) -> None:
    assert job_sentence(event) == said


def test_a_job_whose_worker_has_left_and_that_is_listed_no_more_does_not_wait() -> None:
    scheduler = Scheduler(policy_with(trials=9))
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon"))
    scheduler.handle(JobAsked(at=1.0, number=1, worker="job-1", name="wing-1-1", address="tcp://here:5556"))
    scheduler.handle(JobSubmitted(at=2.0, number=1, job="4711"))
    assert jobs_seen(scheduler.state, Listing(), None).waiting == 1
    scheduler.handle(WorkerJoined(at=3.0, worker="job-1", slots=1))
    scheduler.handle(WorkerLeft(at=4.0, worker="job-1", lost=False))
    # Where the queue has not answered since, nobody knows.
    seen = jobs_seen(scheduler.state, Listing(), None)
    assert (seen.waiting, seen.doubted) == (0, 1)
    listing = Listing(asked_at=20.0).after(Listing(), scheduler.state.jobs.known.values(), listed_s=10.0)
    assert jobs_words(jobs_seen(scheduler.state, listing, None), 21.0) == "no job is in the queue"


def _notes(said: list[str], logged: list[str]) -> JobNotes:
    return JobNotes(
        say=lambda _, words: said.append(words),
        log=lambda _, words: logged.append(words),
        outputs=Path("jobs"),
        patience=QueuePatience(),
    )


def test_what_ended_badly_is_said_with_what_to_do_about_it_and_ever_more_seldom() -> None:
    scheduler, said, logged = Scheduler(policy_with(trials=99)), list[str](), list[str]()
    notes = _notes(said, logged)
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon"))
    for number in range(1, 12):
        how = "OUT_OF_MEMORY, signal 125"
        asked = JobAsked(at=1.0, number=number, worker="job-1", name=f"wing-{number}", address="tcp://here:1")
        joined = WorkerJoined(at=2.0, worker="job-1", slots=1)
        left = WorkerLeft(at=200.0, worker="job-1", lost=True)
        for event in (asked, joined, left, ended := JobEnded(at=201.0, number=number, how=how)):
            scheduler.handle(event)
        notes.heard(ended, scheduler.state)
    assert said == [
        f"job 1 ended: OUT_OF_MEMORY, signal 125; {ADVICE[MEMORY]}",
        f"job 10 ended: OUT_OF_MEMORY, signal 125, as 10 did by now; {ADVICE[MEMORY]}",
    ]
    assert len(logged) == 11
    badly = f"11 jobs ended badly, the last as OUT_OF_MEMORY, signal 125: {ADVICE[MEMORY]}"
    assert jobs_seen(scheduler.state, Listing(), None).amiss == badly
    assert jobs_so_far(scheduler.state) == f"11 jobs were submitted; {badly}"


def test_and_of_several_that_ended_at_once_as_well() -> None:
    """One node had two of them, and memory was short on another."""
    scheduler, said = Scheduler(policy_with(trials=99)), list[str]()
    notes = _notes(said, [])
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon"))
    ended = [
        JobEnded(at=201.0, number=number, how=how)
        for number, how in enumerate(("NODE_FAIL", "NODE_FAIL", "OUT_OF_MEMORY"), 1)
    ]
    for number in (1, 2, 3):
        worker = f"job-{number}"
        scheduler.handle(JobAsked(at=1.0, number=number, worker=worker, name=worker, address="tcp://here:1"))
        scheduler.handle(WorkerJoined(at=2.0, worker=worker, slots=1))
    for number in (1, 2, 3):
        scheduler.handle(WorkerLeft(at=200.0, worker=f"job-{number}", lost=True))
        scheduler.handle(ended[number - 1])
    for event in ended:
        notes.heard(event, scheduler.state)
    assert said == [
        "job 1 ended: NODE_FAIL, as 2 did by now; leave that node out if it happens again (Slurm: --exclude)",
        f"job 3 ended: OUT_OF_MEMORY; {ADVICE[MEMORY]}",
    ]


def test_a_worker_that_was_given_something_in_the_last_moment_is_not_said_to_go_home() -> None:
    scheduler, logged = Scheduler(policy_with(trials=9)), list[str]()
    notes = _notes([], logged)
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon", points=({"x": 0.5},)))
    scheduler.handle(JobAsked(at=1.0, number=1, worker="job-1", name="wing-1", address="tcp://here:1"))
    scheduler.handle(WorkerJoined(at=2.0, worker="job-1", slots=1))
    for home in (JobSentHome(at=3.0, number=1, idle_s=600.0), JobSentHome(at=3.0, number=1)):
        scheduler.handle(home)
        notes.heard(home, scheduler.state)
    assert logged == ["the worker of job 1 is one too many, and goes home"]


def test_what_may_be_in_the_queue_at_the_end_is_looked_for_by_a_name_only_where_it_has_one() -> None:
    said = list[str]()
    notes = _notes(said, [])
    notes.not_found({4: "wing-4"}, named=True)
    notes.not_found({4: "wing-4", 5: "wing-5"}, named=False)
    assert said == [
        "whether the queue has wing-4 is not known; if so, it will leave where nobody answers: look for that"
        " name, and take it back by hand",
        "whether the queue has job 4, job 5 is not known; if so, they will leave where nobody answers: look"
        " for them, and take them back by hand",
    ]


def test_a_run_whose_queue_is_not_here_does_not_begin(tmp_path: Path) -> None:
    text = f"""\
experiment: wing
objective: {{name: drag, goal: minimise}}
parameters: {{x: {{type: float, bounds: [0, 1]}}}}
budget: 4
evaluation: {{evaluator: "evaluators.command:run"}}
workers:
  local: 0
  listen: "tcp://127.0.0.1:5556"
  jobs:
    at_most: 2
    script: {tmp_path}/worker.sh
    submit: [no-such-submit, "{{script}}"]
    state: [env]
    cancel: [env, "{{jobs}}"]
"""
    spec = load_spec_text(text, "wing.yaml", tmp_path).spec
    with pytest.raises(NotReadyError) as caught:
        refuse_to_begin(spec)
    assert "of its queue's commands no-such-submit, looked for on the path" in str(caught.value)
    assert f"the script {tmp_path}/worker.sh of its jobs" in str(caught.value)
