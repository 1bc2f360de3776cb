"""Results on disk: torn, damaged, of several runs, on a full disk."""

from __future__ import annotations

import errno
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluators.worker_process.outbox import Outbox, OutboxError, OutboxLockedError
from orchestrator.system.disk import Disk
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Result


def _frame(lease: str, run: str = "r", extra: str = "") -> bytes:
    return encode(Result(run=run, lease=lease, trial=1, value=1.0, extras={"extra": extra}))


def _kept(directory: Path, run: str = "r") -> list[str]:
    outbox = Outbox(directory)
    outbox.begin(run)
    leases = list(outbox.waiting())
    outbox.close()
    return leases


@contextmanager
def _disk_full_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_is_kept_is_read_again_in_order_and_to_the_byte(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    for lease in "abc":
        outbox.keep("r", lease, _frame(lease), durable=lease == "b")
    outbox.acknowledge("b")
    outbox.close()
    again = Outbox(tmp_path)
    again.begin("r")
    assert again.waiting() == {"a": _frame("a"), "c": _frame("c")}


def test_when_all_is_acknowledged_the_file_is_empty(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    for lease in "ab":
        outbox.keep("r", lease, _frame(lease), durable=False)
    outbox.acknowledge("a")
    outbox.acknowledge("b")
    outbox.acknowledge("never kept")
    assert (tmp_path / "outbox.jsonl").stat().st_size == 0


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_line_is_ignored_and_written_over(tmp_path: Path, cut: int) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    outbox.keep("r", "a", _frame("a"), durable=False)
    outbox.keep("r", "b", _frame("b"), durable=False)
    outbox.close()
    path = tmp_path / "outbox.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    again = Outbox(tmp_path)
    again.begin("r")
    assert (list(again.waiting()), again.damaged) == (["a"], 0)
    again.keep("r", "c", _frame("c"), durable=False)
    again.close()
    assert _kept(tmp_path) == ["a", "c"]


def test_a_damaged_line_costs_itself_and_a_copy_is_left_to_look_at(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    for lease in "abc":
        outbox.keep("r", lease, _frame(lease), durable=False)
    outbox.close()
    path = tmp_path / "outbox.jsonl"
    damaged = path.read_bytes().replace(b'"lease":"b"', b'"lease":"x"')
    path.write_bytes(damaged)
    again = Outbox(tmp_path)
    again.begin("r")
    assert (list(again.waiting()), again.damaged) == (["a", "c"], 1)
    assert (tmp_path / "outbox.jsonl.damaged").read_bytes() == damaged


def test_runs_are_kept_apart_whatever_is_acknowledged(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("old")
    outbox.keep("old", "same", _frame("same", "old"), durable=False)
    outbox.begin("new")
    assert outbox.waiting() == {}
    outbox.keep("new", "same", _frame("same", "new"), durable=False)
    outbox.keep("old", "late", _frame("late", "old"), durable=False)
    outbox.acknowledge("same")
    outbox.close()
    assert _kept(tmp_path, "new") == []
    assert _kept(tmp_path, "old") == ["same", "late"]


def test_what_is_set_aside_stays_on_disk_and_is_not_offered_again(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    outbox.keep("r", "a", _frame("a"), durable=False)
    outbox.keep("r", "b", _frame("b"), durable=False)
    outbox.set_aside("a")
    outbox.acknowledge("b")
    assert outbox.waiting() == {}
    outbox.close()
    assert _kept(tmp_path) == ["a"]


def test_a_file_that_is_mostly_acknowledged_does_not_grow_for_ever(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    outbox.keep("r", "stays", _frame("stays"), durable=False)
    for number in range(200):
        outbox.keep("r", str(number), _frame(str(number), extra="x" * 20_000), durable=False)
        outbox.acknowledge(str(number))
    assert (tmp_path / "outbox.jsonl").stat().st_size < 1_200_000
    outbox.close()
    assert _kept(tmp_path) == ["stays"]


def test_on_a_full_disk_the_result_stays_in_memory_and_the_file_stays_whole(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    outbox.keep("r", "a", _frame("a"), durable=False)
    with _disk_full_beyond(300), pytest.raises(OSError, match="No space left"):
        outbox.keep("r", "b", _frame("b", extra="x" * 1000), durable=False)
    assert list(outbox.waiting()) == ["a", "b"]
    outbox.keep("r", "c", _frame("c"), durable=True)
    outbox.close()
    assert _kept(tmp_path) == ["a", "c"]


def test_a_rewrite_that_fails_loses_nothing(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    for lease in "ab":
        outbox.keep("r", lease, _frame(lease, extra="x" * 1000), durable=False)
    with _disk_full_beyond(500), pytest.raises(OSError, match="No space left"):
        outbox.set_aside("a")
    outbox.acknowledge("b")
    outbox.close()
    assert "a" in _kept(tmp_path)


class FailingDisk(Disk):
    """Fails once to sync a file, or a directory, when told to; counts how often a file was replaced."""

    fails = ""
    replaced = 0

    def sync(self, descriptor: int) -> None:
        self._perhaps_fail("file")
        super().sync(descriptor)

    def sync_directory(self, path: Path) -> None:
        self._perhaps_fail("directory")
        super().sync_directory(path)

    def replace(self, path: Path, by: Path) -> None:
        self.replaced += 1
        super().replace(path, by)

    def _perhaps_fail(self, what: str) -> None:
        if self.fails == what:
            self.fails = ""
            raise OSError(errno.EIO, "Input/output error")


def test_after_a_sync_that_failed_everything_is_written_again(tmp_path: Path) -> None:
    """The system takes what it failed to write for written: a later sync alone would leave a hole."""
    disk = FailingDisk()
    outbox = Outbox(tmp_path, disk)
    outbox.begin("r")
    disk.fails = "file"
    with pytest.raises(OSError, match="Input/output"):
        outbox.keep("r", "a", _frame("a"), durable=True)
    outbox.keep("r", "b", _frame("b"), durable=True)
    assert disk.replaced == 1
    outbox.keep("r", "c", _frame("c"), durable=True)
    assert disk.replaced == 1
    outbox.close()
    assert _kept(tmp_path) == ["a", "b", "c"]


def test_a_new_file_whose_name_could_not_be_synced_is_the_one_written_to(tmp_path: Path) -> None:
    disk = FailingDisk()
    outbox = Outbox(tmp_path, disk)
    outbox.begin("r")
    for lease in "ab":
        outbox.keep("r", lease, _frame(lease), durable=False)
    disk.fails = "directory"
    with pytest.raises(OSError, match="Input/output"):
        outbox.set_aside("a")
    outbox.keep("r", "c", _frame("c"), durable=True)
    outbox.close()
    assert sorted(_kept(tmp_path)) == ["a", "b", "c"]


def test_a_frame_that_nests_too_deep_to_be_read_does_not_keep_a_worker_from_starting(tmp_path: Path) -> None:
    deep = b'{"type":"result","run":"r","lease":"a","trial":1,"value":1,"extras":{"x":%b}}'
    # From 3.14 on Python gives up at the end of its stack, and no sooner.
    deep = deep % (b"[" * 100_000 + b"]" * 100_000)
    outbox = Outbox(tmp_path)
    outbox.begin("r")
    outbox.keep("r", "a", deep, durable=True)
    outbox.keep("r", "b", _frame("b"), durable=True)
    outbox.close()
    assert _kept(tmp_path) == ["b"]
    assert deep in (tmp_path / "outbox.jsonl.damaged").read_bytes()


def test_what_is_kept_after_its_folder_was_deleted_is_found_by_a_successor(tmp_path: Path) -> None:
    """Somebody tidied up while the worker worked, and the orchestrator is away."""
    directory = tmp_path / "worker"
    outbox = Outbox(directory)
    outbox.begin("r")
    outbox.keep("r", "a", _frame("a"), durable=True)
    shutil.rmtree(directory)
    for lease in "bc":
        outbox.keep("r", lease, _frame(lease), durable=True)
    outbox.acknowledge("b")
    outbox.close()
    assert _kept(directory) == ["a", "c"]


def test_a_successor_s_file_in_the_place_of_a_deleted_one_is_left_alone(tmp_path: Path) -> None:
    directory = tmp_path / "worker"
    outbox = Outbox(directory)
    outbox.begin("r")
    shutil.rmtree(directory)
    successor = Outbox(directory)
    successor.begin("r")
    successor.keep("r", "theirs", _frame("theirs"), durable=True)
    outbox.keep("r", "ours", _frame("ours"), durable=True)
    for one in (outbox, successor):
        one.close()
    assert _kept(directory) == ["theirs"]


def test_a_directory_has_one_worker(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    with pytest.raises(OutboxLockedError, match="belongs to a running worker"):
        Outbox(tmp_path)
    outbox.close()
    Outbox(tmp_path).close()


def test_a_directory_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutboxError, match="give the worker a --directory"):
        Outbox(tmp_path / "file" / "below")
