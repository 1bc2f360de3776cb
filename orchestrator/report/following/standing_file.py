"""A small file that is written over again and again, by a thread of its own: a disk may take its time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from orchestrator.system.latest import Latest

SECONDS_TO_END = 2.0
READ_TIMES = 3
"""It may be half written when it is read."""


class OfProcess(Protocol):
    """What tells whose word it is."""

    @property
    def process(self) -> int: ...


Told = TypeVar("Told", bound=OfProcess)


def read_standing(
    path: Path, decode: Callable[[bytes], Told], holder: dict[str, object] | None
) -> Told | None:
    """What ``holder``, the process that works on the run, wrote last; None where it wrote nothing.

    ``decode`` raises msgspec's DecodeError for what is half written.
    """
    if holder is None:
        return None
    for _ in range(READ_TIMES):
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            told = decode(path.read_bytes())
            return told if told.process == holder.get("pid") else None
    return None


class StandingFile:
    """The file at ``path``, which is there from the first `write` to `close`.

    Contents that come while one is written replace each other. A full disk is no reason to stop. Once it is
    not ``ours``, as another machine has the run by now, it is neither written nor removed.
    """

    def __init__(self, path: Path, ours: Callable[[], bool] = lambda: True) -> None:
        self._path = path
        self._ours = ours
        self._contents: Latest[bytes] = Latest()
        self._length = 0
        self._thread = threading.Thread(target=self._run, name="standing", daemon=True)
        self._thread.start()

    def write(self, content: bytes) -> None:
        """Have JSON written over what is there; returns at once."""
        self._contents.leave(content)

    def close(self) -> None:
        """Have the file removed, and wait for that in bounded time."""
        self._contents.close()
        self._thread.join(SECONDS_TO_END)

    def _run(self) -> None:
        self._remove()
        for content in self._contents:
            with suppress(OSError):
                if self._ours():
                    self._write(content)
        self._remove()

    def _write(self, content: bytes) -> None:
        """In one go over what was there: a new file in its place would have some disks write it out at once.

        Whoever reads half of it reads again.
        """
        self._length = max(self._length, len(content))
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # Blanks, which JSON may end with, cover what was longer before.
            os.pwrite(descriptor, content.ljust(self._length), 0)
        finally:
            os.close(descriptor)

    def _remove(self) -> None:
        with suppress(OSError):
            if self._ours():
                self._path.unlink(missing_ok=True)
