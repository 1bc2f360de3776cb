"""A file system that keeps locks to each machine, as sshfs does: two machines do not write to one run."""

from __future__ import annotations

import fcntl
import json
import math
import os
import socket
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from orchestrator.errors import RunLockedError
from orchestrator.runtime.folder import held_lock, lock_words, unseen_writer
from orchestrator.runtime.folder.held_lock import HeldLock
from orchestrator.runtime.folder.journal import JournalWriter, read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import RunStarted

STARTED = RunStarted(at=0.0, run="r", wall="noon")


class Machines:
    """Two machines that see the same folder, and nothing of each other's locks; on a clock of its own."""

    def __init__(self, patch: pytest.MonkeyPatch, directory: Path) -> None:
        self.folder = RunFolder.create(directory, "r", datetime(2026, 1, 2, 12, 0, 0))
        self.now = 1000.0
        self.meanwhile: Callable[[], None] = lambda: None
        self._host = "login1"
        patch.setattr(fcntl, "flock", lambda *_: None)
        self.start = "a"
        patch.setattr(socket, "gethostname", lambda: self._host)
        patch.setattr(lock_words, "this_start", lambda: self.start)
        patch.setattr(unseen_writer, "time", self)

    def on(self, host: str) -> None:
        self._host = host

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile()

    def says_how_it_stands(self, *, again_s: float = 0.5) -> None:
        self.folder.standing.write_text(
            json.dumps({"process": os.getpid(), "now": self.now, "again_s": again_s})
        )


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machines:
    return Machines(monkeypatch, tmp_path)


def test_a_run_that_goes_on_at_another_machine_is_not_taken_from_it(machines: Machines) -> None:
    with machines.folder.lock():
        machines.says_how_it_stands()
        machines.on("login2")
        machines.meanwhile = machines.says_how_it_stands
        with pytest.raises(
            RunLockedError, match=rf"by process {os.getpid()} on login1, though its lock is not"
        ):
            machines.folder.lock()
        assert json.loads((machines.folder.path / "lock").read_text())["host"] == "login1"


def test_what_is_half_seen_of_how_it_stands_is_a_reason_to_wait_as_well(machines: Machines) -> None:
    """Its size is remembered for a while, and it grows."""
    with machines.folder.lock():
        machines.folder.standing.write_text('{"process": 17, "no')
        machines.on("login2")
        machines.meanwhile = machines.says_how_it_stands
        with pytest.raises(RunLockedError, match="though its lock is not seen"):
            machines.folder.lock()


def test_who_only_looks_from_there_sees_that_it_goes_on(machines: Machines) -> None:
    with machines.folder.lock():
        machines.says_how_it_stands()
        machines.on("login2")
        assert (machines.folder.holder() or {}).items() >= {"host": "login1", "pid": os.getpid()}.items()
        long_ago = time.time() - 60.0
        os.utime(machines.folder.standing, (long_ago, long_ago))
        assert machines.folder.holder() is None


def test_a_run_that_was_killed_there_is_taken_over_once_it_has_kept_silent(machines: Machines) -> None:
    machines.folder.lock().close()
    machines.says_how_it_stands(again_s=4.0)
    machines.on("login2")
    machines.folder.lock().close()
    assert machines.now >= 1000.0 + 2 * 4.0
    assert json.loads((machines.folder.path / "lock").read_text())["host"] == "login2"


def test_what_this_machine_remembered_of_a_file_is_no_sign_of_life(machines: Machines) -> None:
    machines.folder.lock().close()
    machines.says_how_it_stands()
    whole = machines.folder.standing.read_bytes()
    machines.folder.standing.write_bytes(whole.replace(b"1000.0", b"0999.5")[:-4])
    machines.on("login2")
    looks = iter([whole[:-4]])

    def looked_anew() -> None:
        machines.folder.standing.write_bytes(next(looks, whole))

    machines.meanwhile = looked_anew
    machines.folder.lock().close()


@pytest.mark.parametrize("last", [None, 0.0], ids=["it was stopped", "it has ended"])
def test_nobody_waits_where_nobody_can_be_there(machines: Machines, last: float | None) -> None:
    machines.folder.lock().close()
    if last is not None:
        machines.says_how_it_stands(again_s=last)
    machines.on("login2")
    machines.folder.lock().close()
    # But whether another takes it in the same moment.
    assert machines.now == 1000.0 + unseen_writer.CLAIMED_S


@pytest.mark.parametrize(
    "again_s",
    [10**400, math.inf, math.nan, 1e9, -5.0],
    ids=["no float", "for ever", "no number", "years", "before"],
)
def test_nobody_is_watched_for_long_whatever_stands_there(machines: Machines, again_s: float) -> None:
    machines.folder.lock().close()
    machines.says_how_it_stands(again_s=again_s)
    machines.on("login2")
    machines.folder.lock().close()
    at_most_s = unseen_writer.WATCHED_AT_MOST_S + unseen_writer.CLAIMED_S
    assert machines.now <= 1000.0 + at_most_s + unseen_writer.LOOKS_EVERY_S


