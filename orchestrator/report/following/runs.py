"""Finding the run that a person means, and following its journal from outside."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from orchestrator.errors import UsageError
from orchestrator.report.following.lying_there import where
from orchestrator.report.following.run_clock import heard_ago, seconds_unheard, stopped_since
from orchestrator.report.following.run_so_far import Kept, RunSoFar, parts_of
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.outlook import Attendance
from orchestrator.report.seen.view import View
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import Event
from orchestrator.search_files.beginning import instead_of, is_search_file
from orchestrator.spelling import did_you_mean
from orchestrator.system.shell_lines import shell_line

ROOM_FOR_LINES = 1 << 16
"""Bytes."""


def find_run(named: str | None, logs: Path) -> RunFolder:
    """The run in a folder, or with a name under ``logs``; the latest one if none is named.

    Raises:
        UsageError: there is no such run, or it cannot be looked for; or it is a search from Python.
    """
    if named is not None and is_search_file(Path(named)):
        raise UsageError(instead_of("a run", named))
    try:
        return _found(named, logs)
    except OSError as error:
        raise UsageError(
            f"expected a folder that can be looked into, got {error.filename}: {error.strerror}. Name the "
            "folder of a run, or the one where runs lie: --logs DIR"
        ) from None


def find_kept(named: str | None, logs: Path) -> Kept:
    """The same, or the search from Python that a file keeps. Raises StoreError where that cannot be read."""
    if named is not None and is_search_file(Path(named)):
        # Imported here because it is numpy, and most commands look at runs.
        from orchestrator.report.searches.kept_search import KeptSearch

        return KeptSearch.open(Path(named))
    try:
        return find_run(named, logs)
    except UsageError:
        # Which is false, too, of what cannot be looked into.
        if named is None or not os.path.isfile(named):
            raise
        what = "another file" if Path(named).stat().st_size else "an empty file"
        raise UsageError(
            f"expected the folder of a run, or the file of a search from Python, got {named}, {what}"
        ) from None


def _found(named: str | None, logs: Path) -> RunFolder:
    if named is None:
        runs = _runs_under(logs)
        if not runs:
            raise UsageError(
                f"expected a run under {logs}/, found none. Start one: orchestrator run SPEC; or name the "
                "folder where runs lie: --logs DIR"
            )
        return RunFolder.open(max(runs, key=lambda path: (path / "journal.jsonl").stat().st_mtime))
    for path in (Path(named), logs / named):
        if _is_there(path / "journal.jsonl"):
            return RunFolder.open(path)
    for path in (Path(named), logs / named):
        if _is_there(path):
            return RunFolder.open(path)
    there = [path.name for path in _runs_under(logs)]
    near = did_you_mean(Path(named).name, there)
    listed = f"; those there are: {shell_line('runs', *where(logs))}" if there else ""
    raise UsageError(
        f"expected the folder of a run, or its name under {logs}/, got {named}, which does not exist{near}"
        f"{listed}"
    )


def _runs_under(logs: Path) -> list[Path]:
    """Raises OSError where that cannot be looked into, which `Path.glob` passes over from Python 3.13 on."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(logs) as entries:
        return [Path(entry.path) for entry in entries if os.path.isfile(f"{entry.path}/journal.jsonl")]
    return []


def _is_there(path: Path) -> bool:
    """Raises OSError where that cannot be told, as of a name that is too long."""
    with suppress(FileNotFoundError, NotADirectoryError):
        path.stat()
        return True
    return False


@dataclass(slots=True)
class FollowedRun(RunSoFar):
    """A run with what a person who watches it is shown, of which tables need nothing."""

    chronicle: Chronicle

    @classmethod
    def open(cls, kept: Kept) -> FollowedRun:
        """A run, its journal not yet read."""
        kept, spec, scheduler, reader = parts_of(kept)
        return cls(kept, spec, scheduler, reader, Chronicle(spec))

    def _take(self, event: Event) -> None:
        self.scheduler.handle(event)
        self.chronicle.take(event, self.scheduler.state)

    def view(self, attended: bool) -> View:
        """What a person sees of it now. ``attended``: whether an orchestrator works on it."""
        return self.chronicle.view(self.state, self.now(attended), self._attendance(attended))

    def _attendance(self, attended: bool) -> Attendance:
        if not isinstance(self.folder, RunFolder):
            return Attendance(attended=attended, of_python=True)
        holder = self.folder.holder() if attended else None
        unheard_s = seconds_unheard(self.folder, holder)
        return Attendance(
            attended=attended,
            folder=str(self.folder.path),
            disk_full=disk_is_full(self.folder.path),
            unheard_s=unheard_s,
            stopped=holder is not None and stopped_since(unheard_s, holder),
            process=_process_of(holder),
            heard_ago_s=None if attended else heard_ago(self.folder),
        )


def _process_of(holder: dict[str, object] | None) -> int:
    number = None if holder is None else holder.get("pid")
    return number if isinstance(number, int) else 0


def disk_is_full(path: Path) -> bool:
    """Whether there is no room for another few lines where ``path`` lies."""
    try:
        return shutil.disk_usage(path).free < ROOM_FOR_LINES
    except OSError:
        return False


def read_run(kept: Kept) -> FollowedRun:
    """A run with every event that its journal holds now."""
    run = FollowedRun.open(kept)
    run.catch_up()
    return run
