"""A disk that fails under the journal: it stays as it was, what failed is said, and a later life goes on."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from journal_events import a_few_events, journal_of

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.journal import JournalReader, JournalWriter, read_journal
from orchestrator.scheduler.events import Event
from orchestrator.system.disk import Disk


def failing(call: Callable[..., Any], error: int) -> Callable[..., Any]:
    """A system call that fails once, halfway if it is a write, and works ever after."""
    failures = iter([error])

    def perform(descriptor: int, *arguments: Any) -> Any:
        number = next(failures, None)
        if number is None:
            return call(descriptor, *arguments)
        if isinstance(arguments[0] if arguments else None, memoryview):
            call(descriptor, bytes(arguments[0])[: len(arguments[0]) // 2])
        raise OSError(number, os.strerror(number))

    return perform


@pytest.mark.parametrize(("call", "error"), [("write", errno.ENOSPC), ("fdatasync", errno.EIO)])
def test_a_commit_that_fails_leaves_the_journal_as_it_was_and_a_later_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: int
) -> None:
    path = tmp_path / "journal.jsonl"
    events = a_few_events()
    writer = journal_of(path, events[:2])
    before = path.read_bytes()
    monkeypatch.setattr(os, call, failing(getattr(os, call), error))
    writer.append(events[2:4])
    with pytest.raises(JournalError) as failure:
        writer.commit()
    assert os.strerror(error) in str(failure.value)
    assert "orchestrator resume" in str(failure.value)
    assert path.read_bytes() == before
    writer.append(events[4:])
    writer.commit()
    writer.close()
    assert read_journal(path).events == (*events[:2], *events[4:])


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (errno.ENOSPC, "Make room"),
        (errno.EDQUOT, "Make room"),
        (errno.EROFS, "Have it made writable"),
        (errno.EPERM, "Have it made writable"),
        (errno.EFBIG, "Allow larger files"),
        (errno.EIO, "Look to the disk"),
    ],
    ids=errno.errorcode.get,
)
def test_what_would_help_is_said_of_each_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, remedy: str
) -> None:
    writer = journal_of(tmp_path / "journal.jsonl", a_few_events()[:2])
    monkeypatch.setattr(os, "write", failing(os.write, error))
    writer.append(a_few_events()[2:4])
    with pytest.raises(JournalError, match=f"{remedy}.*, then: orchestrator resume"):
        writer.commit()
    writer.close()


def test_a_disk_that_refuses_even_to_cut_is_not_written_to_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    events = a_few_events()
    writer = journal_of(path, events[:2])
    monkeypatch.setattr(os, "write", failing(os.write, errno.EIO))
    monkeypatch.setattr(os, "ftruncate", failing(os.ftruncate, errno.EIO))
    writer.append(events[2:3])
    with pytest.raises(JournalError):
        writer.commit()
    writer.append(events[3:])
    with pytest.raises(JournalError):
        writer.commit()
    writer.close()
    assert read_journal(path).events == tuple(events[:2])


def test_a_new_life_has_its_first_commit_sync_what_the_last_one_left(tmp_path: Path) -> None:
    """Its last sync may have failed: the system takes such bytes for written until they are again."""

    class Recorder(Disk):
        written: typing.ClassVar[list[tuple[bytes, int]]] = []

        def write(self, descriptor: int, block: bytes, offset: int) -> int:
            # As short as a write may come.
            count = super().write(descriptor, block[:100], offset)
            self.written.append((block[:count], offset))
            return count

    path = tmp_path / "journal.jsonl"
    events = a_few_events()
    journal_of(path, events[:3]).close()
    before = path.read_bytes()
    path.write_bytes(before + b'{"crc":"to')
    writer = JournalWriter(path, length=len(before), next_number=4, disk=Recorder())
    assert b"".join(block for block, _ in Recorder.written) == before
    assert [offset for _, offset in Recorder.written] == list(range(0, len(before), 100))
    assert path.read_bytes() == before
    writer.append(events[3:])
    writer.commit()
    writer.close()
    assert read_journal(path).events == tuple(events)


def test_a_folder_that_cannot_be_synced_is_said_in_words(tmp_path: Path) -> None:
    class Failing(Disk):
        def sync_directory(self, path: Path) -> None:
            del path
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(JournalError, match=r"Input/output error\. Nothing was started"):
        JournalWriter.create(tmp_path / "journal.jsonl", "test", Failing())


def test_a_file_that_may_not_grow_is_a_full_disk(tmp_path: Path) -> None:
    """With a real limit, and so in a process of its own."""
    path = tmp_path / "journal.jsonl"
    journal_of(path, a_few_events()).close()
    before = path.read_bytes()
    program = """
import sys
from pathlib import Path
from orchestrator.errors import JournalError
from orchestrator.runtime.folder.journal import JournalReader, JournalWriter
reader = JournalReader(Path(sys.argv[1]))
events = list(reader)
writer = JournalWriter(Path(sys.argv[1]), length=reader.length, next_number=reader.lines)
writer.append(events)
try:
    writer.commit()
except JournalError as error:
    print(error)
"""
    limit = len(before) + 100
    told = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "File too large" in told.stdout
    assert path.read_bytes() == before


def test_a_journal_that_cannot_be_opened_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").mkdir()
    with pytest.raises(JournalError, match="Is a directory"):
        JournalWriter(tmp_path / "journal.jsonl", length=0, next_number=0)
    with pytest.raises(JournalError, match="expected a journal at"):
        read_journal(tmp_path / "none")

    class Closed(Disk):
        def reader(self, path: Path) -> tuple[BinaryIO, int]:
            raise PermissionError(errno.EACCES, "Permission denied", path)

    with pytest.raises(JournalError, match=r"got: Permission denied\. Have it made readable"):
        list(JournalReader(tmp_path / "journal.jsonl", Closed()))


def test_what_came_while_a_commit_failed_leaves_no_gap_in_the_numbers(tmp_path: Path) -> None:
    """`append` may be called while a commit runs in another thread: what it remembers goes with it."""
    path = tmp_path / "journal.jsonl"
    events = a_few_events()
    journal_of(path, events[:2]).close()

    class FailsOnceMeanwhile(Disk):
        meanwhile: typing.ClassVar[list[Event]] = [events[3]]

        def sync(self, descriptor: int) -> None:
            if self.meanwhile:
                writer.append([self.meanwhile.pop()])
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            super().sync(descriptor)

    length = path.stat().st_size
    writer = JournalWriter(path, length=length, next_number=3, disk=FailsOnceMeanwhile())
    writer.append(events[2:3])
    with pytest.raises(JournalError):
        writer.commit()
    writer.append(events[4:])
    writer.commit()
    writer.close()
    assert read_journal(path).events == (*events[:2], *events[4:])
