"""Signals by which queues of clusters announce that a job's time is nearly up: LSF and Grid Engine by the
second, Slurm by whichever is asked for.

They may reach every process of a job. So workers and runs leave by them, and evaluations, which are to be
finished, do not hear of them.
"""

from __future__ import annotations

import signal
from typing import Final

ANNOUNCING: Final = (signal.SIGUSR1, signal.SIGUSR2)


def ignore_announcements() -> None:
    """In this process and the programs that it starts, unless they handle them; in the main thread."""
    for number in ANNOUNCING:
        signal.signal(number, signal.SIG_IGN)
