"""An evaluation that ends by itself in the grace after its timeout, as one does that parks what it moved."""

from __future__ import annotations

from scripted_child import SlotBench, task_of

from evaluators.child_process import pipe
from evaluators.worker_process.slot_events import Finished
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
