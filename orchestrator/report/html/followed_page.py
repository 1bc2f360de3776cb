"""`orchestrator report --follow`: a run's page, written anew as results come, until the run has ended."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from orchestrator.errors import JournalError, OrchestratorError, SpecError
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.frame import Live
from orchestrator.report.html.page import page
from orchestrator.report.words.wording import duration
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import Event
from orchestrator.system.shell_lines import shell_line
from orchestrator.system.whole_files import write_whole

LOOKED_EVERY_S = 0.5
SHARE_OF_TIME = 0.02
"""At most so much of the time goes into the page; that of a large run is written more seldom."""
PATIENCE_S = 60.0
"""For so long a folder may not be read: a disk of another machine comes and goes."""
UNREADABLE = (JournalError, SpecError)
"""What is raised then."""


@dataclass(slots=True)
class Pace:
    """When the page may be written: at most ``every_s`` seconds, and more seldom where it takes long."""

    every_s: float
    next_s: float = -math.inf
    apart_s: float = field(init=False)

    def __post_init__(self) -> None:
        self.apart_s = self.every_s

    def wrote(self, now: float, spent: float) -> None:
        """At a time of a steady clock, after so many seconds of work."""
        self.apart_s = max(self.every_s, spent / SHARE_OF_TIME)
        self.next_s = now + self.apart_s


class FollowedPage:
    """The page of the run in a ``folder``, at ``path``, written every so many seconds at most. ``say`` hears
    what happens along the way, a sentence at a time.
    """

    def __init__(self, folder: RunFolder, path: Path, every_s: float, say: Callable[[str], None]) -> None:
        self._folder, self._path, self._say = folder, path, say
        self._pace = Pace(every_s)
        self._run, self._events = FollowedRun.open(folder), list[Event]()
        self._changed = True
        self._held: bool | None = None
        self._said = ""
        self._waiting = False
        self._unread_since: float | None = None

    def follow(self) -> None:
        """Write it until the run has ended and nobody works on it, or somebody presses Ctrl-C; a run that was
        stopped, or killed, is waited for. The last one is like that of a run that nobody follows.

        Raises OrchestratorError where it cannot be written at first, or at last, and what is `UNREADABLE`
        where the run cannot be read at first, or not for a minute.
        """
        try:
            held = self._folder.holder() is not None
            self._events += self._run.catch_up()
            if held or self._run.state.resumable:
                self._write(held)
                self._say(f"{self._path} is written anew as results come; Ctrl-C ends that, and not the run")
            while self._goes_on():
                time.sleep(LOOKED_EVERY_S)
        except KeyboardInterrupt:
            pass
        with suppress(*UNREADABLE):
            self._events += self._run.catch_up()
        self._put(self._page(self._folder.holder() is not None, None))

    def _goes_on(self) -> bool:
        """Look once; whether anything may come."""
        # Asked first: what was written before the run was let go is then read below.
        held = self._folder.holder() is not None
        self._waiting = self._waiting and not held
        due = time.monotonic() >= self._pace.next_s
        if held and not due:
            return True
        try:
            self._catch_up()
        except UNREADABLE as error:
            self._wait(error)
            return True
        self._unread_since = None
        if not held and not self._run.state.resumable:
            return False
        if not held and not self._waiting:
            resume = shell_line("resume", self._folder.path)
            self._say(f"nobody works on the run by now: waiting for {resume}")
            self._waiting = True
        if due and (self._changed or held is not self._held):
            try:
                self._write(held)
                self._said = ""
            except OrchestratorError as error:
                self._say_once(f"{error}; tried again")
        return True

    def _catch_up(self) -> None:
        if self._unread_since is not None:
            # Of what was read in part nothing is known.
            self._run, self._events = FollowedRun.open(self._folder), []
        came = self._run.catch_up()
        self._events += came
        self._changed = self._changed or bool(came)

    def _wait(self, error: OrchestratorError) -> None:
        now = time.monotonic()
        if self._unread_since is None:
            self._unread_since = now
            self._say(f"the run cannot be read, which is tried again for {duration(PATIENCE_S)}: {error}")
        elif now - self._unread_since > PATIENCE_S:
            raise error

    def _write(self, held: bool) -> None:
        begun = time.perf_counter()
        try:
            apart = max(1, math.ceil(self._pace.apart_s))
            self._put(self._page(held, Live(datetime.now().astimezone(), apart)))
        finally:
            self._pace.wrote(time.monotonic(), time.perf_counter() - begun)
        self._changed, self._held = False, held

    def _page(self, held: bool, live: Live | None) -> str:
        return page(self._run, self._events, held, live=live)

    def _put(self, document: str) -> None:
        try:
            write_whole(self._path, document)
        except OSError as error:
            raise OrchestratorError(f"expected to write to {self._path}, got: {error.strerror}") from None

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self._say(sentence)
        self._said = sentence
