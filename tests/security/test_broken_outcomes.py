"""A result that cannot be read is refused by its lease, so that its worker does not send it for ever."""

from __future__ import annotations

import msgspec
import pytest

from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.messages import FRAME_LIMIT, Result
from orchestrator.wire.nesting import DEPTH_LIMIT


def nested(depth: int) -> str:
    """JSON of objects within one another: ``depth`` in all."""
    return '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)


def refusal(frame: str | bytes) -> MalformedMessage:
    with pytest.raises(MalformedMessage) as refused:
        decode_from_worker(frame.encode() if isinstance(frame, str) else frame)
    return refused.value


def frame_of(extras: str, **others: str) -> str:
    told = {"type": '"result"', "run": '"r"', "lease": '"7.1"', "trial": "7", "value": "1"} | others
    return "{" + ",".join(f'"{name}":{value}' for name, value in (told | {"extras": extras}).items()) + "}"


@pytest.mark.parametrize("depth", [1, 2, DEPTH_LIMIT])
def test_what_nests_as_deep_as_may_be_is_read_and_written(depth: int) -> None:
    message = decode_from_worker(frame_of(nested(depth)).encode())
    assert isinstance(message, Result)
    assert decode_from_worker(encode(message)) == message


@pytest.mark.parametrize("depth", [DEPTH_LIMIT + 1, 500, 973, 977, 5_000, 100_000])
def test_what_nests_deeper_is_refused_by_its_lease(depth: int) -> None:
    assert refusal(frame_of(nested(depth))).lease == "7.1"


def test_what_nests_deeper_is_not_written_either() -> None:
    extras = msgspec.json.decode(nested(DEPTH_LIMIT + 1))
    with pytest.raises(MalformedMessage, match=f"expected extras nested at most {DEPTH_LIMIT} deep"):
        encode(Result(run="r", lease="7.1", trial=7, value=1.0, extras=extras))


@pytest.mark.parametrize(
    "frame",
    [
        frame_of("{}", value="NaN"),
        frame_of("{}", value='"one"'),
        frame_of("{}", factors='["one"]'),
        frame_of("{}", trial="7.5"),
        frame_of('{"lease": "9.9"}', value='"one"'),
        '{"extras": {"lease": "9.9", "]": "\\"lease\\": \\"8.8\\"" }, "lease" : "7.1", "type": "failure"}',
        '{"type": "result", "run": "lease", "note": "{", "lease": "7.1", "value": 1',
    ],
)
def test_a_broken_outcome_is_known_by_its_own_lease_and_no_other(frame: str) -> None:
    assert refusal(frame).lease == "7.1"


@pytest.mark.parametrize(
    "frame",
    [
        '{"type": "progress", "lease": "7.1", "step": "one", "values": {}}',
        '{"lease": "7.1"}',
        '[{"type": "result", "lease": "7.1"}]',
        '{"type": "result", "lease": 7.1}',
        '{"type": "result", "lease": "' + "7" * 100 + '"}',
        b'{"type": "result", "lease": "\\u00e9"}',
        b"\xff\xfe",
        b"",
    ],
)
def test_what_is_no_outcome_or_names_no_lease_is_refused_without(frame: str | bytes) -> None:
    assert refusal(frame).lease == ""


@pytest.mark.parametrize(
    "noise", [b"[", b"[]", b"{[", b'"', b'\\"', b'"\\', b'"lease":', b'"lease":"a"', b" "]
)
def test_a_frame_of_noise_is_refused(noise: bytes) -> None:
    # Where the cost grew with the square of the length, this would run into the suite's own limit of time.
    assert refusal((noise * FRAME_LIMIT)[:FRAME_LIMIT]).lease == ""
