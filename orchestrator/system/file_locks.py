"""Locks of files that keep every other writer out, and let anybody see whether there is one."""

from __future__ import annotations

import fcntl
import time
from contextlib import suppress
from typing import IO, Any

LOOKED_AT_S = 10.0
"""At most, by who only looks: no longer than a moment, but on a machine that has other things to do."""
LOCK_AGAIN_S = 0.02


def is_held(file: IO[Any] | int) -> bool:
    """Whether another has the lock of an open file, or a descriptor. Raises `OSError` where the file system
    has no locks.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def taken(file: IO[Any] | int) -> bool:
    """Whether the lock is ours now. Those who only look whether somebody has it (`is_held`) share it
    meanwhile, and are waited for.

    Raises `OSError` where the file system has no locks.
    """
    until = time.monotonic() + LOOKED_AT_S
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        if is_held(file) or time.monotonic() > until:
            return False
        fcntl.flock(file, fcntl.LOCK_UN)
        time.sleep(LOCK_AGAIN_S)
