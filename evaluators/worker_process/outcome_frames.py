"""What a worker reads of, and mends in, the outcome that a child hands it as a frame for the orchestrator."""

from __future__ import annotations

import msgspec

from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.messages import Failure, Result


def is_failure(frame: bytes) -> bool:
    """Whether it says that the evaluation failed."""
    return isinstance(_outcome(frame), Failure)


def within(seconds: float, frame: bytes) -> bytes:
    """The same outcome, of an evaluation that took no longer than so: a child that was stopped does not know
    of it.
    """
    outcome = _outcome(frame)
    if outcome is None or outcome.elapsed_s <= seconds:
        return frame
    return encode(msgspec.structs.replace(outcome, elapsed_s=seconds))


def _outcome(frame: bytes) -> Result | Failure | None:
    try:
        message = decode_from_worker(frame)
    except MalformedMessage:
        return None
    return message if isinstance(message, Result | Failure) else None
