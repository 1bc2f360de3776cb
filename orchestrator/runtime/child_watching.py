"""How the event loop learns that a child process has ended, and how one is told to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

from anyio.abc import Process


def watch_children_without_threads() -> None:
    """Python 3.11 waits for each child in a thread of its own, and a run ended that got none for a child that
    it had started. Later ones wait by a descriptor, where the system has such, as this does.
    """
    if sys.version_info < (3, 12) and hasattr(os, "pidfd_open"):
        # Some containers refuse it.
        with suppress(OSError):
            os.close(os.pidfd_open(os.getpid()))
            asyncio.set_child_watcher(asyncio.PidfdChildWatcher())


def send_signal(process: Process, number: signal.Signals) -> None:
    """To a child that may just have ended. `Process.send_signal` would see that it has, and take how it did
    from the loop, which then says so on standard error, and calls it 255.
    """
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)
