"""How the worker in C++ and its evaluations end: by signals, a queue, a terminal that is closed."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from native_lab import NEEDS_A_COMPILER, NativeLab, evaluating
from worker_lab import PATIENCE_S, eventually, failure, is_alive

from orchestrator.system.echoed_signals import ECHO_S
from orchestrator.wire.messages import Drain, Goodbye, Heartbeat
from orchestrator.wire.scripted import ScriptedOrchestrator

pytestmark = NEEDS_A_COMPILER


@pytest.mark.parametrize(("number", "words"), [(signal.SIGKILL, "9 (Killed)"), (signal.SIGTERM, "15")])
def test_an_evaluation_that_is_killed_is_a_failure_that_names_the_signal(
    wire: ScriptedOrchestrator, native: NativeLab, number: signal.Signals, words: str
) -> None:
    child = evaluating(wire, native.start(wire.address))
    eventually(lambda: b"evaluate" in Path(f"/proc/{child}/cmdline").read_bytes())
    os.kill(child, number)
    failed = failure(wire, "L1")

    assert failed.kind == "killed"
    assert f"signal {words}" in failed.message


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_its_evaluation_dies_with_it(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    worker = native.start(wire.address)
    child = evaluating(wire, worker)
    worker.kill()
    worker.wait()

    eventually(lambda: not is_alive(child))


def test_of_a_sigterm_that_reaches_it_twice_at_once_the_second_is_an_echo(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    worker = native.start(wire.address)
    child = evaluating(wire, worker)
    worker.send_signal(signal.SIGTERM)
    time.sleep(ECHO_S / 20.0)  # else both are one
    worker.send_signal(signal.SIGTERM)
    while not wire.expect(Heartbeat).draining:
        pass
    assert wire.expect(Heartbeat).draining
    assert is_alive(child)
    worker.send_signal(signal.SIGINT)
    assert wire.expect(Goodbye).reason == "interrupted by SIGINT"


@pytest.mark.parametrize(
    ("now", "why"), [(True, "the run is over, or was stopped"), (False, "the run needs this worker no more")]
)
def test_it_says_why_it_ends_as_the_worker_in_python_does(
    wire: ScriptedOrchestrator, native: NativeLab, now: bool, why: str
) -> None:
    worker = native.start(wire.address)
    wire.greet()
    wire.send(Drain(now=now))
    wire.send(Drain(now=True))
    assert wire.expect(Goodbye).reason == "drained"
    assert worker.wait(PATIENCE_S) == 0
    assert native.said.splitlines()[-1] == f"worker w: {why}"


def test_asked_once_it_drains_and_asked_twice_it_kills(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    worker = native.start(wire.address)
    child = evaluating(wire, worker)
    worker.send_signal(signal.SIGTERM)
    while not wire.expect(Heartbeat).draining:
        pass
    assert is_alive(child)
    time.sleep(ECHO_S)
    worker.send_signal(signal.SIGTERM)

    assert wire.expect(Goodbye).reason == "interrupted by SIGTERM"
    assert worker.wait(PATIENCE_S) == 130
    assert native.said.splitlines()[-1] == "worker w: finishing what runs; once more to stop at once"
    assert not is_alive(child)


def test_what_a_queue_announces_and_then_ends_with_it_did_not_fail(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    worker = native.start(wire.address)
    child = evaluating(wire, worker)
    eventually(lambda: b"evaluate" in Path(f"/proc/{child}/cmdline").read_bytes())
    for process in (child, worker.pid):
        os.kill(process, signal.SIGUSR1)
    while not wire.expect(Heartbeat).draining:
        pass
    assert is_alive(child)
    os.kill(child, signal.SIGTERM)
    assert wire.expect(Goodbye).reason == "drained by SIGUSR1, by which trial 1 ended too"


def test_a_terminal_that_is_closed_drains_it_however_often_it_is_said(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    worker = native.start(wire.address)
    child = evaluating(wire, worker)
    for _ in range(2):
        worker.send_signal(signal.SIGHUP)
        while not wire.expect(Heartbeat).draining:
            pass
        wire.expect(Heartbeat)
    assert is_alive(child)
