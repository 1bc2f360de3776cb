"""Whether a process is stopped, as by Ctrl-Z or SIGSTOP: it is there, holds its locks, and does nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_STOPPED = (b"T", b"t")


def is_stopped(process: int) -> bool:
    """By its number on this machine; false where the system does not tell, as elsewhere than on Linux."""
    with suppress(OSError, ValueError):
        told = Path(f"/proc/{process}/stat").read_bytes()
        # Its name, in parentheses, may have any in it.
        return told[told.rindex(b")") + 2 :][:1] in _STOPPED
    return False
