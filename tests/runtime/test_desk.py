"""The desk in a run's folder, where requests are left and answered: on disk, in order, none too large."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from orchestrator.errors import JournalError, UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import SIZE_LIMIT, UNREAD_FOR_S, Desk
from orchestrator.runtime.requests.kinds import Approve, Record, Refuse, Verdict


def test_a_request_waits_until_it_is_answered(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    assert desk.waiting() == []
    path = desk.leave(Approve(1))
    assert [waiting.request for waiting in desk.waiting()] == [Approve(1)]
    desk.answer(path, Verdict(True, "done"))
    assert desk.waiting() == []
    assert desk.await_answer(path, 5.0) == Verdict(True, "done")


def test_an_answer_that_is_there_is_read_however_late_whoever_waits_has_its_turn(tmp_path: Path) -> None:
    """As a process does that a busy machine gives no processor until its time is over."""
    desk = Desk(RunFolder(tmp_path))
    path = desk.leave(Approve(1))
    assert desk.await_answer(path, 0.0) is None
    desk.answer(path, Verdict(True, "done"))
    assert desk.await_answer(path, 0.0) == Verdict(True, "done")


def test_requests_keep_their_order_where_the_clock_was_set_back_between_them(tmp_path: Path) -> None:
    """Or where the second was left from another machine, whose clock is behind: the last word has to hold."""
    desk = Desk(RunFolder(tmp_path))
    first = desk.leave(Refuse(1, "too close to the wall"))
    in_an_hour = time.time_ns() + 3_600 * 10**9
    first.rename(first.with_name(f"{in_an_hour}-{os.getpid()}.json"))
    desk.leave(Approve(1))
    desk.leave(Approve(2))
    left = [waiting.request for waiting in desk.waiting()]
    assert left == [Refuse(1, "too close to the wall"), Approve(1), Approve(2)]


def test_no_request_has_the_name_of_one_before_it_though_the_clock_was_set_back(tmp_path: Path) -> None:
    """A name that took effect takes none again."""
    desk = Desk(RunFolder(tmp_path))
    stays = desk.leave(Refuse(1, "too close to the wall"))
    stays.rename(stays.with_name(f"{time.time_ns() + 3_600 * 10**9}-{os.getpid()}.json"))
    taken = desk.leave(Approve(2))
    desk.answer(taken, Verdict(True, "done"))
    assert desk.leave(Approve(3)) != taken


def test_a_request_is_safe_on_disk_with_its_name_and_its_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request may wait for the next life; an answer is given from the loop, and read at once."""
    synced: list[Path] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append(Path(f"/proc/self/fd/{descriptor}").resolve())
    )
    desk = Desk(RunFolder(tmp_path))
    path = desk.leave(Approve(1))
    assert synced == [path.with_suffix(".draft"), desk.path, tmp_path]
    assert desk.answer(path, Verdict(True, "done")) == ""
    assert len(synced) == 3
    assert desk.await_answer(path, 1.0) == Verdict(True, "done")


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "Make room"), (errno.EROFS, "must be allowed to write"), (errno.EIO, "got: [^.]*$")],
)
def test_a_request_that_cannot_be_written_says_what_would_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str
) -> None:
    def fails(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(JournalError, match=remedy):
        Desk(RunFolder(tmp_path)).leave(Approve(1))


def test_a_file_that_is_no_request_is_answered_and_harms_nothing(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    desk.path.mkdir()
    (desk.path / "1.json").write_bytes(b'{"type":"format the disk"}')
    (waiting,) = desk.waiting()
    assert waiting.request is None
    assert "expected a request" in waiting.complaint


def test_an_answer_that_nobody_comes_for_is_removed_and_none_that_may_be_waited_for(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    desk.forget_unread()
    abandoned, asked, waiting = desk.leave(Approve(1)), desk.leave(Approve(2)), desk.leave(Approve(3))
    for path in (abandoned, asked):
        assert desk.answer(path, Verdict(True, "it is approved")) == ""
    long_ago = time.time() - UNREAD_FOR_S - 1.0
    (put_aside := desk.path / "of last week.bak").touch()
    for path in (abandoned.with_suffix(".answer"), waiting, put_aside):
        os.utime(path, (long_ago, long_ago))
    desk.forget_unread()
    assert desk.await_answer(asked, 0.1) == Verdict(True, "it is approved")
    assert {*desk.path.iterdir()} == {waiting, put_aside}, "what is not answered is never too old"


def test_a_request_that_is_too_large_is_neither_left_nor_read(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    with pytest.raises(UsageError, match=r"expected at most 16777216 bytes at a time, .* in several files"):
        desk.leave(Record(1, 2.0, extras={"note": "x" * SIZE_LIMIT}))
    path = desk.leave(Approve(1))
    path.write_bytes(path.read_bytes().ljust(SIZE_LIMIT + 1))
    (waiting,) = desk.waiting()
    assert (waiting.request, waiting.complaint) == (None, "expected a request of at most 16777216 bytes")


def test_a_request_that_nests_too_deep_to_be_read_is_no_request(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    desk.path.mkdir()
    deep = b"[" * 100_000 + b"]" * 100_000
    (desk.path / "1.json").write_bytes(b'{"type":"record","trial":1,"value":1,"extras":{"a":' + deep + b"}}")
    (waiting,) = desk.waiting()
    assert "expected a request" in waiting.complaint
