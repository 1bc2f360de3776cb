"""A file that a program writes while it runs, read as it grows.

It may come late, be written anew, shorter or in its place, or be moved away for another. What is not there,
is no file or may not be read has no lines.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evaluators.programs.output_lines import OutputLines

READ_AT_ONCE: Final = 1 << 18
"""Bytes."""
_REST: Final = 256
"""So many times as much is read once the program has ended, as a daemon of it may write on for ever."""
_COMPARED: Final = 256
"""Bytes before what is new, by which it is told whether that is added to what was read, or all is new."""
_CLOSED: Final = -1


class FollowedFile:
    """The lines of the file at ``path``. Where it is written anew, a line that had no end has one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _CLOSED
        self._lines = OutputLines()
        # Lines of what it held before it was written anew.
        self._left: list[str] = []
        self._read = 0
        self._before = b""
        # When it was last written to, if all that it then held had been read.
        self._modified: int | None = None
        self.is_behind = False
        """Whether there may be more to read at once."""

    def new_lines(self) -> list[str]:
        """Those that were ended since the last call, as far as is read in a moment; no blank ones."""
        data, self._left = b"", []
        try:
            data = self._more()
            if not data and self._is_another():
                self._close()
                self._begin_anew()
                data = self._more()
        except OSError:
            # It is opened again.
            self._close()
            self._begin_anew()
        return [line for line in (*self._left, *self._lines.take(data)) if line]

    def rest(self) -> Iterator[list[str]]:
        """All that is left, also the line without an end, when nothing more comes."""
        for _ in range(_REST):
            yield self.new_lines()
            if not self.is_behind:
                break
        yield self._lines.take_last()
        self._close()

    def _more(self) -> bytes:
        self.is_behind = False
        if self._file == _CLOSED and not self._open():
            return b""
        status = os.fstat(self._file)
        anew = (
            status.st_size < self._read
            or (status.st_size == self._read and self._modified not in (None, status.st_mtime_ns))
            or os.pread(self._file, len(self._before), self._read - len(self._before)) != self._before
        )
        if anew:
            self._read, self._before = 0, b""
            self._begin_anew()
        data = os.pread(self._file, READ_AT_ONCE, self._read)
        self._read += len(data)
        self._before = (self._before + data[-_COMPARED:])[-_COMPARED:]
        self.is_behind = len(data) == READ_AT_ONCE
        status = os.fstat(self._file)
        self._modified = status.st_mtime_ns if status.st_size == self._read else None
        return data

    def _begin_anew(self) -> None:
        """What comes next is no part of the line that was begun, and may be encoded otherwise."""
        self._left += self._lines.take_last()

    def _open(self) -> bool:
        with contextlib.suppress(OSError):
            # To open a pipe would let go whoever waits for its reader.
            if stat.S_ISREG(os.stat(self._path).st_mode):
                self._file = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                self._read, self._before, self._modified = 0, b"", None
        return self._file != _CLOSED

    def _is_another(self) -> bool:
        if self._file == _CLOSED:
            return False
        try:
            return not os.path.samestat(os.stat(self._path), os.fstat(self._file))
        except FileNotFoundError:
            return False

    def _close(self) -> None:
        if self._file != _CLOSED:
            os.close(self._file)
            self._file = _CLOSED
