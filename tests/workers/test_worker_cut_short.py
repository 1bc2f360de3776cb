"""A queue of a cluster takes a job back: it signals its processes, the worker and what that evaluates."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from commands_run import of_python
from scripted_child import SlotBench, task_of
from test_worker_leaving import Leaver, in_the_middle
from worker_lab import Lab, eventually, result
from worker_on_a_line import WELCOME, Line, welcomed

from evaluators.child_process import pipe
from evaluators.worker_process.duties import Duties
from evaluators.worker_process.slot_events import Finished
from orchestrator.system.announced_ends import ANNOUNCING
from orchestrator.wire.messages import Cancel, Evaluate, Failure, Heartbeat, Hello


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_nor_did_one_that_is_ended_after_that(lab: Lab, number: signal.Signals) -> None:
    """As at the end of a job's time, of which the worker alone was told before."""
    worker = in_the_middle(lab)
    worker.asked_by(number)
    os.kill(int(worker.noted), number)
    assert worker.leaves() == f"drained by {number.name}, by which trial 1 ended too"


def test_nor_did_a_program_that_ended_in_order_as_it_was_asked_to(lab: Lab) -> None:
    note = lab.directory / "note"
    program = (
        "import os, signal, sys\n"
        "open(sys.argv[1] + '.draft', 'w').write(f'{os.getppid()} {os.getpid()}')\n"
        "os.rename(sys.argv[1] + '.draft', sys.argv[1])\n"
        "try: signal.pause()\n"
        "except KeyboardInterrupt: print(1.5)\n"
    )
    wire = lab.orchestrator("evaluators.command:run", options={"command": ["the", "worker's", "own", "wins"]})
    process = lab.start(wire.address, "--command", *of_python(program), str(note))
    wire.greet()
    wire.evaluate("L1", {})
    worker = Leaver(wire, process, lab.directory / "gate", note)
    eventually(lambda: wire.receive(0.01) is None and worker.noted)
    process.send_signal(signal.SIGINT)
    for each in worker.noted.split():
        os.kill(int(each), signal.SIGINT)
    assert worker.leaves() == "drained by SIGINT, by which trial 1 ended too"


def test_one_that_is_ended_alone_failed_and_is_held_until_that_is_known(lab: Lab) -> None:
    # Often enough that it beats before it is known.
    worker = in_the_middle(lab, heartbeat_s=0.2)
    os.kill(int(worker.noted), signal.SIGTERM)
    eventually(lambda: not worker.evaluates)
    while not isinstance(said := worker.wire.expect(Heartbeat, Hello, Failure), Failure):
        assert not isinstance(said, Heartbeat) or said.leases == ["L1"]
        worker.welcomed_again(said)
    assert (said.lease, said.kind) == ("L1", "killed")
    assert "SIGTERM" in said.message


@pytest.mark.parametrize("waits", [False, True])
def test_one_that_is_ended_while_it_imports_its_evaluator_says_nothing_against_that(waits: bool) -> None:
    """Whether its worker leaves or not, and whether a task waits for it."""
    bench = SlotBench()
    if waits:
        bench.begin(task_of("1.1"), 0.0)
    bench.child.code = -signal.SIGTERM
    events = bench.ends(1.0)
    assert [isinstance(event, Finished) and event.asked_to_end for event in events] == [True] * waits
    bench.begin(task_of("1.2"), 2.0)
    bench.says(pipe.LOADED, b"", 3.0)
    assert len(bench.child.given()) == 1


TASK = Evaluate(run=WELCOME.run, lease="1.1", trial=1, attempt=1, parameters={"x": 3.2}, seed=7)


def in_doubt(directory: Path, line: Line, bench: SlotBench) -> Duties:
    """Its evaluation was ended at 1 second, and nobody has asked the worker to leave yet."""
    worker = welcomed(directory, line, [bench.slot])
    bench.ends(0.0)
    bench.says(pipe.LOADED, b"", 0.5)
    line.comes(TASK)
    worker.on_messages(0.5)
    assert len(bench.child.given()) == 1
    bench.child.code = -signal.SIGTERM
    bench.child.ended = True
    worker.on_children_ended(1.0)
    bench.says(pipe.LOADED, b"", 1.0)
    return worker


def test_one_that_is_called_off_before_it_is_known_is_not_spoken_of_again(tmp_path: Path) -> None:
    worker = in_doubt(tmp_path, line := Line(), SlotBench())
    line.comes(Cancel(lease=TASK.lease))
    worker.on_messages(1.1)
    line.said.clear()
    worker.on_time(2.0)
    assert line.said == [Heartbeat()]


def test_one_that_is_given_again_before_it_is_known_is_not_begun_again(tmp_path: Path) -> None:
    bench = SlotBench()
    worker = in_doubt(tmp_path, line := Line(), bench)
    line.comes(TASK)
    worker.on_messages(1.1)
    assert bench.child.given() == []
    worker.on_time(2.0)
    assert sum(isinstance(said, Failure) for said in line.said) == 1
