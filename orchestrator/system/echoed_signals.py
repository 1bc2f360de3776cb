"""One wish to end a process that reaches it twice: `timeout`, and some queues of clusters, send SIGTERM to a
program and then to its process group.
"""

from __future__ import annotations

import math
import signal
from typing import Final

ECHO_S: Final = 1.0
"""Whoever means a second one waits for what the first does. A person's Ctrl-C is never taken for an echo."""


class EchoedSignals:
    """Which of the signals that come are echoes, and say nothing new."""

    def __init__(self) -> None:
        self._heard_at = -math.inf

    def is_echo(self, number: int, now: float) -> bool:
        """Of a signal that came at ``now``, in seconds of a steady clock."""
        if number != signal.SIGTERM:
            return False
        if now - self._heard_at < ECHO_S:
            return True
        self._heard_at = now
        return False
