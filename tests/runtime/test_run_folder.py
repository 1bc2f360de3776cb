"""A run's folder has a name of its own, and one orchestrator at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from orchestrator.errors import JournalError, RunLockedError, UsageError
from orchestrator.report.following.runs import find_run
from orchestrator.runtime.folder.lock_words import own_words
from orchestrator.runtime.folder.run_folder import RunFolder

NOON = datetime(2026, 1, 2, 12, 0, 0)


def test_runs_of_the_same_second_lie_side_by_side(tmp_path: Path) -> None:
    made = [RunFolder.create(tmp_path / "logs", "wing: drag/lift", NOON).name for _ in range(3)]
    assert made == [f"wing-drag-lift-20260102-120000{suffix}" for suffix in ("", "-2", "-3")]


@pytest.mark.parametrize(
    ("experiment", "name"),
    [
        ("Café brûlé", "Cafe-brule"),
        ("\u043a\u0430\u0444\u0435", "run"),
        ("\uff0e\uff0e\uff0fx", "x"),
        ("a\uff0f\uff0e", "a"),
    ],
)
def test_letters_with_accents_are_kept_without_them(tmp_path: Path, experiment: str, name: str) -> None:
    assert RunFolder.create(tmp_path / "logs", experiment, NOON).name == f"{name}-20260102-120000"


def test_a_run_is_called_as_its_folder_is_by_whatever_path_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wing-1" / "trials").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "wing-1" / "trials")
    assert RunFolder(Path("..")).name == "wing-1"
    monkeypatch.chdir(tmp_path / "wing-1")
    assert RunFolder(Path()).name == "wing-1"


def test_every_folder_that_is_made_for_a_run_has_its_name_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    sync = os.fsync

    def noting(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").resolve())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noting)
    folder = RunFolder.create(tmp_path / "lab" / "logs", "r", NOON)
    folder.write_spec("")
    assert {folder.path, tmp_path / "lab" / "logs", tmp_path / "lab", tmp_path} <= set(synced)


@pytest.mark.parametrize("experiment", ["..", "/", "...", "-", "///"])
def test_no_name_of_an_experiment_leaves_the_folder_of_runs(tmp_path: Path, experiment: str) -> None:
    folder = RunFolder.create(tmp_path / "logs", experiment, NOON)
    assert folder.path.resolve().parent == (tmp_path / "logs").resolve()


def test_a_second_orchestrator_is_refused_with_the_host_and_process_of_the_first(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "r", NOON)
    with folder.lock():
        assert folder.holder() == own_words()
        with pytest.raises(RunLockedError) as refusal:
            folder.lock()
        assert socket.gethostname() in str(refusal.value)
        assert str(os.getpid()) in str(refusal.value)
        assert "copy" not in str(refusal.value)
    assert folder.holder() is None
    folder.lock().close()


def test_a_lock_with_what_is_no_text_in_it_names_nobody_and_is_one_all_the_same(tmp_path: Path) -> None:
    """As a disk may leave it that lost its power."""
    folder = RunFolder.create(tmp_path, "r", NOON)
    damaged = folder.path / "lock"
    damaged.write_bytes(b"\xff\xfe{")
    assert folder.holder() is None
    with folder.lock():
        damaged.write_bytes(b"\xff\xfe{")
        assert folder.holder() == {}
        with pytest.raises(RunLockedError, match="is being written by another process"):
            folder.lock()


def test_a_lock_that_a_file_server_keeps_for_a_machine_that_is_gone_has_a_way_round_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As NFS may; to delete the lock is none, for the journal is held as well."""
    folder = RunFolder.create(tmp_path, "r", NOON)
    with monkeypatch.context() as there:
        there.setattr(socket, "gethostname", lambda: "login2")
        held = folder.lock()
    with held, pytest.raises(RunLockedError, match=r"on login2\. .* copy the folder and resume the copy$"):
        folder.lock()


@pytest.mark.parametrize("made_anew", [True, False])
def test_who_looks_at_a_run_whose_lock_was_deleted_sees_that_its_journal_is_held(
    tmp_path: Path, made_anew: bool
) -> None:
    folder = RunFolder.create(tmp_path, "r", NOON)
    folder.journal.touch()
    with folder.lock(), folder.hold_journal():
        (folder.path / "lock").unlink()
        if made_anew:
            folder.lock().close()
        assert folder.holder() == {}
    assert folder.holder() is None
    folder.hold_journal().close()


def test_the_lock_of_a_process_that_died_is_free(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "r", NOON)
    program = (
        "import sys, os; from pathlib import Path\n"
        "from orchestrator.runtime.folder.run_folder import RunFolder\n"
        "lock = RunFolder(Path(sys.argv[1])).lock(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(folder.path)], check=False)
    assert folder.holder() is None
    folder.lock().close()


def test_somebody_who_looks_whether_a_run_is_worked_on_does_not_keep_it_from_being_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder.create(tmp_path, "r", NOON)
    folder.lock().close()
    looking, naps = (folder.path / "lock").open(), list[float]()
    fcntl.flock(looking, fcntl.LOCK_SH)

    def slept(seconds: float) -> None:
        """Whoever looks may be stopped meanwhile, for as long as a busy machine likes."""
        naps.append(seconds)
        if sum(naps) > 2.0:
            looking.close()

    monkeypatch.setattr(time, "sleep", slept)
    folder.lock().close()
    assert looking.closed


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected the folder of a run"):
        RunFolder.open(tmp_path)
    # As somebody's own folder has it.
    (tmp_path / "spec.yaml").write_text("experiment: r\n")
    with pytest.raises(UsageError, match="expected the folder of a run"):
        RunFolder.open(tmp_path)


@pytest.mark.parametrize("spec", ["", "experiment: r\nbudget: {trials: 1"], ids=["nothing", "part of it"])
def test_a_run_that_was_killed_before_it_had_a_journal_is_to_be_begun_anew(tmp_path: Path, spec: str) -> None:
    folder = RunFolder.create(tmp_path / "logs", "r", NOON)
    folder.lock().close()
    if spec:
        folder.spec.write_text(spec)
    for named in (str(folder.path), folder.name):
        with pytest.raises(UsageError) as raised:
            find_run(named, tmp_path / "logs")
        assert str(raised.value) == (
            f"expected a run that had begun in {folder.path}, got one that was killed before: nothing was"
            " evaluated. Start it again from your own spec, as the one there may be cut short: orchestrator"
            " run SPEC"
        )


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    with pytest.raises(JournalError, match="--logs DIR"):
        RunFolder.create(tmp_path / "logs", "r", NOON)


def test_a_folder_of_runs_that_is_a_link_to_nothing_is_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "logs").symlink_to(tmp_path / "purged")
    with pytest.raises(JournalError, match="expected to make the run's folder"):
        RunFolder.create(tmp_path / "logs", "r", NOON)


def test_a_disk_without_locks_is_not_taken_for_another_orchestrator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_locks(file: object, operation: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", without_locks)
    folder = RunFolder.create(tmp_path, "r", NOON)
    with pytest.raises(JournalError, match="a file system that can lock files"):
        folder.lock()
    assert folder.holder() is None
