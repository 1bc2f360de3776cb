"""The journal: an append-only file of events, one a line, each with its checksum, safe on disk before use.

A line is as `checked_lines` has them. The first one, number 0, is a header that names the format. An append
log, and not a database: one writer, network file systems, and `jq`.
"""

from __future__ import annotations

import errno
import os
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.unwritable import unwritable
from orchestrator.scheduler.events import Event
from orchestrator.system.checked_lines import Damage, Record, checked_line, record_in
from orchestrator.system.disk import DISK, Disk, remedy
from orchestrator.system.shell_lines import shell_line
from orchestrator.version import __version__

FORMAT = 1
WRITTEN_AGAIN = 1 << 26
"""Bytes at a journal's end that a new life writes once more: many times the largest commit."""
_EVENTS: dict[str, Any] = {kind.__name__: kind for kind in typing.get_args(Event)}


@dataclass(frozen=True, slots=True)
class Header:
    """What line 0 says; ``spec`` is the text that the run began with, none in journals of old."""

    format: int
    software: str
    spec: str = ""


_encoder = msgspec.json.Encoder()
_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    name: msgspec.json.Decoder(kind) for name, kind in {**_EVENTS, "Header": Header}.items()
}


def encode_line(number: int, event: Event | Header) -> bytes:
    """One line of the journal, with its line feed."""
    return checked_line(Record(number, type(event).__name__, msgspec.Raw(_encoder.encode(event))))


class UnknownEvent(Damage):
    """A sound line with a kind of event that this version does not have; ``kind`` is its name."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"it holds a {kind}, which this version does not know")
        self.kind = kind


class DamagedJournalError(JournalError):
    """Lines of the journal are not what was written."""


def decode_line(line: bytes, number: int) -> Event | Header:
    """The event of line ``number``, given without its line feed. Raises `Damage`, or an `UnknownEvent`."""
    record = record_in(line, number)
    if record.event not in _decoders:
        raise UnknownEvent(record.event)
    try:
        event: Event | Header = _decoders[record.event].decode(record.data)
    except msgspec.DecodeError as error:
        raise Damage(f"it is no event: {error}") from None
    return event


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds. ``length`` is the bytes up to the end of the last whole line."""

    events: tuple[Event, ...]
    length: int


def read_journal(path: Path) -> Reading:
    """Every event of a journal.

    A last line that is torn is left out: one without its line feed, or with parts that never
    reached the disk, which read as zeros. Raises `JournalError`, with the line's number, if any other line
    is damaged, or the last one in any other way: it may hold what was acknowledged.
    """
    reader = JournalReader(path)
    events = tuple(reader)
    return Reading(events, reader.length)


def read_header(path: Path) -> Header | None:
    """What line 0 says; None where it cannot be read, is damaged, or is of another format."""
    try:
        with path.open("rb") as file:
            header = decode_line(file.readline().removesuffix(b"\n"), 0)
    except (OSError, Damage):
        return None
    return header if isinstance(header, Header) and header.format == FORMAT else None


class JournalReader:
    """Iterates over the events of a journal; iterate again for those appended since.

    Attributes:
        lines: whole lines read, the header among them.
        length: bytes read, up to the end of the last whole line.
    """

    def __init__(self, path: Path, disk: Disk = DISK) -> None:
        self._path = path
        self._disk = disk
        self.lines = 0
        self.length = 0

    @property
    def size(self) -> int:
        """Bytes that are there now; -1 where there is no file."""
        return self._path.stat().st_size if self._path.exists() else -1

    def __iter__(self) -> Iterator[Event]:
        try:
            file, size = self._disk.reader(self._path)
        except OSError as error:
            what_to_do = "Name the folder of a run, as in logs/<experiment>-<date>-<time>."
            if isinstance(error, PermissionError):
                what_to_do = "Have it made readable."
            raise JournalError(
                f"expected a journal at {self._path}, got: {error.strerror}. {what_to_do}"
            ) from None
        with file:
            file.seek(self.length)
            for line in file:
                event = self._event(line, last=self.length + len(line) >= size)
                if event is None:
                    break
                self.lines += 1
                self.length += len(line)
                if not isinstance(event, Header):
                    yield event

    def _event(self, line: bytes, *, last: bool) -> Event | Header | None:
        if not line.endswith(b"\n"):
            return None
        try:
            event = decode_line(line[:-1], self.lines)
        except UnknownEvent as unknown:
            raise JournalError(
                f"{self._path}: line {self.lines + 1}: expected an event that version {__version__} knows, "
                f"got a {unknown.kind}. Nothing was changed. Use the version that wrote it"
            ) from None
        except Damage as damage:
            if last and b"\0" in line:
                return None
            raise DamagedJournalError(
                f"{self._path}: line {self.lines + 1} is damaged: {damage}. Nothing was changed. "
                f"See what can be saved: {shell_line('fsck', self._path.parent)}"
            ) from None
        if isinstance(event, Header) and event.format != FORMAT:
            raise JournalError(
                f"{self._path}: expected journal format {FORMAT}, got {event.format}, written by "
                f"{event.software}. Use that version to continue the run."
            )
        return event


