"""JSON has neither NaN nor infinities: what would arrive as missing, or too deep to be read, is not sent."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.messages import FRAME_LIMIT, Progress, Result
from orchestrator.wire.nesting import DEPTH_LIMIT
from orchestrator.wire.partial_quantities import progress_of, quantities_of

RESULT = Result(run="r", lease="1.1", trial=1, value=1.0, variance=0.5, factors=[1.0, 2.0])


def nested(depth: int) -> dict[str, Any]:
    """Extras so deep, themselves counted."""
    value: Any = 1
    for _ in range(depth - 1):
        value = [value]
    return {"a": value}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("part", ["value", "variance", "factors"])
def test_a_result_with_a_number_that_is_not_finite_is_not_sent(part: str, number: float) -> None:
    told = [1.0, number] if part == "factors" else number
    with pytest.raises(MalformedMessage, match="in a Result"):
        encode(msgspec.structs.replace(RESULT, **{part: told}))


def test_nor_is_progress() -> None:
    with pytest.raises(MalformedMessage, match="in a Progress"):
        encode(Progress(lease="1.1", step=1, values={"loss": 0.5, "rate": math.nan}))


def test_unless_it_says_which_of_its_quantities_are_not_finite() -> None:
    quantities = {"loss": 0.5, "rate": math.nan, "residual": math.inf, "gain": -math.inf}
    frame = encode(progress_of("1.1", 3, quantities))
    assert b'"values":{"loss":0.5},"not_finite":{"rate":"nan","residual":"inf","gain":"-inf"}' in frame
    read = decode_from_worker(frame)
    assert isinstance(read, Progress)
    assert str(quantities_of(read)) == str(quantities)
    assert b"not_finite" not in encode(progress_of("1.1", 3, {"loss": 0.5}))


def test_among_extras_such_a_number_is_null() -> None:
    extras = {"heat": math.nan, "more": [math.inf, 1.0]}
    message = decode_from_worker(encode(msgspec.structs.replace(RESULT, extras=extras)))
    assert isinstance(message, Result)
    assert message.extras == {"heat": None, "more": [None, 1.0]}


def test_extras_are_as_deep_as_the_other_side_reads_and_no_deeper() -> None:
    deepest = msgspec.structs.replace(RESULT, extras=nested(DEPTH_LIMIT))
    assert decode_from_worker(encode(deepest)) == deepest
    with pytest.raises(MalformedMessage, match=f"nested at most {DEPTH_LIMIT} deep"):
        encode(msgspec.structs.replace(RESULT, extras=nested(DEPTH_LIMIT + 1)))


def test_a_frame_of_more_bytes_than_may_be_is_refused_unread() -> None:
    frame = encode(RESULT).ljust(FRAME_LIMIT)
    assert decode_from_worker(frame) == RESULT
    with pytest.raises(
        MalformedMessage, match=f"at most {FRAME_LIMIT} bytes, got {FRAME_LIMIT + 1}"
    ) as refused:
        decode_from_worker(frame + b" ")
    assert refused.value.lease == "", "nothing is looked for in it"
