"""How a run stands at the moment: a small file beside its journal, for `status` and `watch` elsewhere.

So that looking on costs the same however long the journal is, and tells what stands in no journal. The
journal is the truth: without this file, or with an old one, it is replayed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import msgspec

from orchestrator.report.chronicle import Chronicle
from orchestrator.report.outlook import Attendance
from orchestrator.report.runs import FollowedRun
from orchestrator.report.view import View
from orchestrator.runtime.monitor import Monitor, Opening
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase

WRITTEN_EVERY_S = 0.5
SHARE_OF_TIME = 0.02
"""Of the processor's time, at most, goes into the file; with many workers it is written more seldom."""
BELIEVED_FOR_S = 10.0
"""An older file is that of an orchestrator that hangs, or of a disk that does."""

READ_TIMES = 3


class Standing(msgspec.Struct, frozen=True):
    """A run at a moment, and where it lies. ``process`` is that which works on it."""

    name: str
    folder: str
    view: View
    late: int
    refits: int
    process: int = 0


_decoder = msgspec.json.Decoder(Standing)


def standing_of(run: FollowedRun, holder: dict[str, object] | None) -> Standing:
    """From its journal, which was read."""
    held = holder is not None and run.state.phase is not Phase.FINISHED
    return Standing(run.folder.name, str(run.folder.path), run.view(held), run.state.late, run.state.refits)


def written_standing(folder: RunFolder, holder: dict[str, object] | None) -> Standing | None:
    """From the file, if whoever works on the run wrote it just now."""
    if holder is None:
        return None
    for _ in range(READ_TIMES):
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            standing = _decoder.decode(folder.standing.read_bytes())
            age = time.time() - folder.standing.stat().st_mtime
            if standing.process == holder.get("pid") and age < BELIEVED_FOR_S:
                return msgspec.structs.replace(standing, folder=str(folder.path))
            return None
    return None


class StandingMonitor:
    """Keeps the file, and passes everything on to another monitor."""

    def __init__(self, inner: Monitor) -> None:
        self._inner = inner
        self._folder: RunFolder | None = None
        self._chronicle: Chronicle | None = None
        self._attendance = Attendance()
        self._due = 0.0
        self._length = 0

    def opened(self, opening: Opening) -> None:
        """See `Monitor`."""
        self._folder = RunFolder(opening.folder)
        with suppress(OSError):
            self._folder.standing.unlink(missing_ok=True)
        self._chronicle = Chronicle(opening.spec)
        self._attendance = Attendance(
            address=opening.address, folder=str(opening.folder), circumstances=opening.circumstances
        )
        self._inner.opened(opening)

    def observed(self, event: Event, state: State) -> None:
        """See `Monitor`."""
        if self._chronicle is not None:
            self._chronicle.take(event, state)
        self._inner.observed(event, state)

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """See `Monitor`."""
        if self._chronicle is not None:
            self._chronicle.progressed(lease, step, values)
        self._inner.progressed(lease, step, values)

    def noted(self, level: Literal["info", "warning", "error"], sentence: str) -> None:
        """See `Monitor`."""
        self._inner.noted(level, sentence)

    def ticked(self, state: State, now: float) -> None:
        """See `Monitor`."""
        if time.monotonic() >= self._due:
            begun = time.perf_counter()
            self._write(state, now)
            spent = time.perf_counter() - begun
            self._due = time.monotonic() + max(WRITTEN_EVERY_S, spent / SHARE_OF_TIME)
        self._inner.ticked(state, now)

    def closed(self, state: State) -> None:
        """See `Monitor`."""
        if self._folder is not None:
            with suppress(OSError):
                self._folder.standing.unlink(missing_ok=True)
        self._inner.closed(state)

    def _write(self, state: State, now: float) -> None:
        """In one go over what was there: a new file in its place would have some disks write it out at once.

        Whoever reads half of it reads again. A full disk is no reason to stop.
        """
        if self._folder is None or self._chronicle is None:
            return
        view = self._chronicle.view(state, now, self._attendance)
        folder = self._folder
        content: Any = Standing(folder.name, str(folder.path), view, state.late, state.refits, os.getpid())
        text = msgspec.json.encode(content)
        self._length = max(self._length, len(text))
        with suppress(OSError):
            descriptor = os.open(folder.standing, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                # Blanks, which JSON may end with, cover what was longer before.
                os.pwrite(descriptor, text.ljust(self._length), 0)
            finally:
                os.close(descriptor)
