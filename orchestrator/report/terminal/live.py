"""The monitor for a terminal: the screen, redrawn a few times a second while the run goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Generic, Self, TypeAlias, TypeVar

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.outlook import Attendance
from orchestrator.report.seen.view import View
from orchestrator.report.terminal.screen import remains, screen
from orchestrator.report.words.happenings import Tone
from orchestrator.runtime.circumstances import Circumstances
from orchestrator.runtime.monitor import Level, Opening
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.system.latest import Latest

INTERVAL_S = 0.2
SHARE_OF_TIME = 0.03
"""Of the processor's time, at most, is spent on drawing; a slow machine is drawn more seldom."""
SECONDS_TO_END = 2.0


Shown = TypeVar("Shown")
Drawn: TypeAlias = Callable[[Shown, int, int], list[Text]]
"""The lines of something that is shown, at most so wide and so many."""


class Canvas(Generic[Shown]):
    """Draws what is shown, as views of a run, on a terminal's alternate screen, from a thread of its own.

    A terminal that does not take what is written (Ctrl-S, a slow line) holds up this thread and nobody
    else. What comes while something is drawn replaces what came before it.
    """

    def __init__(self, console: Console, drawn: Drawn[Shown]) -> None:
        self._console = console
        self._drawn = drawn
        self._pictures: Latest[Shown] = Latest()
        self._thread = threading.Thread(target=self._draw, name="screen", daemon=True)
        # Each is written by one thread: by that which shows, and by that which draws.
        self._due, self._rests_until = 0.0, 0.0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def due(self) -> bool:
        """Whether it is time for another picture."""
        return time.monotonic() >= max(self._due, self._rests_until)

    def show(self, shown: Shown, spent_s: float = 0.0) -> None:
        """Have it drawn; returns at once. ``spent_s`` is what it took to find out what is to be shown."""
        self._due = time.monotonic() + max(INTERVAL_S, spent_s / SHARE_OF_TIME)
        self._pictures.leave(shown)

    def close(self) -> None:
        """Give the terminal back, in bounded time."""
        self._pictures.close()
        if self._thread.is_alive():
            self._thread.join(SECONDS_TO_END)

    def _draw(self) -> None:
        # A terminal that is gone is no reason for the run to end.
        with (
            suppress(OSError, ValueError),
            Live(console=self._console, screen=True, auto_refresh=False, vertical_overflow="crop") as live,
        ):
            for shown in self._pictures:
                begun = time.thread_time()
                live.update(frame(self._drawn(shown, *self._console.size)), refresh=True)
                spent = time.thread_time() - begun
                self._rests_until = time.monotonic() + spent / SHARE_OF_TIME


def frame(lines: list[Text]) -> Group:
    """Lines as they are drawn: none is ever wrapped."""
    for line in lines:
        line.no_wrap = True
    return Group(*lines)


def print_lines(lines: list[Text], console: Console) -> None:
    """Print lines where they stay, below what was printed before."""
    for line in lines:
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True, highlight=False)


class LiveMonitor:
    """Shows a run on a terminal as it goes on, and leaves its last picture behind."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._canvas = Canvas(console, screen)
        self._chronicle: Chronicle | None = None
        self._address = self._folder = ""
        self._circumstances = Circumstances()
        self._now = 0.0

    def opened(self, opening: Opening) -> None:
        """The screen opens."""
        self._chronicle = Chronicle(opening.spec)
        self._address, self._folder = opening.address, str(opening.folder)
        self._circumstances = opening.circumstances
        self._canvas.__enter__()

    def observed(self, event: Event, state: State) -> None:
        """Take it into the picture."""
        if self._chronicle is not None:
            self._now = event.at
            self._chronicle.take(event, state)

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """Shown beside the trial."""
        if self._chronicle is not None:
            self._chronicle.progressed(lease, step, values)

    def noted(self, level: Level, sentence: str) -> None:
        """Shown among the last events."""
        tones: dict[str, Tone] = {"info": "faint", "warning": "plain", "error": "bad"}
        if self._chronicle is not None:
            self._chronicle.noted(self._now, sentence, tones[level])

    def ticked(self, state: State, now: float) -> None:
        """Draw, if it is time."""
        self._now = now
        if not self._canvas.due:
            return
        begun = time.perf_counter()
        if (view := self._view(state)) is not None:
            # For some, all trials are gone through, and meanwhile nobody is listened to.
            self._canvas.show(view, time.perf_counter() - begun)

    def closed(self, state: State) -> None:
        """The terminal is given back, with the last picture on it."""
        self._canvas.close()
        self._now = max(self._now, state.at)
        view = self._view(state)
        if view is not None and state.lives:
            with suppress(OSError, ValueError):
                width, height = self._console.size
                print_lines([*remains(view, width, height), Text()], self._console)

    def _view(self, state: State) -> View | None:
        if self._chronicle is None:
            return None
        attendance = Attendance(
            address=self._address,
            # Of one that has ended the closing words name it.
            folder="" if state.phase is Phase.FINISHED else self._folder,
            how_to_stop_now=" (Ctrl-C again stops them now)",
            circumstances=self._circumstances,
        )
        return self._chronicle.view(state, self._now, attendance)
