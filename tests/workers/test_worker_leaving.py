"""How a worker ends: drained, asked once, asked twice, or left by its parent."""

from __future__ import annotations

import math
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest
from held_process import held_by_the_system
from worker_lab import BEATS_S, PATIENCE_S, WORKLOADS, Lab, eventually, is_alive, result
from worker_on_a_line import Line, welcomed

from evaluators.worker_process.deserted import Deserted
from orchestrator.wire.messages import Acknowledge, Drain, Goodbye, Heartbeat, Hello, Message, Reject, Result
from orchestrator.wire.scripted import ScriptedOrchestrator


@dataclass(frozen=True)
class Leaver:
    """A worker that was given `L1`, which notes what it is at."""

    wire: ScriptedOrchestrator
    process: subprocess.Popen[bytes]
    gate: Path
    note: Path

    @property
    def noted(self) -> str:
        return self.note.read_text() if self.note.exists() else ""

    @property
    def evaluates(self) -> bool:
        """Whether any of the processes that it noted is alive."""
        return any(is_alive(int(pid)) for pid in self.noted.split())

    def welcomed_again(self, message: Message | None) -> None:
        """Who was held up for so long that it took the other side for gone says hello again."""
        if isinstance(message, Hello):
            self.wire.send(self.wire.assignment)

    def asked_by(self, number: signal.Signals) -> None:
        """A signal, which it answers with draining heartbeats."""
        self.process.send_signal(number)
        while not self.wire.expect(Heartbeat).draining:
            pass

    def leaves(self, code: int = 0, passing_over: tuple[type[Message], ...] = (Heartbeat,)) -> str:
        """It says goodbye and ends; the reason that it gives."""
        goodbye = self.wire.expect(Goodbye, passing_over=passing_over)
        assert self.process.wait(PATIENCE_S) == code
        return goodbye.reason


def given(
    lab: Lab,
    how: str,
    stdin: int | IO[bytes] | None = None,
    heartbeat_s: float = BEATS_S,
    terminal: int | None = None,
) -> Leaver:
    """Whose evaluation behaves like this. ``stdin`` is held by its parent, where it has one."""
    wire = lab.orchestrator(heartbeat_s=heartbeat_s)
    if stdin is None:
        process = lab.start(wire.address, terminal=terminal)
    else:
        offers = ("--evaluator", f"{WORKLOADS}:behave")
        process = lab.start(wire.address, "--exit-with-parent", *offers, stdin=stdin)
    wire.greet()
    leaver = Leaver(wire, process, lab.directory / "gate", lab.directory / "note")
    wire.evaluate("L1", {"how": how, "note": str(leaver.note), "open": str(leaver.gate)})
    return leaver


def in_the_middle(
    lab: Lab, how: str = "gate", heartbeat_s: float = BEATS_S, terminal: int | None = None
) -> Leaver:
    """Of an evaluation; by default of one that ends when the gate's file appears."""
    leaver = given(lab, how, heartbeat_s=heartbeat_s, terminal=terminal)

    def at_it() -> bool:
        leaver.welcomed_again(message := leaver.wire.receive(0.01))
        return message is None and bool(leaver.noted)

    eventually(at_it)
    return leaver


def test_drained_it_finishes_what_runs_takes_nothing_more_and_says_goodbye(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.wire.send(Drain())
    worker.wire.evaluate("too late", {"how": "well"})
    worker.wire.expect(Heartbeat)
    worker.gate.touch()
    result(worker.wire, "L1")
    worker.leaves()
    eventually(lambda: not worker.evaluates)
    assert "the run needs this worker no more" in lab.said()


def test_drained_now_it_kills_what_runs_and_says_why_it_ends(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.wire.send(Drain(now=True))
    worker.leaves()
    assert "the run is over, or was stopped" in lab.said()
    eventually(lambda: not worker.evaluates)


def test_an_evaluator_that_holds_hardware_closes_it_when_the_run_ends(lab: Lab) -> None:
    worker = given(lab, "hold hardware")
    result(worker.wire, "L1")
    worker.wire.send(Drain(now=True))
    worker.leaves()
    assert worker.noted == "closed"


def test_and_when_its_parent_is_gone(lab: Lab) -> None:
    worker = given(lab, "hold hardware", stdin=subprocess.PIPE)
    result(worker.wire, "L1")
    assert worker.process.stdin is not None
    worker.process.stdin.close()
    worker.leaves()
    assert worker.noted == "closed"


def test_drained_now_it_asks_what_runs_to_stop_before_it_kills_it(lab: Lab) -> None:
    worker = in_the_middle(lab, "brake")
    assert worker.noted == "moves"
    worker.wire.send(Drain(now=True))
    worker.leaves()
    assert worker.noted == "stands still"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2])
def test_asked_once_by_a_signal_it_drains_itself_and_says_so(lab: Lab, number: signal.Signals) -> None:
    """By the last two some queues of clusters say that a job's time is nearly up."""
    worker = in_the_middle(lab)
    worker.asked_by(number)
    worker.gate.touch()
    result(worker.wire, "L1")
    assert worker.leaves() == f"drained by {number.name}"


