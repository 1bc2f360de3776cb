"""One wish to end a process that reaches it twice: `timeout`, and some queues of clusters, send a signal to a
program and then to its process group; of a terminal that is closed the kernel and the shell may both tell.
"""

from __future__ import annotations

import math
import signal
from typing import Final

from orchestrator.system.announced_ends import ANNOUNCING

BY_PROGRAMS: Final = (signal.SIGTERM, *ANNOUNCING)
"""Which programs send that end others, or announce it."""
ECHO_S: Final = 1.0
"""Whoever means a second one waits for what the first does. A person's Ctrl-C is never taken for an echo."""


class EchoedSignals:
    """Which of the signals that come are echoes: a program's soon after another, and a SIGHUP after any."""

    def __init__(self) -> None:
        self._heard = False
        self._told_at = -math.inf

    def is_echo(self, number: int, now: float) -> bool:
        """Of a signal that came at ``now``, in seconds of a steady clock."""
        heard, self._heard = self._heard, True
        if number == signal.SIGHUP:
            return heard
        if number not in BY_PROGRAMS:
            return False
        if now - self._told_at < ECHO_S:
            return True
        self._told_at = now
        return False
