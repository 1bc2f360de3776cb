"""The file that a child's standard output and error go to, kept with the trial if anything is in it."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Final

KEPT_ON_DISK: Final = 64 << 20
"""Bytes of what an evaluation prints; the rest is dropped, but for the last of it."""
BOUND_EVERY_S: Final = 2.0
"""How often to see to that while an evaluation runs."""
_TAIL: Final = 4000
_CUT: Final = b"\n[the rest was not kept, but for the last of it]\n"


class OutputFile:
    """Appended to by a child process; moved away, and replaced, after an evaluation that printed."""

    def __init__(self, path: Path) -> None:
        """Raises `OSError` if the file cannot be made."""
        self.path = path
        self.fd = _opened(path)

    @property
    def empty(self) -> bool:
        """Whether nothing was printed."""
        return os.fstat(self.fd).st_size == 0

    def bound(self) -> None:
        """Cut what was printed beyond the limit, whoever prints on; its last lines stay."""
        size = os.fstat(self.fd).st_size
        if size <= KEPT_ON_DISK + 2 * (len(_CUT) + _TAIL):
            return
        tail = os.pread(self.fd, _TAIL, size - _TAIL)
        # A full disk costs what was printed, not the result.
        with contextlib.suppress(OSError):
            os.ftruncate(self.fd, KEPT_ON_DISK)
            os.write(self.fd, _CUT + tail)

    def move(self, destination: Path) -> None:
        """Move what was printed to ``destination``; whoever still writes must be given the new file.

        Raises `OSError` where it cannot be moved or no new file opened; the old one is gone on with then.
        """
        self.bound()
        destination.parent.mkdir(parents=True, exist_ok=True)
        # First what may fail for want of a descriptor: without a file there is nothing to go on with.
        fresh = self.path.with_name(f"{self.path.name}.new")
        fd = _opened(fresh)
        try:
            shutil.move(self.path, destination)
            fresh.replace(self.path)
        except OSError:
            os.close(fd)
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
        os.close(self.fd)
        self.fd = fd

    def last_lines(self, count: int) -> str:
        """The last lines printed; what is no text is replaced."""
        size = os.fstat(self.fd).st_size
        text = os.pread(self.fd, _TAIL, max(0, size - _TAIL)).decode(errors="replace")
        lines = [line[:300] for line in text.splitlines() if line.strip()]
        return "\n".join(lines[-count:])

    def close(self) -> None:
        """Delete the file; what was worth keeping has been moved."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self.fd)


def _opened(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
    return os.open(path, flags, 0o644)
