"""An evaluation that ends by itself in the grace after its timeout, as one does that parks what it moved."""

from __future__ import annotations

import signal

import pytest
from scripted_child import SlotBench, task_of

from evaluators.child_process import pipe
from evaluators.worker_process.slot_events import Finished
from evaluators.worker_process.stopped import stopped_for_s
from orchestrator.wire.codec import decode_from_worker, encode
from orchestrator.wire.messages import Failure, Result


def _at_its_timeout() -> SlotBench:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1", timeout_s=5.0), 1.0)
    assert bench.slot.on_time(6.0) == []
    return bench


def test_where_it_exits_that_was_its_timeout_and_no_error_of_its_own() -> None:
    frame = encode(Failure(run="wing", lease="1.1", trial=1, kind="error", message="exit", elapsed_s=5.1))
    (finished,) = _at_its_timeout().says(pipe.OUTCOME, frame, 6.1)
    assert isinstance(finished, Finished)
    failure = decode_from_worker(finished.frame)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.lease) == ("timeout", "1.1")
    assert "after its timeout of 5 s" in failure.message


def test_where_it_is_done_its_value_counts() -> None:
    frame = encode(Result(run="wing", lease="1.1", trial=1, value=0.5, elapsed_s=5.1))
    (finished,) = _at_its_timeout().says(pipe.OUTCOME, frame, 6.1)
    assert isinstance(finished, Finished)
    assert finished.frame == frame


def test_while_the_worker_itself_is_stopped_no_timeout_runs() -> None:
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1", timeout_s=5.0), 1.0)
    bench.slot.excuse(3600.0)
    assert bench.slot.on_time(3605.9) == []
    assert bench.child.signals == []
    bench.slot.on_time(3606.0)
    assert bench.child.signals == [signal.SIGTERM]
    (finished,) = bench.ends(3606.5)
    assert isinstance(finished, Finished)
    failure = decode_from_worker(finished.frame)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.elapsed_s) == ("timeout", 5.5)


def test_one_that_ended_while_the_worker_was_stopped_took_no_time_less_than_none() -> None:
    """The time for which the worker was stopped is counted from before it began."""
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1", timeout_s=5.0), 1.0)
    bench.slot.excuse(60.5)
    (finished,) = bench.ends(61.0)
    assert isinstance(finished, Finished)
    assert finished.elapsed_s == 0.0


@pytest.mark.parametrize(("woke", "stopped_s"), [(2.0, 0.0), (6.0, 0.0), (62.0, 62.0)])
def test_who_wakes_much_later_than_it_was_to_was_stopped(woke: float, stopped_s: float) -> None:
    assert stopped_for_s(woke_before=0.0, waits_s=2.0, woke=woke) == stopped_s
