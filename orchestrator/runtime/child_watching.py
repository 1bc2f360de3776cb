"""How the event loop learns that a child process has ended."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress


def watch_children_without_threads() -> None:
    """Python 3.11 waits for each child in a thread of its own, and a run ended that got none for a child that
    it had started. Later ones wait by a descriptor, where the system has such, as this does.
    """
    if sys.version_info < (3, 12) and hasattr(os, "pidfd_open"):
        # Some containers refuse it.
        with suppress(OSError):
            os.close(os.pidfd_open(os.getpid()))
            asyncio.set_child_watcher(asyncio.PidfdChildWatcher())
