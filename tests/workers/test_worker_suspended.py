"""A queue suspends a worker's job, with all that it started, for longer than its evaluation may take."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from worker_lab import WORKLOADS, Lab, eventually, result

from evaluators.compiled import built, missing
from evaluators.native import launcher
from orchestrator.wire.messages import Failure, Heartbeat, Hello, Result

pytestmark = pytest.mark.long
TIMEOUT_S = 3.0
STOPPED_S = 9.0
NATIVE = launcher.program_for_here()
LACKING = missing(NATIVE)


def suspended(worker: subprocess.Popen[bytes]) -> None:
    """For longer than the timeout."""
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    processes = [worker.pid, *map(int, children.read_text().split())]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    time.sleep(STOPPED_S)
    for process in processes:
        os.kill(process, signal.SIGCONT)


def test_an_evaluation_has_the_time_that_was_left_to_it(lab: Lab) -> None:
    """And its worker does not leave for having heard nobody meanwhile."""
    wire = lab.orchestrator()
    worker = lab.start(wire.address, "--evaluator", f"{WORKLOADS}:behave", "--wait", str(STOPPED_S - 1.0))
    wire.greet()
    note, gate = lab.directory / "runs", lab.directory / "open"
    wire.evaluate("L1", {"how": "gate", "note": str(note), "open": str(gate)}, timeout_s=TIMEOUT_S)
    eventually(note.exists)
    suspended(worker)
    # It runs on for a moment, so that it is not its value that saves it.
    time.sleep(0.3)
    gate.touch()
    found = result(wire, "L1")
    assert found.value == float(note.read_text())
    assert found.elapsed_s < TIMEOUT_S
    assert "--wait" not in lab.said()


@pytest.mark.skipif(bool(LACKING), reason=f"the worker in C++ cannot be built: {LACKING} missing")
def test_so_it_has_at_the_worker_in_c(lab: Lab) -> None:
    wire = lab.orchestrator("native:quadratic", heartbeat_s=1.0)
    command = [built(NATIVE), "--connect", wire.address, "--name", "w", "--directory", lab.directory / "w"]
    with (lab.directory / "native.log").open("wb") as log:
        worker = subprocess.Popen(command, stderr=log)
    lab.workers.append(worker)
    wire.greet()
    wire.evaluate("L1", {"x": 0.5, "nap_s": STOPPED_S + 1.0}, timeout_s=TIMEOUT_S)
    while wire.expect(Heartbeat).leases != ["L1"]:
        pass
    suspended(worker)
    said = wire.expect(Hello, Result, Failure)
    if isinstance(said, Hello):
        # It may have read nothing of what came meanwhile.
        wire.send(wire.assignment)
        said = wire.expect(Result, Failure)
    assert isinstance(said, Result)
    assert said.elapsed_s < STOPPED_S
