"""A child that closes its pipe and runs on: it is ended, and what it had in hand has its end as well."""

from __future__ import annotations

import signal

from scripted_child import GRACE_S, SlotBench, task_of

from evaluators.child_process import pipe
from evaluators.worker_process.slot_events import Finished


def _silent_at(bench: SlotBench, now: float) -> None:
    bench.child.silent = True
    assert not bench.slot.on_readable(now)


def test_it_is_killed_after_the_grace_and_its_evaluation_has_failed() -> None:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1"), 1.0)
    _silent_at(bench, 2.0)
    bench.slot.on_time(2.0 + GRACE_S)
    assert bench.child.signals == [signal.SIGKILL]
    (failed,) = bench.ends(5.0)
    assert isinstance(failed, Finished)
    assert b"closed the pipe to its worker and was killed" in failed.frame


def test_of_an_evaluation_that_is_called_off_meanwhile_nothing_more_is_said() -> None:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1"), 1.0)
    _silent_at(bench, 2.0)
    bench.slot.cancel(3.0)
    assert not bench.ends(5.0)


def test_where_its_task_waits_for_room_the_next_one_has_it() -> None:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1"), 1.0)
    bench.says(pipe.NO_ROOM, b"has no room", 1.0)
    _silent_at(bench, 2.0)
    bench.slot.on_time(2.0 + GRACE_S)
    assert bench.child.signals == [signal.SIGKILL]
    assert len(bench.child.given()) == 1
    bench.ends(5.0)
    bench.says(pipe.LOADED, b"", 5.0)
    assert len(bench.child.given()) == 1
