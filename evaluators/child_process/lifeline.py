"""An evaluation, and whatever it started, dies with its worker, however the worker died.

The worker holds the only writing end of a pipe and never writes to it. On Linux the kernel is asked to
send SIGKILL to the whole process group the moment that end closes: no thread, which would make `fork` in
an evaluator unsafe, and no time. Elsewhere a thread waits for the end of the pipe.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys


def hold(fd: int) -> None:
    """Tie this process's group to the reading end ``fd``. The process must lead its group."""
    if sys.platform == "linux":
        try:
            fcntl.fcntl(fd, fcntl.F_SETOWN, -os.getpgrp())
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_ASYNC)
        except OSError:
            _end_with_parent()
    else:
        import threading

        threading.Thread(target=_wait, args=(fd,), daemon=True).start()
    # `select` knows no number above 1,023, and a worker with hundreds of slots has more open.
    held = select.poll()
    held.register(fd, select.POLLIN)
    if held.poll(0):
        _end()


def _end_with_parent() -> None:
    # For kernels without the other. It reaches this process only; and never beside the other, because a
    # leader killed first takes the reading end along, and with it the signal for the rest of its group.
    from orchestrator.system.parent_death import end_with_parent

    end_with_parent()


def _wait(fd: int) -> None:
    os.read(fd, 1)
    _end()


def _end() -> None:
    os.killpg(os.getpgrp(), signal.SIGKILL)
