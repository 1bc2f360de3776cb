"""A bench that has no process to give, for a while or for long, costs no worker."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from math import inf

import pytest
from scripted_child import WORKLOAD, SlotBench, task_of
from worker_lab import Lab, result

from evaluators.child_process import pipe
from evaluators.worker_process.child_ending import LOAD_LIMIT_S
from evaluators.worker_process.process import ChildProcess
from evaluators.worker_process.slot import START_AGAIN_AFTER_S
from evaluators.worker_process.slot_events import Finished
from orchestrator.wire.codec import decode_from_worker
from orchestrator.wire.messages import Failure

TASK = task_of("1.1")


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
    bench = SlotBench(full=True)
    assert bench.slot.due == START_AGAIN_AFTER_S
    bench.slot.on_time(1.0)
    assert bench.asked == 1
    bench.full = False
    bench.slot.on_time(START_AGAIN_AFTER_S)
    bench.says(pipe.LOADED, b"", START_AGAIN_AFTER_S)
    bench.begin(TASK, 6.0)
    assert [kind for kind, _ in bench.child.sent] == [pipe.LOAD, pipe.EVALUATE]


def test_an_evaluation_that_gets_none_for_long_fails_so_that_another_worker_may_have_it() -> None:
    bench = SlotBench(full=True)
    slot = bench.slot
    bench.begin(TASK, 100.0)
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
    bench = SlotBench(full=True)
    slot = bench.slot
    bench.begin(TASK, 1.0)
    slot.prepare(replace(WORKLOAD, options={"mesh": "of another run"}), 2.0)
    bench.full = False
    slot.on_time(slot.due)
    bench.says(pipe.LOADED, b"", 9.0)

    (child,) = bench.children
    assert [kind for kind, _ in child.sent] == [pipe.LOAD, pipe.EVALUATE]
    assert b"another run" not in child.sent[0][1]


def test_nobody_starts_one_for_a_worker_that_leaves() -> None:
    bench = SlotBench(full=True)
    bench.slot.dismiss(1.0)
    asked = bench.asked
    bench.slot.on_time(START_AGAIN_AFTER_S)
    assert (bench.asked, bench.slot.due) == (asked, inf)


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
