"""Runs that are listed again and again: what did not change since is not read anew."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from orchestrator.report.following.listed_run import UNREADABLE, ListedRun
from orchestrator.report.following.listing import RunsMeant, listed, listed_again, listed_with, newest_first
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing import written_standing
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.search_files.reading import is_written

Mark: TypeAlias = tuple[tuple[int, int, int], ...]
"""Of each file by which a run is told: which it is, how long, and when it was written last."""


@dataclass(slots=True)
class RunsAgain:
    """Those ``meant``, as they stand whenever somebody asks.

    One that nobody works on is read again once a file by which it is told is another; of one that somebody
    works on what they write twice a second is read, or, where they write nothing, what came in its journal.
    """

    meant: RunsMeant
    _told: dict[Path, tuple[Mark, ListedRun]] = field(init=False, default_factory=dict)
    _followed: dict[Path, FollowedRun] = field(init=False, default_factory=dict)

    def now(self) -> list[ListedRun]:
        """The newest first. Raises UsageError where there is none."""
        paths = self.meant.paths()
        for known in (self._told, self._followed):
            for gone in known.keys() - set(paths):
                del known[gone]
        return newest_first(map(self._one, paths))

    def _one(self, path: Path) -> ListedRun:
        folder = RunFolder(path) if path.is_dir() else None
        if folder is not None and (holder := folder.holder()) is not None:
            self._told.pop(path, None)
            return self._worked_on(folder, holder)
        self._followed.pop(path, None)
        mark = _mark(path)
        if mark and (before := self._told.get(path)) is not None and before[0] == mark:
            return before[1]
        told = listed(path)
        # What kept it from being read may be over at the next look.
        if mark and told.state != UNREADABLE:
            self._told[path] = mark, told
        return told

    def _worked_on(self, folder: RunFolder, holder: dict[str, object]) -> ListedRun:
        if written_standing(folder, holder) is not None:
            return listed(folder.path)
        known = self._followed.get(folder.path)
        told, run = listed_with(folder.path) if known is None else listed_again(known)
        if run is None:
            self._followed.pop(folder.path, None)
        else:
            self._followed[folder.path] = run
        return told


def _mark(path: Path) -> Mark:
    """Empty where there is nothing that can be looked at, and of a search that a program has open."""
    if path.is_file():
        with suppress(OSError):
            return () if is_written(path) else _marks([path])
    folder = RunFolder(path)
    return _marks([folder.journal, folder.standing, folder.spec, path / "lock"])


def _marks(files: Sequence[Path]) -> Mark:
    marks = []
    for file in files:
        with suppress(OSError):
            seen = file.stat()
            marks.append((seen.st_ino, seen.st_size, seen.st_mtime_ns))
    return tuple(marks)
