"""The file that a search is kept in: append-only, an event a line, on disk before anything acts on it.

One process writes to it at a time. Where its writer was killed, the line that was being written may be torn,
and is cut off.
"""

from __future__ import annotations

import errno
import os
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from orchestrator.errors import StoreError
from orchestrator.search_files.events import FORMAT, Began, Event, Opened, encode_event
from orchestrator.search_files.reading import events_in, last_opened, refuse_another, whole_lines
from orchestrator.system.disk import DISK, remedy
from orchestrator.system.file_locks import taken
from orchestrator.version import __version__

_held: weakref.WeakValueDictionary[tuple[int, int], StoreFile] = weakref.WeakValueDictionary()
"""Those that this process has locked, by device and inode: a lock is the process's, and so is this."""


class StoreFile:
    """One that is ``opened``, of a ``problem``; ``events`` is what it held then, the first line left out.

    Taken from another one of this process that has it open, as a cell of a notebook that is run again does.
    Raises StoreError where the file cannot be read or written, is none of a search or of another problem's,
    is damaged, or is open in another process.
    """

    def __init__(self, path: Path, problem: Mapping[str, Any], opened: Opened) -> None:
        self.path = path.absolute()
        self._descriptor: int | None = None
        self._process = os.getpid()
        descriptor = self._locked()
        try:
            lines = whole_lines(self.path)
            began, self.events = events_in(lines, self.path)
            refuse_another(self.path, began, problem)
            self._number = len(lines)
            self._length = sum(map(len, lines))
            # What is torn.
            DISK.cut(descriptor, self._length)
            if not lines:
                self.write(Began(FORMAT, __version__, problem))
                DISK.sync_directory(self.path.parent)
            self.write(opened)
        except OSError as error:
            self.close()
            raise self._refused(error) from None
        except BaseException:
            self.close()
            raise
        # A child that is forked, as those of an executor, would keep the lock beyond this process's end.
        reference = weakref.ref(self)
        os.register_at_fork(after_in_child=lambda: _left_to_parent(reference))

    def write(self, *events: Event) -> None:
        """Events, on disk once this returns. Raises StoreError where they are not: they did not happen."""
        if os.getpid() != self._process:
            raise StoreError(
                f"{self.path} is written by process {self._process}, and this is another one, which was"
                " forked from it: tell there what came of a trial"
            )
        descriptor = self._descriptor
        if descriptor is None:
            raise StoreError(
                f"{self.path} was let go of: its search has ended, it was closed, or another Optimiser of"
                " this process has taken it. Open it anew, by the same arguments, to go on there"
            )
        lines = b"".join(encode_event(number, event) for number, event in enumerate(events, self._number))
        block = memoryview(lines)
        try:
            while block:
                block = block[DISK.append(descriptor, block) :]
            DISK.sync(descriptor)
        except OSError as error:
            with suppress(OSError):
                # What was only half written.
                DISK.cut(descriptor, self._length)
            raise self._refused(error) from None
        self._number += len(events)
        self._length += len(lines)
        if not DISK.named(descriptor):
            raise StoreError(self._put_back(descriptor))

    @property
    def is_open(self) -> bool:
        """Whether it can be written to."""
        return self._descriptor is not None

    def close(self) -> None:
        """Others may have it from now on."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            self._closing.detach()
            os.close(descriptor)

    def _locked(self) -> int:
        """The descriptor of the file, which no other process has then."""
        try:
            descriptor = DISK.open(self.path, at_end=True)
        except OSError as error:
            raise self._refused(error) from None
        opened = os.fstat(descriptor)
        if (other := _held.get((opened.st_dev, opened.st_ino))) is not None:
            other.close()
        try:
            if not taken(descriptor):
                os.close(descriptor)
                raise StoreError(
                    f"{self.path} is being written by {self._writer()}. Wait until its search has ended, end"
                    " that process, or name another file: two searches in one would be neither"
                )
        except OSError as error:
            os.close(descriptor)
            raise StoreError(
                f"expected a file system that can lock files at {self.path}, got: {error.strerror}. Name a"
                " file elsewhere"
            ) from None
        self._descriptor = descriptor
        self._closing = weakref.finalize(self, os.close, descriptor)
        _held[opened.st_dev, opened.st_ino] = self
        return descriptor

    def _writer(self) -> str:
        opened = last_opened(self.path)
        return "another process" if opened is None else f"process {opened.pid} on {opened.host}"

    def _put_back(self, descriptor: int) -> str:
        """Give what was written to a file without a name a name again; what is to be said of it."""
        happened = f"{self.path} was deleted, or another file put in its place, while the search went on"
        taken = DISK.exists(self.path)
        place = self.path.with_name(f"{self.path.name}.deleted") if taken else self.path
        try:
            DISK.copy_open(descriptor, place)
        except OSError as error:
            return f"{happened}, and what it held cannot be put back: {error.strerror}"
        finally:
            self.close()
        return f"{happened}. What it held is in {place}, and goes on from there by the same arguments"

    def _refused(self, error: OSError) -> StoreError:
        if error.errno == errno.ENOENT:
            to_do = "Make its folder, or name another one"
        elif error.errno == errno.EISDIR:
            to_do = "Name a file in it"
        else:
            to_do = f"{remedy(error)}, or name another file"
        return StoreError(f"expected to keep the search in {self.path}, got: {error.strerror}. {to_do}")


def _left_to_parent(reference: weakref.ref[StoreFile]) -> None:
    """In a child that was forked."""
    if (store := reference()) is not None:
        store.close()
