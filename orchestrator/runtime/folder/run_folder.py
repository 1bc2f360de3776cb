"""A run's folder, `logs/<experiment>-<date>-<time>/`: what lies where, and the lock that keeps it single.

spec.yaml      the spec as it was given, to the letter, with the tables in it that describe choices
journal.jsonl  every event
standing.json  how it stands at the moment, while an orchestrator works on it, and how it stood at its end
run.log        what the orchestrator said
trials/NNNN/   what an evaluation printed
"""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from orchestrator.errors import JournalError, RunLockedError, UsageError
from orchestrator.runtime.folder.held_lock import HeldLock
from orchestrator.runtime.folder.lock_words import is_elsewhere, words_in
from orchestrator.runtime.folder.unseen_writer import claimed_by_another, is_written, was_written_of_late
from orchestrator.runtime.folder.unwritable import unwritable
from orchestrator.system.disk import DISK
from orchestrator.system.file_locks import is_held, taken
from orchestrator.system.shell_lines import shell_line

_ACCENTS = dict.fromkeys(range(0x0300, 0x0370))
"""The characters that stand above or below the one before them."""
_IF_IT_IS_GONE = (
    ". Where that machine is gone for good, and the file server keeps its lock all the same, copy the folder "
    "and resume the copy"
)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The paths of one run."""

    path: Path

    @property
    def spec(self) -> Path:
        """The spec's text, verbatim but for tables, which stand in it."""
        return self.path / "spec.yaml"

    @property
    def journal(self) -> Path:
        """The events."""
        return self.path / "journal.jsonl"

    @property
    def standing(self) -> Path:
        """How the run stands at the moment, written while an orchestrator works on it; and how it ended."""
        return self.path / "standing.json"

    @property
    def log(self) -> Path:
        """What the orchestrator said, line by line."""
        return self.path / "run.log"

    @property
    def report(self) -> Path:
        """Its page, where one is written."""
        return self.path / "report.html"

    @property
    def name(self) -> str:
        """The run's name: its folder's, which the path need not end with, as `.` does not."""
        return self.path.resolve().name

    @classmethod
    def create(cls, logs: Path, experiment: str, now: datetime) -> RunFolder:
        """A new folder under ``logs``, and that if need be. Raises `JournalError` if it cannot be made."""
        # An é is an e and its accent.
        letters = unicodedata.normalize("NFKD", experiment).translate(_ACCENTS)
        slug = re.sub(r"[^A-Za-z0-9_.-]+", "-", letters).strip("-.") or "run"
        stem = f"{slug}-{now:%Y%m%d-%H%M%S}"
        for suffix in ["", *(f"-{k}" for k in range(2, 1000))]:
            path = logs / (stem + suffix)
            try:
                before = next((folder for folder in path.parents if folder.exists()), path.parent)
                path.mkdir(parents=True)
                _sync_names(path, before)
            except OSError as error:
                if isinstance(error, FileExistsError) and os.path.lexists(path):
                    continue
                # Or ``logs`` is a link to what is not there, which Python says exists.
                raise JournalError(
                    f"expected to make the run's folder {path}, got: {error.strerror}. Name a folder that "
                    "can be written: orchestrator run SPEC --logs DIR"
                ) from None
            return cls(path)
        raise JournalError(f"expected a free name for a run under {logs}, got a thousand taken ones.")

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """An existing run. Raises `UsageError` if there is none, or one that was killed before it had a
        journal.
        """
        folder = cls(path)
        # The lock comes first of all, and the log after the journal.
        locked = (path / "lock").is_file() and not folder.log.exists()
        if locked and not folder.journal.exists() and folder.holder() is None:
            raise UsageError(
                f"expected a run that had begun in {path}, got one that was killed before: nothing was"
                " evaluated. Start it again from your own spec, as the one there may be cut short:"
                " orchestrator run SPEC"
            )
        if not folder.journal.is_file() or not folder.spec.is_file():
            raise UsageError(
                f"expected the folder of a run, with spec.yaml and journal.jsonl, got {path}. "
                "Runs lie under logs/, one folder each."
            )
        return folder

    def write_spec(self, text: str) -> None:
        """Keep the spec, safe on disk. Raises `JournalError` if it cannot be written."""
        try:
            with self.spec.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                DISK.sync_all(file.fileno())
            DISK.sync_directory(self.path)
        except OSError as error:
            raise JournalError(
                f"expected to write {self.spec}, got: {error.strerror}. Nothing was started. Make room, or "
                "name another folder: orchestrator run SPEC --logs DIR"
            ) from None

    def lock(self) -> HeldLock:
        """Keep every other orchestrator out until what is returned is closed.

        Where another machine was the last to work on the run, it is watched for some seconds whether that
        goes on, as a file system may keep locks to each machine. Raises `RunLockedError` with the host and
        process that holds the run.
        """
        try:
            file = (self.path / "lock").open("a+", encoding="utf-8", errors="replace")
        except OSError as error:
            raise JournalError(
                f"expected to write to {self.path}, got: {error.strerror}. A run's folder must be writable "
                "to be continued; `status`, `trials` and `export` work without."
            ) from None
        try:
            ours = taken(file)
        except OSError as error:
            file.close()
            raise JournalError(
                f"expected a file system that can lock files at {self.path}, got: {error.strerror}. Without "
                "a lock two orchestrators could write to one run. Mount it with locks (Lustre: -o flock), "
                "or name another folder: orchestrator run SPEC --logs DIR"
            ) from None
        if not ours:
            file.seek(0)
            holder, elsewhere = _words_for(file.read())
            file.close()
            raise RunLockedError(
                f"{self.path} is being written by {holder}. "
                f"Watch it from here: {shell_line('watch', self.path)}{_IF_IT_IS_GONE if elsewhere else ''}"
            ) from None
        file.seek(0)
        told = file.read()
        before_elsewhere = is_elsewhere(words_in(told))
        if before_elsewhere and is_written(self.standing):
            file.close()
            raise RunLockedError(
                f"{self.path} is being written by {_words_for(told)[0]}, though its lock is not seen "
                "from here: this file system keeps locks to each machine (as sshfs does, Lustre with "
                "-o localflock, NFS with -o nolock). Stop the run there before it is resumed here"
            )
        held = HeldLock(self.path / "lock", file)
        if before_elsewhere and (another := claimed_by_another(self.path / "lock", held.words)) is not None:
            held.close()
            raise RunLockedError(
                f"{self.path} was taken by process {another['pid']} on {another['host']} in the same moment. "
                f"Watch it from here: {shell_line('watch', self.path)}"
            )
        return held

    def hold_journal(self) -> IO[bytes]:
        """Keep every other writer off the journal for as long as the file returned stays open.

        The lock does so, unless somebody took it for one that was left behind, and deleted it. Raises
        `RunLockedError` if there is another writer, `JournalError` if the journal cannot be written.
        """
        try:
            file = self.journal.open("r+b")
        except OSError as error:
            raise unwritable(self.journal, error) from None
        if not taken(file):
            file.close()
            raise RunLockedError(
                f"{self.journal} is being written by another process, though the file `lock` beside it was "
                f"deleted. Watch it from here: {shell_line('watch', self.path)}"
            )
        return file

    def holder(self) -> dict[str, object] | None:
        """The host and process that works on the run now, or None if nobody does.

        Empty where it is not known who does, as where the lock was deleted and the journal is held. Whose
        lock is not seen from here, as with sshfs, is known by what it wrote in the last seconds.
        """
        named: dict[str, object] = {}
        with suppress(OSError), (self.path / "lock").open(encoding="utf-8", errors="replace") as file:
            held = is_held(file)
            named = words_in(file.read())
            if held:
                return named
        with suppress(OSError), self.journal.open("rb") as file:
            if is_held(file):
                return {}
        return named if is_elsewhere(named) and was_written_of_late(self.standing) else None


def _sync_names(made: Path, before: Path) -> None:
    """Make the names durable of ``made`` and of what was made above it: ``before`` was there already."""
    for folder in made.parents:
        DISK.sync_directory(folder)
        if folder == before:
            return


def _words_for(lock: str) -> tuple[str, bool]:
    """Who holds a lock, and whether that is on another machine."""
    named = words_in(lock)
    if "pid" not in named or "host" not in named:
        return "another process", False
    return f"process {named['pid']} on {named['host']}", is_elsewhere(named)
