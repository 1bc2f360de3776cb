"""Writes how a run stands beside its journal, while an orchestrator works on it, and at its end."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from orchestrator.report.following.last_standing import keep_last_standing
from orchestrator.report.following.standing import Standing
from orchestrator.report.following.standing_file import StandingFile
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.outlook import Attendance
from orchestrator.runtime.folder.lock_words import another_in, own_words
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Level, Monitor, Opening
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State

WRITTEN_EVERY_S = 0.5
SHARE_OF_TIME = 0.02
"""Of the processor's time, at most, goes into the file; with many workers it is written more seldom."""


class StandingMonitor:
    """Keeps the file, and passes everything on to another monitor."""

    def __init__(self, inner: Monitor) -> None:
        self._inner = inner
        self._folder: RunFolder | None = None
        self._file: StandingFile | None = None
        self._chronicle: Chronicle | None = None
        self._attendance = Attendance()
        self._due, self._every_s = 0.0, WRITTEN_EVERY_S
        self._ended = False

    def opened(self, opening: Opening) -> None:
        """See `Monitor`."""
        self._folder = RunFolder(opening.folder)
        lock, own = self._folder.path / "lock", own_words()
        self._file = StandingFile(self._folder.standing, lambda: another_in(lock, own) is None)
        self._chronicle = Chronicle(opening.spec)
        self._attendance = Attendance(
            address=opening.address, folder=str(opening.folder), circumstances=opening.circumstances
        )
        self._inner.opened(opening)

    def observed(self, event: Event, state: State) -> None:
        """See `Monitor`."""
        if self._chronicle is not None:
            self._chronicle.take(event, state)
        # Not asked of the state at the close: that may know of an end that never was on disk.
        self._ended = not state.resumable
        self._inner.observed(event, state)

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """See `Monitor`."""
        if self._chronicle is not None:
            self._chronicle.progressed(lease, step, values)
        self._inner.progressed(lease, step, values)

    def noted(self, level: Level, sentence: str) -> None:
        """See `Monitor`."""
        self._inner.noted(level, sentence)

    def ticked(self, state: State, now: float) -> None:
        """See `Monitor`."""
        if time.monotonic() >= self._due:
            begun = time.perf_counter()
            self._write(state, now)
            spent = time.perf_counter() - begun
            self._every_s = max(WRITTEN_EVERY_S, spent / SHARE_OF_TIME)
            self._due = time.monotonic() + self._every_s
        self._inner.ticked(state, now)

    def closed(self, state: State) -> None:
        """See `Monitor`."""
        if self._folder is not None and self._chronicle is not None:
            if self._file is not None:
                self._file.close()
            if self._ended:
                attendance = Attendance(attended=False, folder=str(self._folder.path))
                view = self._chronicle.view(state, state.at, attendance)
                keep_last_standing(self._folder, Standing.of(self._folder, state, view))
        self._inner.closed(state)

    def _write(self, state: State, now: float) -> None:
        if self._folder is None or self._file is None or self._chronicle is None:
            return
        view = self._chronicle.view(state, now, self._attendance)
        standing = Standing.of(self._folder, state, view).said_now(self._every_s)
        self._file.write(msgspec.json.encode(standing))
