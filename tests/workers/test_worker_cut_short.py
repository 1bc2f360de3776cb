"""A queue of a cluster takes a job back: it signals its processes, the worker and what that evaluates."""

from __future__ import annotations

import os
import signal

import pytest
from test_worker_leaving import in_the_middle
from worker_lab import Lab, eventually, result

from orchestrator.system.announced_ends import ANNOUNCING
from orchestrator.wire.messages import Failure, Heartbeat


def test_an_evaluation_that_is_ended_before_its_worker_hears_of_it_did_not_fail(lab: Lab) -> None:
    worker = in_the_middle(lab, "a program")
    for process in worker.noted.split():
        os.kill(int(process), signal.SIGTERM)
    eventually(lambda: not worker.evaluates)
    worker.process.send_signal(signal.SIGTERM)
    assert worker.leaves() == "drained by SIGTERM, by which trial 1 ended too"


@pytest.mark.parametrize("number", ANNOUNCING)
def test_what_only_announces_the_end_of_a_job_lets_evaluations_finish_though_all_processes_have_it(
    lab: Lab, number: signal.Signals
) -> None:
    worker = in_the_middle(lab, "a program")
    for process in worker.noted.split():
        os.kill(int(process), number)
    worker.asked_by(number)
    worker.gate.touch()
    result(worker.wire, "L1")
    assert worker.leaves() == f"drained by {number.name}"


def test_nor_did_one_that_is_ended_after_that(lab: Lab) -> None:
    """As at the end of a job's time, of which the worker alone was told before."""
    worker = in_the_middle(lab)
    worker.asked_by(signal.SIGTERM)
    os.kill(int(worker.noted), signal.SIGTERM)
    assert worker.leaves() == "drained by SIGTERM, by which trial 1 ended too"


def test_one_that_is_ended_alone_failed_and_is_held_until_that_is_known(lab: Lab) -> None:
    worker = in_the_middle(lab, heartbeat_s=0.1)
    os.kill(int(worker.noted), signal.SIGTERM)
    eventually(lambda: not worker.evaluates)
    assert worker.wire.expect(Heartbeat).leases == ["L1"]
    failure = worker.wire.expect(Failure, passing_over=(Heartbeat,))
    assert (failure.lease, failure.kind) == ("L1", "killed")
    assert "SIGTERM" in failure.message
