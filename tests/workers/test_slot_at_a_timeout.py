"""An evaluation that ends by itself in the grace after its timeout, as one does that parks what it moved."""

from __future__ import annotations

import signal

import pytest
from scripted_child import SlotBench, task_of

from evaluators.child_process import pipe
from evaluators.worker_process.slot_events import Finished
from evaluators.worker_process.stopped import Stop, stop_between
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
    bench.slot.excuse(Stop(3600.0, 3600.0))
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
    bench.slot.excuse(Stop(60.5, 61.0))
    (finished,) = bench.ends(61.0)
    assert isinstance(finished, Finished)
    assert finished.elapsed_s == 0.0


def test_what_an_evaluation_took_is_without_the_time_for_which_all_was_stopped() -> None:
    """Of which its own process knows nothing."""
    bench = SlotBench()
    bench.says(pipe.LOADED, b"", 1.0)
    bench.begin(task_of("1.1"), 1.0)
    bench.slot.excuse(Stop(60.0, 62.0))
    frame = encode(Result(run="wing", lease="1.1", trial=1, value=0.5, elapsed_s=69.0))
    (finished,) = bench.says(pipe.OUTCOME, frame, 70.5)
    assert isinstance(finished, Finished)
    result = decode_from_worker(finished.frame)
    assert isinstance(result, Result)
    assert (result.value, result.elapsed_s) == (0.5, 9.5)
    bench.begin(task_of("1.2"), 71.0)
    frame = encode(Result(run="wing", lease="1.2", trial=1, value=0.5, elapsed_s=10.0))
    (finished,) = bench.says(pipe.OUTCOME, frame, 80.0)
    assert isinstance(finished, Finished)
    assert finished.frame == frame


@pytest.mark.parametrize(("woke", "stop"), [(2.0, None), (6.0, None), (62.0, Stop(60.0, 62.0))])
def test_who_wakes_much_later_than_it_was_to_was_stopped(woke: float, stop: Stop | None) -> None:
    assert stop_between(woke_before=0.0, waits_s=2.0, woke=woke) == stop
