"""Runs, and searches from Python, as a list has them: a line each, and none keeps others from being told.

How a run stands is read where whoever works on it writes that, or wrote it when it ended, and else from its
journal, as `status` does; nothing is fitted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.report.following.last_standing import last_standing, why_cut_short
from orchestrator.report.following.listed_run import DAMAGED, UNREADABLE, ListedRun, listed_run
from orchestrator.report.following.lying_there import lying_in
from orchestrator.report.following.runs import FollowedRun, find_kept, read_run
from orchestrator.report.following.standing import Standing, standing_of, written_standing
from orchestrator.report.words.wording import first_line
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.journal import DamagedJournalError, JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import RunStarted
from orchestrator.search_files.reading import DamagedStoreError
from orchestrator.spec.model import Spec
from orchestrator.spelling import did_you_mean
from orchestrator.system.shell_lines import shell_line


def listed_runs(named: Sequence[Path], logs: Path, experiment: str | None = None) -> list[ListedRun]:
    """Those `lying_in` what is named, the newest first; of an ``experiment`` alone, if one is said.

    Raises UsageError where there is none.
    """
    return newest_first(map(listed, RunsMeant(named, logs, experiment).paths()))


@dataclass(slots=True)
class RunsMeant:
    """Those ``named``, or that lie under ``logs``, of an ``experiment`` alone, if one is said. Asked again,
    there may be more: those that began since.
    """

    named: Sequence[Path]
    logs: Path
    experiment: str | None = None
    _experiments: dict[Path, str | None] = field(init=False, default_factory=dict)

    def paths(self) -> list[Path]:
        """Where they lie. Raises UsageError where there is none."""
        there = lying_in(self.named, self.logs)
        if self.experiment is None:
            return there
        for path in there:
            # Of one that could not be read that may be told by now.
            if self._experiments.get(path) is None:
                self._experiments[path] = _experiment_of(path)
        if chosen := [path for path in there if self._experiments[path] == self.experiment]:
            return chosen
        known = list(dict.fromkeys(one for one in self._experiments.values() if one is not None))
        near = did_you_mean(self.experiment, known) or (f"; there are: {', '.join(known)}" if known else "")
        raise UsageError(
            f"expected the name of an experiment that has runs there, got {self.experiment}{near}"
        )


def _experiment_of(path: Path) -> str | None:
    """By its spec alone; None of a search from Python, and where that cannot be read."""
    # Whatever keeps it from being read is told where it is listed.
    with suppress(Exception):
        return read_spec(RunFolder(path)).spec.experiment if path.is_dir() else None
    return None


def newest_first(runs: Iterable[ListedRun]) -> list[ListedRun]:
    """By when they began, or, where that cannot be told, by when something in their folders was made."""
    return sorted(runs, key=lambda run: (-_begun(run), run.name))


def _begun(run: ListedRun) -> float:
    if run.begun is not None:
        return run.begun.timestamp()
    with suppress(OSError):
        return run.path.stat().st_mtime
    return 0.0


def listed(path: Path) -> ListedRun:
    """A run or a search as it stands now: where it cannot be read, that it cannot, and why."""
    try:
        return _listed(path)
    except Exception as error:
        return _in_trouble(path, error)


def listed_with(path: Path) -> tuple[ListedRun, FollowedRun | None]:
    """The same, and the run with every event that its journal holds, where that can be read."""
    try:
        run = read_run(RunFolder(path) if path.is_dir() else find_kept(str(path), path.parent))
        return listed_as_read(run), run
    except Exception as error:
        return _in_trouble(path, error), None


def listed_again(run: FollowedRun) -> tuple[ListedRun, FollowedRun | None]:
    """A run that was read before, with what came since."""
    try:
        run.catch_up()
        return listed_as_read(run), run
    except Exception as error:
        return _in_trouble(run.folder.path, error), None


def listed_as_read(run: FollowedRun) -> ListedRun:
    """By its journal, or its file, which was read."""
    holder = run.folder.holder()
    standing = standing_of(run, holder)
    if isinstance(run.folder, RunFolder):
        return _told(run.folder, run.spec, standing, by_journal=holder is None)
    return listed_run(run.folder.name, run.folder.path, run.spec, standing.view, _time(run.folder.begun))


def _listed(path: Path) -> ListedRun:
    if not path.is_dir():
        return listed_as_read(read_run(find_kept(str(path), path.parent)))
    folder = RunFolder(path)
    if (path / "lock").is_file() and not folder.journal.is_file():
        return ListedRun(folder.name, path, "interrupted", "it ended before it had begun")
    holder = folder.holder()
    standing = written_standing(folder, holder) if holder is not None else last_standing(folder)
    if standing is None:
        return listed_as_read(read_run(folder))
    return _told(folder, read_spec(folder).spec, standing, by_journal=False)


def _told(folder: RunFolder, spec: Spec, standing: Standing, *, by_journal: bool) -> ListedRun:
    """``by_journal``: nobody works on it, and its journal was gone through."""
    told = listed_run(folder.name, folder.path, spec, standing.view, _began(folder))
    cut_short = why_cut_short(folder, standing) if by_journal else ""
    if not cut_short:
        return told
    examined = shell_line("fsck", folder.path)
    return replace(told, state=DAMAGED, why=f"the journal is cut short: {cut_short}. See: {examined}")


def _in_trouble(path: Path, error: Exception) -> ListedRun:
    """What can be said of one that cannot be read, whatever was raised: a list is of all the others, too."""
    damaged = isinstance(error, DamagedJournalError | DamagedStoreError)
    why = first_line(str(error)) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        why = f"expected to read {error.filename or path}, got: {error.strerror}"
    if not isinstance(error, OrchestratorError | OSError):
        why = f"{type(error).__name__}: {why}; {shell_line('status', path)} says more"
    amiss = ListedRun(path.resolve().name, path, DAMAGED if damaged else UNREADABLE, why)
    if os.path.isfile(path):
        return replace(amiss, of_python=True)
    # Whatever is wrong with it may be wrong here, too.
    with suppress(Exception):
        spec = read_spec(RunFolder(path)).spec
        named = replace(amiss, experiment=spec.experiment, algorithm=spec.algorithm.name)
        amiss = replace(named, seed=spec.seed, objective=spec.objective.name)
    with suppress(Exception):
        amiss = replace(amiss, begun=_began(RunFolder(path)))
    return amiss


def _began(folder: RunFolder) -> datetime | None:
    first = next(iter(JournalReader(folder.journal)), None)
    return _time(first.wall) if isinstance(first, RunStarted) else None


def _time(told: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(told).astimezone()
    return None
