"""A worker whose disk is full waits for room: what it cannot begin is not the fault of the point."""

from __future__ import annotations

import errno
import os
import signal
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest
from scripted_child import SlotBench, task_of
from worker_lab import Lab, eventually, result

from evaluators.child_process import pipe
from evaluators.command import run
from evaluators.context import Context
from evaluators.errors import EvaluationError, NoRoom
from evaluators.worker_process.child_ending import LOAD_LIMIT_S
from evaluators.worker_process.slot import START_AGAIN_AFTER_S
from evaluators.worker_process.slot_events import Event, Finished
from orchestrator.wire.codec import decode_from_worker
from orchestrator.wire.messages import Failure

TASK = task_of("1.1", timeout_s=60.0)
WHY = "cannot write the input file `wing.in`: No space left on device, wing.in"


class Bench(SlotBench):
    """It has been given a task, of which its child says each time that there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self.says(pipe.LOADED, b"", 0.0)
        self.begin(TASK, 100.0)
        self.events = self.says_no_room(100.0)

    def says_no_room(self, now: float) -> list[Event]:
        return self.says(pipe.NO_ROOM, WHY.encode(), now)

    def go_on(self) -> list[Event]:
        """Until the next moment that the slot waits for, and what the child says then."""
        now = self.slot.due
        return [*self.slot.on_time(now), *self.says_no_room(now)]


def test_an_evaluation_that_finds_no_room_is_tried_again_until_it_does(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFUSED", "0")
    wire = lab.orchestrator()
    lab.start(wire.address, module="worker_without_processes")
    wire.greet()
    wire.evaluate("L1", {"how": "no room at first"})
    assert result(wire, "L1").value == 1.0
    assert lab.said().count(f"an evaluation {WHY}; it is tried again every") == 1
    eventually(lambda: lab.trial_file(1, "tries").read_text() == "xx")


def test_it_is_tried_again_after_a_while_with_all_of_its_time_and_its_worker_takes_no_other() -> None:
    bench = Bench()
    assert not bench.events
    assert not bench.slot.free
    assert (len(bench.child.given()), bench.slot.due) == (1, 100.0 + START_AGAIN_AFTER_S)
    bench.slot.on_time(101.0)
    assert len(bench.child.given()) == 1
    bench.slot.on_time(105.0)
    assert (len(bench.child.given()), bench.slot.due) == (2, 105.0 + 60.0)
    assert len(bench.said) == 1


def test_one_that_finds_none_for_long_fails_so_that_another_worker_may_have_it() -> None:
    bench = Bench()
    events: list[Event] = []
    while not events:
        assert bench.slot.due <= 100.0 + LOAD_LIMIT_S + START_AGAIN_AFTER_S
        events = bench.go_on()
    (finished,) = events
    assert isinstance(finished, Finished)
    failure = decode_from_worker(finished.frame)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.message) == ("error", f"{WHY}, for 300 s")
    assert (bench.slot.free, bench.slot.due) == (True, inf)
    assert len(bench.said) == 1


def test_one_that_is_called_off_meanwhile_is_not_tried_again() -> None:
    bench = Bench()
    bench.slot.cancel(101.0)
    assert (bench.slot.free, bench.slot.due) == (True, inf)
    assert not bench.child.signals, "it does nothing, so it need not be ended"
    bench.begin(TASK, 102.0)
    assert len(bench.child.given()) == 2


def test_where_its_process_dies_meanwhile_the_next_one_has_the_task() -> None:
    bench = Bench()
    assert not bench.ends(101.0)
    bench.says(pipe.LOADED, b"", 102.0)
    assert [len(child.given()) for child in bench.children] == [1, 1]


def test_a_worker_that_leaves_waits_for_no_room() -> None:
    bench = Bench()
    bench.slot.dismiss(101.0)
    assert bench.child.signals == [signal.SIGTERM]
    bench.slot.on_time(103.0)
    assert bench.child.signals == [signal.SIGTERM, signal.SIGKILL]
    assert len(bench.child.given()) == 1


@pytest.mark.parametrize("refused", ["mkdir", "open", "write_text"])
def test_whatever_of_a_program_s_files_finds_no_room_says_so_and_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    template = tmp_path / "wing.in.template"
    template.write_text("{x}")
    context = Context(trial=1, attempt=1, seed=7, options={}, directory=tmp_path / "0001")
    command = (sys.executable, "-c", "print(1.0)", "{parameters_file}")

    opened = Path.open

    def full(self: Path, mode: Any = "r", *others: Any, **named: Any) -> Any:
        if refused == "open" and "r" in mode:
            return opened(self, mode, *others, **named)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    with monkeypatch.context() as disk:
        disk.setattr(Path, refused, full)
        for files in ("arguments", {"templates": {"wing.in": str(template)}}):
            with pytest.raises(NoRoom, match="No space left on device"):
                run({"x": 1.0}, command=command, input=files, context=context)
    assert not list(tmp_path.glob("0001/attempt-*"))
    assert run({"x": 1.0}, command=command, context=context) == 1.0


def test_what_is_wrong_with_the_files_otherwise_is_a_failure_at_once(tmp_path: Path) -> None:
    (tmp_path / "0001").write_text("a file where the trial's folder should be")
    context = Context(trial=1, attempt=1, seed=7, options={}, directory=tmp_path / "0001")
    with pytest.raises(EvaluationError, match="cannot make a directory for") as failed:
        run({}, command=(sys.executable, "-c", "print(1.0)"), context=context)
    assert not isinstance(failed.value, NoRoom)
