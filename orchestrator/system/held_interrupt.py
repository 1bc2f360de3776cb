"""What Ctrl-C must not cut in two: it counts once that is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_held() -> Iterator[None]:
    """A Ctrl-C that comes inside is what it would have been, a KeyboardInterrupt mostly, as this is left.

    For moments, not for seconds. Only the main thread is interrupted, so nothing is held in others.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(*came[-1])