def test_nobody_waits_for_a_life_of_the_same_machine(machines: Machines) -> None:
    machines.folder.lock().close()
    machines.says_how_it_stands()
    machines.folder.lock().close()
    assert machines.now == 1000.0


def test_who_was_suspended_while_another_machine_took_the_run_over_writes_nothing_more(
    machines: Machines,
) -> None:
    folder = machines.folder
    with (folder.path / "lock").open("a+") as file:
        held = HeldLock(folder.path / "lock", file, machines.monotonic)
        journal = JournalWriter.create(folder.journal, "test", guard=held.refuse_if_taken_over)
        journal.append([STARTED])
        journal.commit()

        machines.on("login2")
        machines.folder.lock().close()
        machines.on("login1")
        machines.now += 600.0
        journal.append([STARTED])
        with pytest.raises(RunLockedError, match=r"on login2 has taken .* over"):
            journal.commit()
        journal.close()
    assert read_journal(folder.journal).events == (STARTED,)


def test_who_has_a_run_keeps_it_where_its_machine_is_called_otherwise_meanwhile(machines: Machines) -> None:
    with machines.folder.lock() as held:
        machines.on("login1.elsewhere")
        held.refuse_if_taken_over()


def test_once_a_run_was_taken_over_every_later_commit_is_refused_too(machines: Machines) -> None:
    folder = machines.folder
    with (folder.path / "lock").open("a+") as file:
        held = HeldLock(folder.path / "lock", file, machines.monotonic)
        machines.on("login2")
        machines.folder.lock().close()
        for _ in range(2):
            with pytest.raises(RunLockedError, match="on login2"):
                held.refuse_if_taken_over()


def test_what_a_machine_slept_counts_as_time_in_which_a_run_may_be_taken_over(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = 0.0
    monkeypatch.setattr(held_lock, "seconds_asleep", lambda: slept)
    monkeypatch.setattr(held_lock, "time", machines)
    with machines.folder.lock() as held:
        held.refuse_if_taken_over()
        machines.on("login2")
        machines.folder.lock().close()
        slept = 8.0 * 3600.0
        with pytest.raises(RunLockedError, match="on login2"):
            held.refuse_if_taken_over()


def test_a_lock_that_somebody_emptied_stops_nobody(machines: Machines) -> None:
    with machines.folder.lock() as held:
        for spoil in (b"", b"[]", b'{"host": "login2"}', b"\xff"):
            (machines.folder.path / "lock").write_bytes(spoil)
            held.refuse_if_taken_over()


def test_machines_of_one_name_are_told_apart(machines: Machines) -> None:
    with machines.folder.lock():
        machines.says_how_it_stands()
        machines.start = "b"
        machines.meanwhile = machines.says_how_it_stands
        with pytest.raises(RunLockedError, match="though its lock is not seen"):
            machines.folder.lock()
        assert machines.folder.holder() is not None


def test_who_loses_a_run_to_a_machine_of_the_same_name_notices_too(machines: Machines) -> None:
    with machines.folder.lock() as held:
        machines.start = "b"
        machines.folder.lock().close()
        with pytest.raises(RunLockedError, match="has taken"):
            held.refuse_if_taken_over()


def test_where_the_system_tells_no_starts_the_names_decide(machines: Machines) -> None:
    machines.start = ""
    machines.folder.lock().close()
    assert set(json.loads((machines.folder.path / "lock").read_text())) == {"host", "pid"}
    machines.says_how_it_stands()
    machines.start = "b"
    machines.folder.lock().close()
    assert machines.now == 1000.0


def test_of_two_that_take_a_run_in_one_moment_the_last_has_it(machines: Machines) -> None:
    """The last life was on a third machine, and was stopped: nobody is watched."""
    machines.folder.lock().close()
    machines.on("login2")

    def another_takes_it() -> None:
        machines.meanwhile = lambda: None
        machines.on("login3")
        machines.folder.lock().close()
        machines.on("login2")

    machines.meanwhile = another_takes_it
    with pytest.raises(RunLockedError, match="on login3 in the same moment"):
        machines.folder.lock()
    assert json.loads((machines.folder.path / "lock").read_text())["host"] == "login3"


def test_who_could_not_write_who_it_is_keeps_the_run_all_the_same(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines.on("login2")
    machines.folder.lock().close()
    machines.on("login1")

    def full(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(os, "ftruncate", full)
        held = machines.folder.lock()
    held.refuse_if_taken_over()
    held.close()
