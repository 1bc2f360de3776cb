"""A machine that has no process to give, for a while or for long, costs no worker."""

from __future__ import annotations

import errno
import os
import signal
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from kept_nothing import Nothing
from worker_lab import Lab, result

from evaluators.child_process import pipe
from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.child_ending import LOAD_LIMIT_S
from evaluators.worker_process.process import ChildProcess
from evaluators.worker_process.slot import START_AGAIN_AFTER_S, Slot
from evaluators.worker_process.slot_events import Finished
from evaluators.worker_process.slot_parts import Workload
from orchestrator.wire.codec import decode_from_worker, encode
from orchestrator.wire.messages import Evaluate, Failure

WORKLOAD = Workload("simulators.wing:drag", {}, TrialFolders(Path("trials")))
TASK = Evaluate(run="wing", lease="1.1", trial=1, attempt=1, parameters={"span": 3.2}, seed=7, timeout_s=None)


class LoadedChild:
    """One that has loaded its evaluator and is told of tasks."""

    responses = 7
    requests = -1
    silent = False

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self.payloads: list[bytes] = []

    def flush(self) -> bool:
        return True

    def send(self, kind: bytes, payload: bytes) -> bool:
        self.told.append(kind)
        self.payloads.append(payload)
        return True

    def receive(self) -> list[tuple[bytes, bytes]]:
        return [(pipe.LOADED, b"")]

    def receive_rest(self) -> list[tuple[bytes, bytes]]:
        return []

    def signal(self, number: signal.Signals) -> None:
        pass

    def has_ended(self) -> bool:
        return False

    def reap(self) -> int:
        return 0

    def dismiss(self) -> None:
        pass


class Machine:
    """Starts children, or has no process for one; what the slot says is kept."""

    def __init__(self) -> None:
        self.full = True
        self.asked = 0
        self.said: list[str] = []
        self.children: list[LoadedChild] = []
        self.slot = Slot(Nothing(), 2.0, self.said.append, self.start)
        self.slot.prepare(WORKLOAD, 0.0)

    def start(self, _output: int) -> LoadedChild:
        self.asked += 1
        if self.full:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self.children.append(LoadedChild())
        return self.children[-1]


def test_a_worker_that_gets_no_process_for_a_while_tries_again_and_evaluates(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFUSED", "3")
    wire = lab.orchestrator()
    lab.start(wire.address, module="worker_without_processes")
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    result(wire, "L1")
    assert lab.said().count("Resource temporarily unavailable") == 1


def test_it_is_asked_for_one_again_after_a_while_and_not_at_once() -> None:
    machine = Machine()
    assert machine.slot.due == START_AGAIN_AFTER_S
    machine.slot.on_time(1.0)
    assert machine.asked == 1
    machine.full = False
    machine.slot.on_time(START_AGAIN_AFTER_S)
    machine.slot.on_readable(START_AGAIN_AFTER_S)
    machine.slot.begin(TASK, encode(TASK), 6.0)
    assert machine.children[0].told == [pipe.LOAD, pipe.EVALUATE]


def test_an_evaluation_that_gets_none_for_long_fails_so_that_another_worker_may_have_it() -> None:
    machine = Machine()
    slot = machine.slot
    slot.begin(TASK, encode(TASK), 100.0)
    events = []
    while not events:
        assert slot.due <= 100.0 + LOAD_LIMIT_S + START_AGAIN_AFTER_S
        now = slot.due
        events = slot.on_time(now)
    assert now >= 100.0 + LOAD_LIMIT_S
    (finished,) = events
    assert isinstance(finished, Finished)
    failure = decode_from_worker(finished.frame)
    assert isinstance(failure, Failure)
    assert failure.kind == "error"
    assert "Resource temporarily unavailable" in failure.message
    assert slot.free
    assert slot.due > now


def test_a_task_that_waits_for_one_is_evaluated_as_its_own_run_says_though_another_has_come() -> None:
    machine = Machine()
    slot = machine.slot
    slot.begin(TASK, encode(TASK), 1.0)
    slot.prepare(replace(WORKLOAD, options={"mesh": "of another run"}), 2.0)
    machine.full = False
    slot.on_time(slot.due)
    slot.on_readable(9.0)

    (child,) = machine.children
    assert child.told == [pipe.LOAD, pipe.EVALUATE]
    assert b"another run" not in child.payloads[0]


def test_nobody_starts_one_for_a_worker_that_leaves() -> None:
    machine = Machine()
    machine.slot.dismiss(1.0)
    asked = machine.asked
    machine.slot.on_time(START_AGAIN_AFTER_S)
    assert (machine.asked, machine.slot.due) == (asked, inf)


def test_a_worker_out_of_descriptors_loses_no_more_of_them_by_trying(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[int] = []
    closed: list[int] = []

    def scarce() -> tuple[int, int]:
        if len(opened) >= 4:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        opened.extend((1000 + len(opened), 1001 + len(opened)))
        return opened[-2], opened[-1]

    monkeypatch.setattr(os, "pipe", scarce)
    monkeypatch.setattr(os, "close", closed.append)
    with pytest.raises(OSError, match="Too many open files"):
        ChildProcess(1)
    assert sorted(closed) == opened
