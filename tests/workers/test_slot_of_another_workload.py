"""What a slot is asked for while it has a task: the next one is evaluated with that, and with no other."""

from __future__ import annotations

import signal
from dataclasses import replace

from scripted_child import WORKLOAD, SlotBench, task_of

from evaluators.child_process import pipe
from evaluators.worker_process.child_ending import LOAD_LIMIT_S
from evaluators.worker_process.slot_events import Finished, Unloadable

ANOTHER = replace(WORKLOAD, options={"mesh": "fine"})


def _next_task_is_evaluated_with_another(bench: SlotBench, now: float) -> None:
    assert bench.child.signals == [signal.SIGTERM]
    bench.ends(now)
    bench.says(pipe.LOADED, b"", now)
    bench.begin(task_of("1.2"), now)
    assert [kind for kind, _ in bench.child.sent] == [pipe.LOAD, pipe.EVALUATE]
    assert b"fine" in bench.child.sent[0][1]


def test_where_its_task_is_called_off_while_the_child_loads() -> None:
    bench = SlotBench()
    bench.begin(task_of("1.1"), 1.0)
    bench.slot.prepare(ANOTHER, 2.0)
    bench.slot.cancel(3.0)
    _next_task_is_evaluated_with_another(bench, 4.0)


def test_where_its_task_is_called_off_while_it_waits_for_room() -> None:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1"), 1.0)
    bench.says(pipe.NO_ROOM, b"has no room", 1.0)
    bench.slot.prepare(ANOTHER, 2.0)
    bench.slot.cancel(3.0)
    _next_task_is_evaluated_with_another(bench, 4.0)


def test_where_its_task_finds_no_room_for_long() -> None:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1"), 1.0)
    bench.slot.prepare(ANOTHER, 2.0)
    (failed,) = bench.says(pipe.NO_ROOM, b"has no room", 1.0 + LOAD_LIMIT_S)
    assert isinstance(failed, Finished)
    _next_task_is_evaluated_with_another(bench, 2.0 + LOAD_LIMIT_S)


def test_that_the_child_before_it_had_loaded_says_nothing_of_whether_it_can_be() -> None:
    bench = SlotBench()
    bench.slot.prepare(ANOTHER, 1.0)
    bench.says(pipe.LOADED, b"", 1.0)
    bench.ends(2.0)
    (event,) = bench.ends(3.0)
    assert isinstance(event, Unloadable)


def test_that_what_is_of_no_use_any_more_cannot_be_loaded_is_of_no_concern() -> None:
    bench = SlotBench()
    assert bench.slot.on_time(LOAD_LIMIT_S) == []
    bench.slot.prepare(ANOTHER, LOAD_LIMIT_S + 1.0)
    assert bench.says(pipe.UNLOADABLE, b"no module named wing", LOAD_LIMIT_S + 1.0) == []
    assert bench.ends(LOAD_LIMIT_S + 1.0) == []
    assert b"fine" in bench.child.sent[0][1]
    (event,) = bench.says(pipe.UNLOADABLE, b"no mesh", LOAD_LIMIT_S + 2.0)
    assert event == Unloadable("no mesh")
