"""A run submits its workers to a queue, here a small one of real processes, and knows how they stand."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from run_lab import BRISK, HERE, RunLab, checked, eventually, spec

from benchmarks.running.free_port import free_port
from orchestrator.scheduler.events import ResultArrived, WorkerBeganDraining, WorkerJoined
from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobRefused,
    JobSentHome,
    JobSubmitted,
)

QUEUE = str(HERE / "small_queue.py")
QUICK = {
    **BRISK,
    "queue": {
        "listed_s": 0.0,
        "missed_s": 0.0,
        "empty_s": 0.0,
        "found_s": 0.0,
        "asked_s": 0.1,
        "asked_soon_s": 0.1,
        "in_vain_s": 0.01,
    },
}
WORKER = """\
#!/bin/sh
exec {python} -m evaluators.worker --connect "$ORCHESTRATOR_ADDRESS" --name "$ORCHESTRATOR_WORKER" \\
    --grace 0.3 --wait 300 --directory "{folder}/$ORCHESTRATOR_WORKER" \\
    --evaluator workloads_for_runs:{function}
"""


class JobLab:
    """A laboratory with a queue in a folder, and a script whose jobs are workers."""

    def __init__(self, lab: RunLab, places: int = 1, script: str = WORKER, function: str = "quick") -> None:
        self.lab = lab
        self.folder = lab.directory / "queue"
        self.folder.mkdir()
        self.be("places", str(places))
        self.script = lab.directory / "job.sh"
        self.script.write_text(script.format(python=sys.executable, folder=lab.directory, function=function))

    def be(self, how: str, said: str = "") -> Path:
        (self.folder / how).write_text(said)
        return self.folder / how

    def spec(self, at_most: int, function: str = "quick", **changes: Any) -> dict[str, Any]:
        called = [sys.executable, QUEUE]
        jobs = {
            "at_most": at_most,
            "script": str(self.script),
            "submit": [*called, "submit", str(self.folder), "{name}", "{output}", "sh", "{script}"],
            "state": [*called, "list", str(self.folder)],
            "cancel": [*called, "cancel", str(self.folder), "{jobs}"],
        }
        workers = {"local": 0, "listen": f"tcp://127.0.0.1:{free_port()}", "jobs": jobs}
        return spec(function, **{"workers": workers, **changes})

    @property
    def jobs(self) -> list[Mapping[str, Any]]:
        """What the queue has."""
        file = self.folder / "jobs.json"
        return json.loads(file.read_text()) if file.exists() else []

    @property
    def submitted(self) -> int:
        """How many it ever took."""
        return int((self.folder / "counter").read_text()) - 100


def test_workers_are_submitted_work_and_what_waits_is_taken_back_at_the_end(lab: RunLab) -> None:
    queue = JobLab(lab, places=1, function="gated")
    whole = queue.spec(2, "gated", options={"folder": str(lab.directory)}, budget={"trials": 4})
    run = lab.run(whole, QUICK)
    run.await_events(JobSubmitted, 2)
    (lab.directory / "open").touch()
    run.ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 4
    # Again where it was held up for so long that it took the run for gone.
    assert {event.worker for event in run.of(WorkerJoined)} == {"job-1"}
    assert [event.number for event in run.of(JobAsked)] == [1, 2]
    assert [event.job for event in run.of(JobSubmitted)] == ["101", "102"]
    assert [job["number"] for job in queue.jobs if job["process"] is None] == []
    assert "2 jobs were submitted" in lab.says("status", str(run.folder.path))
    assert "the queue calls it 101" in run.folder.log.read_text()
    assert "one more is submitted" not in run.said


def test_a_killed_run_finds_its_jobs_again_and_submits_no_second_set(lab: RunLab) -> None:
    """It is killed as it waits for the number of the second, which the queue has taken."""
    queue = JobLab(lab, places=2, function="gated")
    whole = queue.spec(2, "gated", options={"folder": str(lab.directory)}, budget={"trials": 3})
    run = lab.run(whole, QUICK)
    run.await_events(JobSubmitted)
    swallows = queue.be("swallows")
    run.await_events(JobAsked, 2)
    eventually(lambda: len(queue.jobs) == 2)
    run.kill()
    again = lab.resume(run.folder, QUICK)
    # By its name it is known, though nobody ever heard its number.
    assert [event.job for event in again.await_events(JobSubmitted, 2)] == ["101", "102"]
    eventually(lambda: {event.worker for event in again.of(WorkerJoined)} == {"job-1", "job-2"})
    swallows.unlink()
    (lab.directory / "open").touch()
    again.ends(0)
    assert queue.submitted == 2
    assert checked(run.folder).tally.completed == 3


def test_a_job_of_which_the_run_never_heard_is_found_by_its_name_at_the_end_and_taken_back(
    lab: RunLab,
) -> None:
    """The queue has taken it, and has not said so yet when the run is stopped."""
    queue = JobLab(lab, places=0)
    queue.be("swallows")
    run = lab.run(queue.spec(at_most=1), {**QUICK, "queue": {**QUICK["queue"], "last_s": 1.0}})  # type: ignore[dict-item]
    eventually(lambda: queue.jobs)
    run.signal(signal.SIGINT)
    run.ends(130)
    assert queue.jobs == []
    assert [event.job for event in run.of(JobSubmitted)] == ["", "101"]
    assert [event.said for event in run.of(JobEnded)] == ["taken back as the run ended"]


@pytest.mark.long
def test_a_job_that_is_cancelled_is_replaced_under_the_name_of_its_worker(lab: RunLab) -> None:
    queue = JobLab(lab, places=1, function="gated")
    whole = queue.spec(1, "gated", options={"folder": str(lab.directory)}, budget={"trials": 2})
    run = lab.run(whole, QUICK)
    eventually((lab.directory / "1.1").exists)
    subprocess.run([sys.executable, QUEUE, "cancel", str(queue.folder), "101"], check=True)
    run.await_events(WorkerBeganDraining)
    (lab.directory / "open").touch()
    run.ends(0)
    assert (checked(run.folder).tally.completed, queue.submitted) == (2, 2)
    assert [event.worker for event in run.of(JobAsked)] == ["job-1", "job-1"]


@pytest.mark.long
def test_a_worker_that_has_nothing_to_do_goes_home_and_its_job_ends(lab: RunLab) -> None:
    """In a round of two, of which one takes long."""
    queue = JobLab(lab, places=2, function="gated")
    rounds = {"budget": {"trials": 4}, "mode": {"synchronous": 2}}
    whole = queue.spec(2, "gated", options={"folder": str(lab.directory)}, **rounds)
    whole["workers"]["jobs"]["idle"] = "0.3 s"
    run = lab.run(whole, QUICK)
    eventually((lab.directory / "1.1").exists)
    eventually((lab.directory / "2.1").exists)
    (lab.directory / "open-1").touch()
    sent_home = run.await_events(JobSentHome)[0]
    assert sent_home.idle_s is not None
    assert sent_home.idle_s >= 0.3
    assert [ended.number for ended in run.await_events(JobEnded)] == [sent_home.number]
    assert len(queue.jobs) == 1
    (lab.directory / "open").touch()
    run.ends(0)
    assert checked(run.folder).tally.completed == 4
    assert "one more is submitted in" not in run.said


def test_jobs_that_end_at_once_are_not_submitted_for_ever(lab: RunLab) -> None:
    queue = JobLab(lab, script="echo no module named wing\n")
    run = lab.run(queue.spec(at_most=3), QUICK)
    eventually(lambda: "no more are submitted" in run.said, why=lambda: run.said)
    assert "6 times in a row jobs ended" in run.said
    assert "no module named wing" in run.said
    assert queue.submitted == len(run.of(JobEnded))
    said = lab.says("status", str(run.folder.path))
    assert "no worker is connected" in said
    run.signal(signal.SIGINT)
    run.ends(130)
    assert f"{queue.submitted} jobs were submitted" in lab.says("status", str(run.folder.path))


@pytest.mark.long
def test_a_queue_that_takes_none_or_hangs_is_asked_again(lab: RunLab) -> None:
    queue = JobLab(lab)
    refuses, hangs = queue.be("refuses", "invalid partition specified: nowhere"), queue.folder / "hangs"
    patience = {**QUICK, "queue": {**QUICK["queue"], "refused_s": 0.01, "command_s": 2.0}}  # type: ignore[dict-item]
    run = lab.run(queue.spec(at_most=1, budget={"trials": 1}), patience)
    assert "nowhere" in run.await_events(JobRefused)[0].message
    hangs.touch()
    refuses.unlink()
    assert [one.job for one in run.await_events(JobSubmitted)] == [""]
    hangs.unlink()
    run.ends(0)
    assert run.of(ResultArrived)
    assert "it is tried again in" in run.said
    assert "did not end in time" in run.said
    assert run.of(JobCalledOff) == []
