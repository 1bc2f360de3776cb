"""Lets progress through at a rate that a run of many workers can bear."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

RATE: Final = 20.0
"""Reports a second on average; as many may come at once."""


class ProgressGate:
    """Passes reports on while there is allowance, else keeps the newest until its turn or the end."""

    def __init__(self, send: Callable[[int, dict[str, float]], None], rate: float = RATE) -> None:
        self._send = send
        self._rate = rate
        self._allowance = rate
        self._last = time.monotonic()
        self._kept: tuple[int, dict[str, float]] | None = None
        self._closed = False

    def report(self, step: int, values: dict[str, float]) -> None:
        """Send, or keep as the newest. A report after the end, from a thread left behind, is dropped."""
        if self._closed:
            return
        now = time.monotonic()
        self._allowance = min(self._rate, self._allowance + (now - self._last) * self._rate)
        self._last = now
        if self._allowance >= 1.0:
            self._allowance -= 1.0
            self._kept = None
            self._send(step, values)
        else:
            self._kept = (step, values)

    @property
    def is_open(self) -> bool:
        """Whether a report would be sent at once."""
        return self._allowance + (time.monotonic() - self._last) * self._rate >= 1.0

    @property
    def due_s(self) -> float | None:
        """Seconds until what is kept may be sent; None if nothing is kept."""
        if self._kept is None:
            return None
        return max(0.0, self._last + (1.0 - self._allowance) / self._rate - time.monotonic())

    def send_due(self) -> None:
        """Send what is kept, if its turn has come: for whoever can wait for it."""
        if self._kept is not None:
            self.report(*self._kept)

    def close(self) -> None:
        """The evaluation is over: send what was kept."""
        self._closed = True
        if self._kept is not None:
            self._send(*self._kept)
            self._kept = None
