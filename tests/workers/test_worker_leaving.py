"""How a worker ends: drained, asked once, asked twice, or left by its parent."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from worker_lab import Lab, eventually, is_alive, result

from orchestrator.wire.messages import Acknowledge, Drain, Goodbye, Heartbeat, Reject, Result
from orchestrator.wire.scripted import ScriptedOrchestrator


def _running_gate(
    lab: Lab, **settings: float
) -> tuple[ScriptedOrchestrator, subprocess.Popen[bytes], Path, int]:
    """A worker in the middle of an evaluation that ends when the gate's file appears."""
    wire = lab.orchestrator(**settings)
    worker = lab.start(wire.address)
    wire.greet()
    gate, note = lab.directory / "gate", lab.directory / "note"
    wire.evaluate("L1", {"how": "gate", "note": str(note), "open": str(gate)})
    eventually(lambda: wire.receive(0.01) is None and note.exists() and note.read_text())
    return wire, worker, gate, int(note.read_text())


def test_drained_it_finishes_what_runs_takes_nothing_more_and_says_goodbye(lab: Lab) -> None:
    wire, worker, gate, child = _running_gate(lab)
    wire.send(Drain())
    wire.evaluate("too late", {"how": "well"})
    wire.expect(Heartbeat)
    gate.touch()
    result(wire, "L1")
    wire.expect(Goodbye)
    assert worker.wait(20) == 0
    assert not is_alive(child)


def test_drained_now_it_kills_what_runs(lab: Lab) -> None:
    wire, worker, _, child = _running_gate(lab)
    wire.send(Drain(now=True))
    wire.expect(Goodbye)
    assert worker.wait(20) == 0
    assert not is_alive(child)


def test_an_evaluator_that_holds_hardware_closes_it_when_the_run_ends(lab: Lab) -> None:
    wire = lab.orchestrator()
    worker = lab.start(wire.address)
    wire.greet()
    note = lab.directory / "note"
    wire.evaluate("L1", {"how": "hold hardware", "note": str(note)})
    result(wire, "L1")
    wire.send(Drain(now=True))
    wire.expect(Goodbye, passing_over=(Heartbeat,))
    assert worker.wait(20) == 0
    assert note.read_text() == "closed"


def test_and_when_its_parent_is_gone(lab: Lab) -> None:
    wire = lab.orchestrator()
    arguments = ("--exit-with-parent", "--evaluator", "workloads_for_workers:behave")
    worker = lab.start(wire.address, *arguments, stdin=subprocess.PIPE)
    wire.greet()
    note = lab.directory / "note"
    wire.evaluate("L1", {"how": "hold hardware", "note": str(note)})
    result(wire, "L1")
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(20) == 0
    assert note.read_text() == "closed"


def test_drained_now_it_asks_what_runs_to_stop_before_it_kills_it(lab: Lab) -> None:
    wire = lab.orchestrator()
    worker = lab.start(wire.address)
    wire.greet()
    note = lab.directory / "note"
    wire.evaluate("L1", {"how": "brake", "note": str(note)})
    eventually(lambda: note.exists() and note.read_text() == "moves")
    wire.send(Drain(now=True))
    wire.expect(Goodbye, passing_over=(Heartbeat,))
    assert worker.wait(20) == 0
    assert note.read_text() == "stands still"


def test_asked_once_by_a_signal_it_drains_itself_and_says_so(lab: Lab) -> None:
    wire, worker, gate, _ = _running_gate(lab)
    worker.send_signal(signal.SIGTERM)
    while not wire.expect(Heartbeat).draining:
        pass
    gate.touch()
    result(wire, "L1")
    assert wire.expect(Goodbye).reason == "drained by SIGTERM"
    assert worker.wait(20) == 0


def test_whoever_it_meets_while_it_drains_is_told_so_with_its_hello(lab: Lab) -> None:
    wire, worker, gate, _ = _running_gate(lab)
    worker.send_signal(signal.SIGTERM)
    while not wire.expect(Heartbeat).draining:
        pass
    wire.send(Reject(code="hello", reason="expected hello first"))
    hello = wire.greet()
    assert (hello.leases, hello.draining) == (["L1"], True)
    gate.touch()
    result(wire, "L1")
    wire.expect(Goodbye)
    assert worker.wait(20) == 0


def test_asked_twice_it_kills_what_runs_and_says_goodbye_at_once(lab: Lab) -> None:
    wire, worker, _, child = _running_gate(lab)
    worker.send_signal(signal.SIGINT)
    while not wire.expect(Heartbeat).draining:
        pass
    worker.send_signal(signal.SIGINT)
    assert wire.expect(Goodbye).reason == "interrupted by SIGINT"
    assert worker.wait(20) == 130
    assert not is_alive(child)


def test_a_result_that_nobody_acknowledges_does_not_keep_a_drained_worker_for_ever(lab: Lab) -> None:
    wire, worker, gate, _ = _running_gate(lab, heartbeat_s=0.1)
    worker.send_signal(signal.SIGTERM)
    gate.touch()
    wire.expect(Result)
    wire.expect(Goodbye, passing_over=(Heartbeat, Result))
    assert worker.wait(20) == 0
    assert "1 result" in lab.said()
    assert "--directory" in lab.said()


def test_it_waits_for_the_acknowledgement_of_its_last_result(lab: Lab) -> None:
    wire, worker, gate, _ = _running_gate(lab)
    wire.send(Drain())
    gate.touch()
    wire.expect(Result)
    wire.expect_none(Goodbye, 0.3)
    wire.send(Acknowledge(lease="L1"))
    wire.expect(Goodbye)
    assert worker.wait(20) == 0
    assert (lab.directory / "w" / "outbox.jsonl").stat().st_size == 0


def test_it_ends_with_its_parent(lab: Lab) -> None:
    wire = lab.orchestrator()
    parent = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    worker = lab.start(
        wire.address,
        "--exit-with-parent",
        "--evaluator",
        "workloads_for_workers:behave",
        stdin=parent.stdout,
    )
    wire.greet()
    note = lab.directory / "note"
    wire.evaluate("L1", {"how": "grandchild", "note": str(note)})
    eventually(lambda: note.exists() and note.read_text())
    parent.kill()
    parent.communicate()
    assert worker.wait(20) == 0
    assert not any(is_alive(int(pid)) for pid in note.read_text().split())


def test_a_worker_that_never_found_its_orchestrator_ends_when_asked(lab: Lab) -> None:
    worker = lab.start("tcp://127.0.0.1:1")
    eventually(lambda: "dialling" in lab.said())
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0
