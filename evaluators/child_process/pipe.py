"""Frames on the two private pipes between a worker and its evaluation process.

A frame is four bytes of length (big-endian, of what follows), one byte of kind, and the payload. Lengths
and not newlines, because the payload is often a wire frame as it came, from any JSON library.
"""

from __future__ import annotations

import os
import struct
from typing import Any, Final

import msgspec

_length = struct.Struct(">I")
_READ: Final = 1 << 16

LOAD: Final = b"L"
"""To the child: a `Load` as JSON. Answered by LOADED or UNLOADABLE."""
EVALUATE: Final = b"E"
"""To the child: an `Evaluate` frame. Answered by any number of PROGRESS and one OUTCOME, or by NO_ROOM."""
OUTPUT: Final = b"O"
"""To the child: the path of the file that standard output and error go to from now on."""
LOADED: Final = b"L"
UNLOADABLE: Final = b"U"
"""From the child: why the evaluator cannot be used, in words."""
PROGRESS: Final = b"P"
"""From the child: a `Progress` frame, ready to be sent."""
OUTCOME: Final = b"R"
"""From the child: a `Result` or `Failure` frame, ready to be sent."""
NO_ROOM: Final = b"N"
"""From the child: why the evaluation could not begin, the disk being full, in words; it may be sent again."""
LAST_OUTCOME: Final = b"X"
"""Likewise, and the child ends itself, being in doubt after what happened."""


class Load(msgspec.Struct, frozen=True):
    """What a worker asks of a fresh child: this evaluator with these options; trials live in ``trials``, a
    folder as `TrialFolders` says. ``objective`` may stand for ``value`` in what it returns; of what people
    compare (``compared``) there is none.
    """

    evaluator: str
    options: dict[str, Any]
    trials: str
    one_run: bool = False
    objective: str = ""
    compared: bool = False


def frame_of(kind: bytes, payload: bytes) -> bytes:
    """One frame, as it is written."""
    return _length.pack(len(payload) + 1) + kind + payload


def write_frame(fd: int, kind: bytes, payload: bytes) -> None:
    """Write one frame, whole. Raises `OSError` if nobody reads any more."""
    frame = frame_of(kind, payload)
    written = os.write(fd, frame)
    while written < len(frame):
        written += os.write(fd, frame[written:])


class FrameReader:
    """Reads frames from a pipe, blocking or not."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._buffer = b""
        self.ended = False
        self.drained = False
        """Whether the last read found nothing, for now."""

    def read(self) -> list[tuple[bytes, bytes]]:
        """The frames completed by one read, as (kind, payload). None now: empty. No more ever: `ended`."""
        try:
            data = os.read(self._fd, _READ)
        except BlockingIOError:
            self.drained = True
            return []
        self.drained = False
        if not data:
            self.ended = True
            return []
        if self._buffer:
            data = self._buffer + data
        frames = []
        start = 0
        while len(data) - start >= 4:
            end = start + 4 + _length.unpack_from(data, start)[0]
            if end > len(data):
                break
            frames.append((data[start + 4 : start + 5], data[start + 5 : end]))
            start = end
        self._buffer = data[start:]
        return frames
