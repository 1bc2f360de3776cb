"""Lets progress through at a rate that a run of many workers can bear."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

RATE: Final = 20.0
"""Reports a second on average; as many may come at once."""


class ProgressGate:
    """Passes reports on while there is allowance, else keeps the newest until its turn or the end."""

    def __init__(self, send: Callable[[int, dict[str, float]], None]) -> None:
        self._send = send
        self._allowance = RATE
        self._last = time.monotonic()
        self._kept: tuple[int, dict[str, float]] | None = None
        self._closed = False

    def report(self, step: int, values: dict[str, float]) -> None:
        """Send, or keep as the newest. A report after the end, from a thread left behind, is dropped."""
        if self._closed:
            return
        now = time.monotonic()
        self._allowance = min(RATE, self._allowance + (now - self._last) * RATE)
        self._last = now
        if self._allowance >= 1.0:
            self._allowance -= 1.0
            self._kept = None
            self._send(step, values)
        else:
            self._kept = (step, values)

    def close(self) -> None:
        """The evaluation is over: send what was kept."""
        self._closed = True
        if self._kept is not None:
            self._send(*self._kept)
            self._kept = None
