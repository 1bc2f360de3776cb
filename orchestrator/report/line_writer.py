"""Lines to a pipe or a file from a thread of their own, so that a reader who pauses holds nobody up."""

from __future__ import annotations

import queue
import threading
from typing import TextIO

LINES_GATHERED = 200


class LineWriter:
    """Writes lines to a stream, in order. Once the reader is gone, what comes is dropped in silence.

    `write` only remembers; `flush` hands over, which is worth doing a few times a second.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._gathered: list[str] = []
        self._handed: queue.SimpleQueue[list[str] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Remember a line, given without its end."""
        self._gathered.append(line)
        if len(self._gathered) >= LINES_GATHERED:
            self.flush()

    def flush(self) -> None:
        """Hand over what was gathered; returns at once."""
        if self._gathered:
            self._handed.put(self._gathered)
            self._gathered = []

    def close(self) -> None:
        """Wait until everything is written, or the reader is gone."""
        self.flush()
        self._handed.put(None)
        self._thread.join()

    def _run(self) -> None:
        reader_is_there = True
        while (lines := self._handed.get()) is not None:
            if reader_is_there:
                try:
                    self._stream.write("\n".join(lines) + "\n")
                    self._stream.flush()
                except (OSError, ValueError):
                    reader_is_there = False
