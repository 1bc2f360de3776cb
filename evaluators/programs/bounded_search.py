"""A pattern looked for in lines, each of which is given up after a while.

Where a pattern can be tried in very many ways, one line takes for ever. Python's `re` holds up every other
thread meanwhile, but it does look whether a signal came, as that of a timer. The timer goes by this process's
own time, so that nothing is given up because the machine is busy.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

SEARCHED: Final = 1_000
"""Characters of a line that a pattern is looked for in."""
TICK_S: Final = 0.5
"""A line is given up at the second tick that comes while it is searched."""
GIVEN_UP_AT_MOST: Final = 3
"""Lines; after so many none is searched any more."""


class _TookTooLong(Exception):
    pass


class BoundedSearch:
    """Of one pattern, through all lines of an evaluation.

    Outside the main thread, where Python lets nobody handle signals, a line takes as long as it takes.
    """

    def __init__(self, pattern: str) -> None:
        """Raises `re.error` for what is no pattern."""
        self._pattern = re.compile(pattern)
        self._given_up = 0
        # While a line is searched: how many ticks came.
        self._ticks: int | None = None

    def among(self, lines: Iterable[str]) -> list[re.Match[str]]:
        """What is found, in the order of the lines; in a line that takes too long, nothing."""
        with self._ticking():
            return [match for line in lines if line and (match := self._in(line))]

    def _in(self, line: str) -> re.Match[str] | None:
        if self._given_up == GIVEN_UP_AT_MOST:
            return None
        try:
            self._ticks = 0
            match = self._pattern.search(line, 0, SEARCHED)
            self._ticks = None
        except _TookTooLong:
            self._give_up()
            return None
        return match

    def _give_up(self) -> None:
        self._given_up += 1
        if self._given_up == GIVEN_UP_AT_MOST:
            print(
                f"progress: to look for `{self._pattern.pattern}` took too long in {GIVEN_UP_AT_MOST} "
                "lines, so nothing more is reported; write it so that it can be found in one way only",
                file=sys.stderr,
            )

    def _tick(self, *_: object) -> None:
        if self._ticks is None:
            return
        self._ticks += 1
        if self._ticks == 2:
            self._ticks = None
            raise _TookTooLong

    @contextmanager
    def _ticking(self) -> Iterator[None]:
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
