"""Signals that ask a run to stop; what is left to do once it has ended takes a moment, and is still said."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self

from orchestrator.system.announced_ends import ANNOUNCING

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, *ANNOUNCING)


def stop_signals() -> list[signal.Signals]:
    """Those that ask for an orderly end. A terminal that is closed does, unless `nohup` has it ignored."""
    hung_up_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [number for number in STOPPING if number != signal.SIGHUP or not hung_up_ignored]


class StopSignals:
    """While entered, in the main thread and the event loop, they wait here to be taken; they are ignored from
    then on.

    asyncio's receiver, and with it anyio's, puts back the default as it is closed: one that came before that
    was ignored in its turn ended the process, and with it what was left to say.
    """

    def __init__(self) -> None:
        self._came: deque[int] = deque()
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> Self:
        for number in stop_signals():
            signal.signal(number, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        ignore_interrupts()

    def _receive(self, number: int, _: FrameType | None) -> None:
        self._came.append(number)
        self._loop.call_soon_threadsafe(self._wake.set)

    async def next(self) -> int:
        """The next of them, in the order in which they came."""
        while not self._came:
            self._wake.clear()
            await self._wake.wait()
        return self._came.popleft()


def ignore_interrupts() -> None:
    """From now on; to be called in the main thread."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def interrupts_as_before() -> Iterator[None]:
    """Whatever is made of interrupts while this is entered, they are afterwards what they were."""
    before = {number: signal.getsignal(number) for number in STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
