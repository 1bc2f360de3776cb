"""Signals as bytes on a descriptor, so that they wake the one place where the worker waits."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Final

from orchestrator.system.announced_ends import ANNOUNCING

ASKING: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, *ANNOUNCING)
"""By these a worker is asked to leave."""
WATCHED: Final = (*ASKING, signal.SIGCHLD)


class SignalPipe:
    """While entered, those that are watched do nothing but make `fd` readable; a SIGHUP that is ignored, as
    under `nohup`, stays so. Main thread only.
    """

    def __enter__(self) -> SignalPipe:
        self.fd, self._write = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._write, False)
        self._previous: dict[signal.Signals, Callable[[int, FrameType | None], Any] | int | None] = {
            number: signal.signal(number, _noticed)
            for number in WATCHED
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
        }
        self._previous_fd = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        return self

    def arrived(self) -> list[signal.Signals]:
        """The signals since the last call."""
        try:
            return [signal.Signals(number) for number in os.read(self.fd, 1024)]
        except BlockingIOError:
            return []

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.set_wakeup_fd(self._previous_fd)
        for number, handler in self._previous.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        os.close(self.fd)
        os.close(self._write)


def _noticed(_number: int, _frame: FrameType | None) -> None:
    pass
