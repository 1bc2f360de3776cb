"""A pattern looked for in what a program prints, which is given up after a while.

Where a pattern can be tried in very many ways, one line takes for ever. Python's `re` holds up every other
thread meanwhile, but it does look whether a signal came, as that of a timer. The timer goes by this process's
own time, so that nothing is given up because the machine is busy.
"""

from __future__ import annotations

import re
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

TICK_S: Final = 0.5

_Found = TypeVar("_Found")


class TookTooLong(Exception):
    """A search was given up."""


class BoundedSearch:
    """Of one pattern, in one text after another.

    Outside the main thread, where Python lets nobody handle signals, each takes as long as it takes.
    """

    def __init__(self, pattern: str, flags: int = 0, *, ticks: int) -> None:
        """``ticks``: at which tick, of those that come while it is searched, a text is given up.

        Raises `re.error` for what is no pattern.
        """
        self._pattern = re.compile(pattern, flags)
        self._patience = ticks
        # While a text is searched: how many ticks came.
        self._ticks: int | None = None

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """While entered, texts may be searched."""
        try:
            previous = signal.signal(signal.SIGVTALRM, self._tick)
        except ValueError:  # not the main thread
            yield
            return
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, TICK_S, TICK_S)
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
            signal.signal(signal.SIGVTALRM, previous)

    def first(self, text: str, end: int) -> re.Match[str] | None:
        """Its first match within the first ``end`` characters. Raises `TookTooLong`."""
        return self._bounded(lambda: self._pattern.search(text, 0, end))

    def last(self, text: str) -> re.Match[str] | None:
        """Its last match. Raises `TookTooLong`."""
        return self._bounded(lambda: next(iter(deque(self._pattern.finditer(text), maxlen=1)), None))

    def every(self, text: str) -> Iterator[re.Match[str]]:
        """All its matches, one after another, together as quick as one has to be. Raises `TookTooLong`."""
        self._ticks = 0
        yield from self._pattern.finditer(text)
        self._ticks = None

    def _bounded(self, search: Callable[[], _Found]) -> _Found:
        self._ticks = 0
        found = search()
        self._ticks = None
        return found

    def _tick(self, *_: object) -> None:
        if self._ticks is None:
            return
        self._ticks += 1
        if self._ticks == self._patience:
            self._ticks = None
            raise TookTooLong
