"""Messages to bytes and back. What does not decode is a `MalformedMessage`, never another exception."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from orchestrator.wire.messages import FRAME_LIMIT, FromOrchestrator, FromWorker, Message, Progress, Result

_encoder = msgspec.json.Encoder()
_from_worker = msgspec.json.Decoder(FromWorker)
_from_orchestrator = msgspec.json.Decoder(FromOrchestrator)


class MalformedMessage(ValueError):
    """A frame that is no message of the protocol; the text says why."""


def encode(message: Message) -> bytes:
    """One frame. Raises `MalformedMessage` for NaN and infinities, which JSON cannot carry."""
    _refuse_not_finite(message)
    return _encoder.encode(message)


def decode_from_worker(frame: bytes) -> FromWorker:
    """The worker's message in a frame."""
    message: FromWorker = _decode(_from_worker, frame)
    return message


def decode_from_orchestrator(frame: bytes) -> FromOrchestrator:
    """The orchestrator's message in a frame."""
    message: FromOrchestrator = _decode(_from_orchestrator, frame)
    return message


def _decode(decoder: Any, frame: bytes) -> Any:
    if len(frame) > FRAME_LIMIT:
        raise MalformedMessage(f"expected at most {FRAME_LIMIT} bytes, got {len(frame)}")
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedMessage(str(error) or type(error).__name__) from None


def _refuse_not_finite(message: Message) -> None:
    # msgspec writes NaN and infinity as null, which would arrive as a missing value.
    numbers: list[float] = []
    if isinstance(message, Result):
        numbers = [message.value, message.variance or 0.0, *(message.factors or [])]
    elif isinstance(message, Progress):
        numbers = list(message.values.values())
    for number in numbers:
        if not math.isfinite(number):
            raise MalformedMessage(f"expected finite numbers, got {number} in a {type(message).__name__}")
