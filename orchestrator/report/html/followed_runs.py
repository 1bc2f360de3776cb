"""`orchestrator report RUN RUN --follow`: a page of several runs, written anew as results come."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from orchestrator.errors import OrchestratorError
from orchestrator.report.following.listed_run import ListedRun
from orchestrator.report.following.listing import RunsMeant, listed_again, listed_with, newest_first
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.followed_page import LOOKED_EVERY_S, Pace
from orchestrator.report.html.frame import Live
from orchestrator.report.html.several_runs import Several, several_runs
from orchestrator.system.whole_files import write_whole


@dataclass(slots=True)
class FollowedRuns:
    """The page at ``path`` of the runs that are ``meant``, written every so many seconds at most. ``say``
    hears what happens along the way, a sentence at a time. Where ``more_may_begin`` it is followed until
    somebody presses Ctrl-C, and else until all of them have ended.
    """

    meant: RunsMeant
    path: Path
    pace: Pace
    say: Callable[[str], None]
    more_may_begin: bool
    _read: dict[Path, FollowedRun] = field(init=False, default_factory=dict)
    _shown: list[tuple[Path, str, int]] = field(init=False, default_factory=list)
    _said: str = field(init=False, default="")

    def follow(self) -> None:
        """Write it until they have ended. The last page is like one of runs that nobody follows.

        Raises OrchestratorError where there is no run, or the page cannot be written at first, or at last.
        """
        try:
            going_on = self._look(first=True)
            if going_on:
                self.say(f"{self.path} is written anew as results come; Ctrl-C ends that, and not the runs")
            while going_on:
                time.sleep(LOOKED_EVERY_S)
                if time.monotonic() >= self.pace.next_s:
                    going_on = self._look(first=False)
        except KeyboardInterrupt:
            pass
        self._put(several_runs(self._several()))

    def _look(self, *, first: bool) -> bool:
        """Once; whether anything may come."""
        begun = time.perf_counter()
        try:
            several = self._several()
            shown = [(told.path, told.state, _read_of(run)) for told, run in several.runs]
            if shown != self._shown:
                live = Live(datetime.now().astimezone(), max(1, math.ceil(self.pace.apart_s)))
                self._put(several_runs(several, live))
                self._shown = shown
        except OrchestratorError as error:
            # A disk of another machine comes and goes.
            if first:
                raise
            self._say_once(f"{error}; tried again")
            return True
        finally:
            self.pace.wrote(time.monotonic(), time.perf_counter() - begun)
        self._said = ""
        return self.more_may_begin or any(_may_go_on(told) for told, _ in several.runs)

    def _several(self) -> Several:
        found: list[tuple[ListedRun, FollowedRun | None]] = []
        for path in self.meant.paths():
            told, run = listed_again(self._read[path]) if path in self._read else listed_with(path)
            if run is None or not path.is_dir():
                self._read.pop(path, None)
            else:
                self._read[path] = run
            found.append((told, run))
        by_path = {told.path: (told, run) for told, run in found}
        return Several([by_path[one.path] for one in newest_first(told for told, _ in found)], self.path)

    def _put(self, document: str) -> None:
        try:
            write_whole(self.path, document)
        except OSError as error:
            raise OrchestratorError(f"expected to write to {self.path}, got: {error.strerror}") from None

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self.say(sentence)
        self._said = sentence


def _read_of(run: FollowedRun | None) -> int:
    """How much of its journal is shown."""
    return 0 if run is None else run.reader.length


def _may_go_on(told: ListedRun) -> bool:
    return told.resumable or told.state in ("running", "paused", "stopping", "at rest")
