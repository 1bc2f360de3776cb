"""The file that a search is kept in: append-only, an event a line, on disk before anything acts on it.

One process writes to it at a time. Where its writer was killed, the line that was being written may be torn,
and is cut off.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import weakref
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from orchestrator.errors import StoreError
from orchestrator.search_files.events import (
    FORMAT,
    Began,
    Event,
    Opened,
    UnknownEvent,
    decode_event,
    encode_event,
)
from orchestrator.search_files.problem import differences
from orchestrator.system.checked_lines import Damage
from orchestrator.system.disk import DISK, remedy

_BEGINNING = b'{"crc":"'
_ANOTHER = "Nothing was changed. Name another file, for a search of its own"

_held: weakref.WeakValueDictionary[tuple[int, int], StoreFile] = weakref.WeakValueDictionary()
"""Those that this process has locked, by device and inode: a lock is the process's, and so is this."""


class StoreFile:
    """One that is open, of a ``problem``; ``events`` is what it held then, the first line left out.

    Taken from another one of this process that has it open, as a cell of a notebook that is run again does.
    Raises StoreError where the file cannot be read or written, is none of a search or of another problem's,
    is damaged, or is open in another process.
    """

    def __init__(self, path: Path, problem: Mapping[str, Any]) -> None:
        self.path = path.absolute()
        self._descriptor: int | None = None
        self._process = os.getpid()
        descriptor = self._locked()
        try:
            lines = self._lines()
            self.events = self._read(lines, problem)
            self._number = len(lines)
            self._length = sum(map(len, lines))
            # What is torn.
            DISK.cut(descriptor, self._length)
            if not lines:
                self.write(Began(FORMAT, version("orchestrator"), problem))
                DISK.sync_directory(self.path.parent)
            now = datetime.now().astimezone().isoformat(timespec="seconds")
            self.write(Opened(now, socket.gethostname(), os.getpid()))
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
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise StoreError(
                f"{self.path} is being written by {self._writer()}. Wait until its search has ended, end that"
                " process, or name another file: two searches in one would be neither"
            ) from None
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
        """Who had it opened last."""
        with suppress(OSError, Damage):
            lines = self.path.read_bytes().splitlines()
            for number in reversed(range(len(lines))):
                if b'"event":"Opened"' in lines[number]:
                    opened = decode_event(lines[number], number)
                    if isinstance(opened, Opened):
                        return f"process {opened.pid} on {opened.host}"
        return "another process"

    def _lines(self) -> list[bytes]:
        """The whole lines of the file, with their line feeds."""
        file, size = DISK.reader(self.path)
        with file:
            lines = file.read(size).splitlines(keepends=True)
        if lines and not lines[0].startswith(_BEGINNING[: len(lines[0])]):
            raise StoreError(
                f"expected at {self.path} a file that a search was kept in, or none, got another one."
                f" {_ANOTHER}"
            )
        # Parts of a line that never reached the disk read as zeros.
        if lines and (not lines[-1].endswith(b"\n") or b"\0" in lines[-1]):
            del lines[-1]
        return lines

    def _read(self, lines: list[bytes], problem: Mapping[str, Any]) -> tuple[Event, ...]:
        events = []
        for number, line in enumerate(lines):
            try:
                events.append(decode_event(line.removesuffix(b"\n"), number))
            except UnknownEvent as unknown:
                raise StoreError(
                    f"{self.path}: line {number + 1}: {unknown}. Nothing was changed. Use the version that"
                    " wrote it"
                ) from None
            except Damage as damage:
                raise StoreError(
                    f"{self.path}: line {number + 1} is damaged: {damage}. Nothing was changed. The lines"
                    f" before it are a search that can be gone on with: head -n {number} FILE > ANOTHER"
                ) from None
        if not events:
            return ()
        began, *others = events
        if not isinstance(began, Began) or began.format != FORMAT:
            raise StoreError(
                f"expected at {self.path} a search in format {FORMAT}, got another file. {_ANOTHER}"
            )
        if found := list(differences(began.problem, problem)):
            raise StoreError(
                f"{self.path} keeps the search of another problem: {'; '.join(found)}. {_ANOTHER}, or say the"
                " same"
            )
        return tuple(others)

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