class JournalWriter:
    """Appends events to a journal. `append` only remembers; `commit` makes everything remembered safe.

    Not thread-safe but for one thing: `append` may be called while a `commit` runs in another thread.
    """

    def __init__(
        self,
        path: Path,
        *,
        length: int,
        next_number: int,
        disk: Disk = DISK,
        guard: Callable[[], None] = lambda: None,
    ) -> None:
        """Continue a journal after its first ``length`` bytes; anything behind them is cut off.

        ``guard`` is called before each commit, and raises an `OrchestratorError` where nothing may be written
        any more. Raises `JournalError` if the file cannot be opened for writing.
        """
        self._number = next_number
        self._guard = guard
        self._waiting: list[bytes] = []
        self._path = path
        self._disk = disk
        try:
            self._descriptor = disk.open(path, at_end=True)
            disk.cut(self._descriptor, length)
            self._write_end_again(length)
        except OSError as error:
            raise unwritable(path, error) from None
        self._length = length
        self._trusted = True
        # Some file systems do not count names.
        self._counts_names = disk.named(self._descriptor)

    def _write_end_again(self, length: int) -> None:
        """Have the first commit sync what the last life left as well.

        Its last sync may have failed. Then the system takes those bytes for written, shows them to whoever
        reads, and forgets them when the power fails: unless they are written again.
        """
        if not length:
            return
        place = max(0, length - WRITTEN_AGAIN)
        file, _ = self._disk.reader(self._path)
        with file:
            file.seek(place)
            end = file.read(length - place)
        descriptor = self._disk.open(self._path)
        try:
            while end:
                written = self._disk.write(descriptor, end, place)
                place, end = place + written, end[written:]
        finally:
            self._disk.close(descriptor)

    @classmethod
    def create(
        cls,
        path: Path,
        software: str,
        disk: Disk = DISK,
        spec: str = "",
        guard: Callable[[], None] = lambda: None,
    ) -> JournalWriter:
        """A new journal, with its header, and so the text of the run's spec, on disk."""
        if disk.exists(path):
            raise JournalError(f"expected no journal at {path}, and there is one. Use: orchestrator resume")
        writer = cls(path, length=0, next_number=0, disk=disk, guard=guard)
        writer._remember(Header(FORMAT, software, spec))
        writer.commit()
        try:
            disk.sync_directory(path.parent)
        except OSError as error:
            writer.close()
            raise JournalError(
                f"expected to make {path} safe on disk, got: {error.strerror}. Nothing was started. Name "
                "another folder: orchestrator run SPEC --logs DIR"
            ) from None
        return writer

    @property
    def place(self) -> Path | None:
        """The file as it is called now; None where it was moved, and the system does not tell where to."""
        return self._disk.place_of(self._descriptor, self._path)

    def confirm(self) -> None:
        """Have the disk confirm what the last life left, which the first commit does as well.

        Raises `JournalError` if it does not.
        """
        try:
            self._disk.sync(self._descriptor)
        except OSError as error:
            raise JournalError(
                f"expected to make {self._path} safe on disk, got: {error.strerror}. Nothing was changed. "
                "Look to the disk, then say the same again"
            ) from None

    def append(self, events: Sequence[Event]) -> None:
        """Remember events for the next commit."""
        for event in events:
            self._remember(event)

    def _remember(self, event: Event | Header) -> None:
        self._waiting.append(encode_line(self._number, event))
        self._number += 1

    def commit(self) -> None:
        """Write everything remembered and have the disk confirm it. Raises `JournalError` if it does not.

        After a failure the journal ends where it ended before, so that no half of a commit is believed, and
        what was remembered is forgotten. Where the disk refuses even to be cut, every later commit fails.
        So it is where the file was deleted meanwhile, but what it held, this commit included, is put back.
        """
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        self._guard()
        block = memoryview(b"".join(waiting))
        try:
            if not self._trusted:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            written = 0
            while written < len(block):
                written += self._disk.append(self._descriptor, block[written:])
            self._disk.sync(self._descriptor)
        except OSError as error:
            self._number -= len(waiting) + len(self._waiting)
            self._waiting = []
            self._cut()
            place = self.place or self._path
            raise JournalError(
                f"expected to write {len(block)} bytes to {place}, got: {error.strerror}. Nothing that "
                f"was acknowledged is lost. {remedy(error)}, then: {shell_line('resume', place.parent)}"
            ) from error
        self._length += len(block)
        if self._counts_names and not self._disk.named(self._descriptor):
            self._trusted = False
            raise JournalError(self._put_back())

    def _put_back(self) -> str:
        """Give what was written to a file without a name a name again; what is to be said of it."""
        folder = self._path.parent
        happened = f"{self._path} was deleted, or another file put in its place, while the run went on"
        again = shell_line("resume", folder)
        taken = self._disk.exists(self._path)
        place = self._path.with_name(f"{self._path.name}.deleted") if taken else self._path
        try:
            self._disk.make_directory(folder)
            self._disk.copy_open(self._descriptor, place)
            self._disk.sync_directory(folder)
        except OSError as error:
            return f"{happened}, and what it held cannot be put back: {error.strerror}"
        if taken:
            return f"{happened}. What it held is in {place}: give it its name back, then: {again}"
        return f"{happened}. What it held was put back, and nothing that was acknowledged is lost: {again}"

    def _cut(self) -> None:
        try:
            self._disk.cut(self._descriptor, self._length)
        except OSError:
            # A resume cuts the line that is torn. Whole ones before it count: they did happen.
            self._trusted = False

    def close(self) -> None:
        """Close the file. What was not committed is dropped."""
        self._disk.close(self._descriptor)