def test_whoever_it_meets_while_it_drains_is_told_so_with_its_hello(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.asked_by(signal.SIGTERM)
    worker.wire.send(Reject(code="hello", reason="expected hello first"))
    hello = worker.wire.greet()
    assert (hello.leases, hello.draining) == (["L1"], True)
    worker.gate.touch()
    result(worker.wire, "L1")
    worker.leaves()


def test_asked_twice_it_kills_what_runs_and_says_goodbye_at_once(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.asked_by(signal.SIGINT)
    worker.process.send_signal(signal.SIGINT)
    assert worker.leaves(130) == "interrupted by SIGINT"
    eventually(lambda: not worker.evaluates)


@pytest.mark.long
def test_a_process_that_does_not_end_though_it_is_killed_is_left_behind_and_named(lab: Lab) -> None:
    worker = in_the_middle(lab)
    (evaluating,) = (int(pid) for pid in worker.noted.split())
    with held_by_the_system(evaluating):
        worker.asked_by(signal.SIGINT)
        worker.process.send_signal(signal.SIGINT)
        assert worker.leaves(130) == "interrupted by SIGINT"
        assert f"process {evaluating} of trial 1 was killed and has not ended" in lab.said()
    eventually(lambda: not worker.evaluates)


def test_a_terminal_that_is_closed_lets_what_runs_finish_however_often_it_is_said(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the kernel, and by the shell that was told so itself: that is no second wish."""
    # With it Python keeps nothing that it could not say.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    terminal, its_end = os.openpty()
    worker = in_the_middle(lab, terminal=its_end)
    os.close(its_end)
    os.close(terminal)
    worker.asked_by(signal.SIGHUP)
    worker.gate.touch()
    result(worker.wire, "L1")
    assert worker.leaves() == "drained by SIGHUP"


def test_drained_by_the_orchestrator_it_takes_the_first_signal_as_the_first(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.wire.send(Drain())
    while not worker.wire.expect(Heartbeat).draining:
        pass
    worker.process.send_signal(signal.SIGTERM)
    eventually(lambda: "once more to stop at once" in lab.said() or worker.process.poll() is not None)
    worker.gate.touch()
    result(worker.wire, "L1")
    assert worker.leaves() == "drained"


def test_and_the_second_as_the_second(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.wire.send(Drain())
    while not worker.wire.expect(Heartbeat).draining:
        pass
    worker.process.send_signal(signal.SIGINT)
    eventually(lambda: "once more to stop at once" in lab.said() or worker.process.poll() is not None)
    assert worker.process.poll() is None
    worker.process.send_signal(signal.SIGINT)
    assert worker.leaves(130) == "interrupted by SIGINT"
    eventually(lambda: not worker.evaluates)


def test_a_result_that_nobody_acknowledges_does_not_keep_a_drained_worker_for_ever(lab: Lab) -> None:
    worker = in_the_middle(lab, heartbeat_s=0.5)
    worker.process.send_signal(signal.SIGTERM)
    worker.gate.touch()
    worker.wire.expect(Result)
    worker.leaves(passing_over=(Heartbeat, Result, Hello))
    assert "1 result" in lab.said()
    assert "--directory" in lab.said()


def test_it_waits_for_the_acknowledgement_of_its_last_result(lab: Lab) -> None:
    worker = in_the_middle(lab)
    worker.wire.send(Drain())
    worker.gate.touch()
    worker.wire.expect(Result)
    worker.wire.expect_none(Goodbye, 0.3)
    worker.wire.send(Acknowledge(lease="L1"))
    worker.leaves()
    assert (lab.directory / "w" / "outbox.jsonl").stat().st_size == 0


def test_it_ends_with_its_parent(lab: Lab) -> None:
    parent = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    worker = given(lab, "grandchild", stdin=parent.stdout)
    eventually(lambda: worker.noted)
    parent.kill()
    parent.communicate()
    assert worker.process.wait(PATIENCE_S) == 0
    eventually(lambda: not worker.evaluates)


def test_a_worker_that_is_not_to_wait_for_ever_leaves_where_nobody_answers(lab: Lab) -> None:
    """As in a job that began after its run had ended."""
    worker = lab.start("tcp://127.0.0.1:1", "--evaluator", f"{WORKLOADS}:behave", "--wait", "0.2")
    assert worker.wait(PATIENCE_S) == 2
    assert "nobody has answered at tcp://127.0.0.1:1 for 0.2 s (--wait)" in lab.said()


def test_and_one_whose_orchestrator_is_gone_finishes_what_it_is_at_before(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=0.05)
    # Longer than either side pauses before it is welcome.
    process = lab.start(wire.address, "--evaluator", f"{WORKLOADS}:behave", "--wait", "3")
    wire.greet()
    gate, note = lab.directory / "gate", lab.directory / "note"
    wire.evaluate("L1", {"how": "gate", "note": str(note), "open": str(gate)})
    eventually(note.exists)
    wire.close()
    eventually(lambda: "silent" in lab.said())
    assert "--wait" not in lab.said()
    gate.touch()
    assert process.wait(PATIENCE_S) == 2
    assert "1 result is not acknowledged" in lab.said()


def test_what_it_is_at_may_take_longer_than_its_orchestrator_is_gone(tmp_path: Path) -> None:
    busy = [True]
    link = welcomed(tmp_path, Line()).link
    deserted = Deserted(link, "tcp://a:1", 30.0, 0.0, lambda: bool(busy))
    assert deserted.on_time(3600.0) == ""
    assert deserted.due == math.inf
    busy.clear()
    assert deserted.on_time(3600.0) == "nobody has answered at tcp://a:1 for 30 s (--wait)"


def test_a_worker_that_never_found_its_orchestrator_ends_when_asked(lab: Lab) -> None:
    worker = lab.start("tcp://127.0.0.1:1")
    eventually(lambda: "dialling" in lab.said())
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(PATIENCE_S) == 0
