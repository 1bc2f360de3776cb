"""Lines to a pipe or a file from a thread of their own, so that a reader who pauses holds nobody up."""

from __future__ import annotations

import errno
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import TextIO

LINES_GATHERED = 200
ROOM = 1 << 24
"""Characters that wait for the reader, at most about; lines that come while there are more are left out."""
AT_ONCE = 1 << 12
"""Characters are written at a time, so that it shows whether somebody reads."""
SECONDS_WITHOUT_READING = 2.0
SECONDS_TO_END = 20.0
NOBODY_READS = (errno.EPIPE, errno.EIO)
"""Of a pipe, and of a terminal that was closed."""


def unnoticed(_complaint: str) -> None:
    """Where there is nobody to say it to."""


class LineWriter:
    """Writes lines to a stream, in order. Once the reader is gone, what comes is dropped in silence; where
    something else is wrong, as a full disk, ``unwritten`` is told once, from another thread, what it is.

    `write` only remembers; `flush` hands over, which is worth doing a few times a second. A reader who stays
    far behind misses lines, and is told how many in a line that ``left_out`` makes, where they would be.
    """

    def __init__(
        self, stream: TextIO, left_out: Callable[[int], str], unwritten: Callable[[str], None] = unnoticed
    ) -> None:
        self._put = _putting(stream)
        self._say_left_out = left_out
        self._unwritten = unwritten
        self._left_out = 0
        self._gathered: list[str] = []
        self._handed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # Characters. Each of them is written by one thread only.
        self._given = 0
        self._taken = 0
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)
        self._thread.start()

    @property
    def behind(self) -> int:
        """Characters that were handed over, and that nobody has taken yet."""
        return self._given - self._taken

    def write(self, line: str) -> None:
        """Remember a line, given without its end."""
        self._gathered.append(line)
        if len(self._gathered) >= LINES_GATHERED:
            self.flush()

    def flush(self) -> None:
        """Hand over what was gathered, if there is room; returns at once."""
        if self.behind > ROOM:
            self._left_out += len(self._gathered)
            self._gathered = []
        else:
            self._hand_over()

    def close(self) -> None:
        """Wait until everything is written, as long as somebody reads, and for a bounded time."""
        self._hand_over()
        self._handed.put(None)
        until = time.monotonic() + SECONDS_TO_END
        taken = -1
        while self._thread.is_alive() and self._taken > taken and time.monotonic() < until:
            taken = self._taken
            self._thread.join(SECONDS_WITHOUT_READING)

    def _hand_over(self) -> None:
        lines, self._gathered = self._gathered, []
        if self._left_out:
            lines.insert(0, self._say_left_out(self._left_out))
            self._left_out = 0
        if lines:
            text = "\n".join(lines) + "\n"
            self._given += len(text)
            self._handed.put(text)

    def _run(self) -> None:
        reader_is_there = True
        while (text := self._handed.get()) is not None:
            for start in range(0, len(text), AT_ONCE):
                part = text[start : start + AT_ONCE]
                reader_is_there = reader_is_there and self._is_read(part)
                self._taken += len(part)

    def _is_read(self, text: str) -> bool:
        """Write it; whether somebody is there to read what follows."""
        try:
            self._put(text)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno not in NOBODY_READS:
                self._unwritten(error.strerror or str(error))
            return False
        return True


def _putting(stream: TextIO) -> Callable[[str], None]:
    """What writes to a stream: past its buffer, whose lock a thread that hangs would take to its grave."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        descriptor = None

    def put(text: str) -> None:
        if descriptor is None:
            stream.write(text)
            stream.flush()
            return
        block = memoryview(text.encode(stream.encoding, stream.errors or "strict"))
        while block:
            block = block[os.write(descriptor, block) :]

    return put
