"""Messages to bytes and back. What does not decode is a `MalformedMessage`, never another exception."""

from __future__ import annotations

import math
from typing import TypeVar

import msgspec

from orchestrator.wire.messages import FRAME_LIMIT, FromOrchestrator, FromWorker, Message, Progress, Result
from orchestrator.wire.named_lease import lease_of_outcome
from orchestrator.wire.nesting import DEPTH_LIMIT, is_too_deep

_encoder = msgspec.json.Encoder()
_from_worker: msgspec.json.Decoder[FromWorker] = msgspec.json.Decoder(FromWorker)
_from_orchestrator: msgspec.json.Decoder[FromOrchestrator] = msgspec.json.Decoder(FromOrchestrator)
M = TypeVar("M")


class MalformedMessage(ValueError):
    """A frame that is no message of the protocol; the text says why.

    Attributes:
        lease: that of the result or failure that it was meant to be; empty where it names none.
    """

    lease = ""


def encode(message: Message) -> bytes:
    """One frame.

    JSON carries neither NaN nor infinities: in extras, options and parameters they become null.

    Raises:
        MalformedMessage: a value, variance, factor or partial quantity is NaN or infinite, or extras nest
            deeper than `DEPTH_LIMIT`.
    """
    _refuse_not_finite(message)
    _refuse_too_deep(message)
    return _encoder.encode(message)


def decode_from_worker(frame: bytes) -> FromWorker:
    """The worker's message in a frame. Raises `MalformedMessage`, with the lease of a broken outcome."""
    try:
        message = _decode(_from_worker, frame)
        _refuse_too_deep(message)
    except MalformedMessage as error:
        if len(frame) <= FRAME_LIMIT:
            error.lease = lease_of_outcome(frame)
        raise
    return message


def decode_from_orchestrator(frame: bytes) -> FromOrchestrator:
    """The orchestrator's message in a frame. Raises `MalformedMessage`."""
    return _decode(_from_orchestrator, frame)


def _decode(decoder: msgspec.json.Decoder[M], frame: bytes) -> M:
    if len(frame) > FRAME_LIMIT:
        raise MalformedMessage(f"expected at most {FRAME_LIMIT} bytes, got {len(frame)}")
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedMessage(str(error) or type(error).__name__) from None


def _refuse_too_deep(message: Message) -> None:
    if isinstance(message, Result) and is_too_deep(message.extras):
        raise MalformedMessage(f"expected extras nested at most {DEPTH_LIMIT} deep, got deeper ones")


def _refuse_not_finite(message: Message) -> None:
    # msgspec writes NaN and infinity as null, which would arrive as a missing value.
    numbers: list[float] = []
    if isinstance(message, Result):
        numbers = [message.value or 0.0, message.variance or 0.0, *(message.factors or [])]
    elif isinstance(message, Progress):
        numbers = list(message.values.values())
    for number in numbers:
        if not math.isfinite(number):
            raise MalformedMessage(f"expected finite numbers, got {number} in a {type(message).__name__}")
