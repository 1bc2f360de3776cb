"""Outcomes that a worker keeps on disk until they are acknowledged: the lines of its ``outbox.jsonl``.

A line is a CRC-32 in eight hexadecimal digits, a space, and a wire frame, or the news that an earlier one is
acknowledged. A line torn by a crash is ignored; what precedes it counts.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from orchestrator.wire.messages import Failure, Message, Result

Key = tuple[str, str]
"""(run, lease)"""


class Forgotten(Message, frozen=True, tag="forgotten"):
    """A line of the file: an earlier one is acknowledged, while others still wait."""

    run: str
    lease: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The frames in a file, oldest first; how many bytes are whole lines, and how many lines are damaged."""

    frames: dict[Key, bytes]
    whole: int
    damaged: int


def read_kept(content: bytes) -> Kept:
    """What a file holds."""
    frames: dict[Key, bytes] = {}
    damaged = 0
    whole = content.rfind(b"\n") + 1
    for line in content[:whole].splitlines():
        message = _read_line(line)
        if message is None:
            damaged += 1
        elif isinstance(message, Forgotten):
            frames.pop((message.run, message.lease), None)
        else:
            frames[message.run, message.lease] = line[9:]
    return Kept(frames, whole, damaged)


def line_of(frame: bytes) -> bytes:
    """One line of the file."""
    return b"%08x %b\n" % (zlib.crc32(frame), frame)


def lines_of(frames: Iterable[bytes]) -> bytes:
    """Several of them."""
    return b"".join(map(line_of, frames))


def line_of_forgotten(run: str, lease: str) -> bytes:
    """The line that says that an earlier one is acknowledged."""
    return line_of(_encode(Forgotten(run=run, lease=lease)))


def result_in(frame: bytes) -> Result | None:
    """The result that a frame holds; None for a failure."""
    kept = _decode(frame)
    return kept if isinstance(kept, Result) else None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Result | Failure | Forgotten).decode


def _read_line(line: bytes) -> Result | Failure | Forgotten | None:
    frame = line[9:]
    if line[:9] != b"%08x " % zlib.crc32(frame):
        return None
    try:
        message: Result | Failure | Forgotten = _decode(frame)
    except (msgspec.DecodeError, RecursionError):
        return None
    return message
