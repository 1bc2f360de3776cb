"""A run's folder that is renamed while the run goes on: its last words are followed, and name the new one."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest
from run_lab import Life, RunLab, checked, eventually, spec

from orchestrator.errors import JournalError
from orchestrator.report.closing import closing_words
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler.events import RunStarted, StopRequested
from orchestrator.scheduler.state import State
from orchestrator.spec.load import load_spec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.system.disk import DISK, Disk


def renamed_and_stopped(lab: RunLab, life: Life, trial: int) -> RunFolder:
    """The run's folder, which gets another name while a trial of its is under way, the last of this life."""
    eventually((lab.directory / f"{trial}.1").exists)
    (journal,) = lab.logs.glob("*/journal.jsonl")
    life.given_folder = journal.parent.rename(lab.logs / f"archived-{trial}")
    life.signal(signal.SIGINT)
    life.await_events(StopRequested, trial)
    (lab.directory / f"open-{trial}").touch()
    life.ends(130)
    return life.folder


def test_whoever_is_told_how_to_go_on_is_told_the_name_that_the_folder_has_now(lab: RunLab) -> None:
    path = lab.write(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 3}))
    life = lab.command("run", str(path), "--plain", "--logs", str(lab.logs))
    folder = renamed_and_stopped(lab, life, trial=1)
    assert f"The run lies in {folder.path}\n" in life.said
    assert life.said.endswith(f"orchestrator resume {folder.path}\n")

    again = lab.command("resume", str(folder.path), "--plain")
    folder = renamed_and_stopped(lab, again, trial=2)
    assert again.said.endswith(f"orchestrator resume {folder.path}\n")
    assert checked(folder).tally.completed == 2


def test_what_is_asked_of_the_run_under_its_new_name_is_done(lab: RunLab) -> None:
    path = lab.write(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 9}))
    life = lab.command("run", str(path), "--plain", "--logs", str(lab.logs))
    eventually((lab.directory / "1.1").exists)
    (journal,) = lab.logs.glob("*/journal.jsonl")
    before = journal.parent
    life.given_folder = before.rename(lab.logs / "archived")
    eventually(lambda: f"the run's folder is called {life.folder.path} now" in life.said)
    asked = lab.command("amend", str(life.folder.path), "--trials", "1")
    asked.ends(0)
    (lab.directory / "open-1").touch()
    life.ends(0)
    assert checked(life.folder).tally.completed == 1
    assert life.said.count("is called") == 1, "once"


def test_an_optimiser_that_is_started_anew_finds_the_folder_under_its_new_name(lab: RunLab) -> None:
    path = lab.write(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 3}))
    life = lab.command("run", str(path), "--plain", "--logs", str(lab.logs))
    eventually((lab.directory / "1.1").exists)
    (journal,) = lab.logs.glob("*/journal.jsonl")
    life.given_folder = journal.parent.rename(lab.logs / "archived")
    for process in lab.processes("optimiser.server"):
        os.kill(process, signal.SIGKILL)
    for trial in (1, 2, 3):
        (lab.directory / f"open-{trial}").touch()
    life.ends(0)
    assert checked(life.folder).tally.completed == 3


class Full(Disk):
    """A disk with no room for more than a header."""

    def append(self, descriptor: int, block: memoryview) -> int:
        if b"Header" in bytes(block):
            return super().append(descriptor, block)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_said_with_the_name_that_the_folder_has_now(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    writer = JournalWriter.create(tmp_path / "run" / "journal.jsonl", "test", Full())
    moved = (tmp_path / "run").rename(tmp_path / "archived")
    writer.append([RunStarted(at=0.0, run="r", wall="noon")])
    with pytest.raises(JournalError, match=f"orchestrator resume {moved}$"):
        writer.commit()
    writer.close()


def test_where_the_system_does_not_tell_the_new_name_it_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tmp_path / "before"
    before.write_text("")
    descriptor = os.open(before, os.O_RDONLY)
    assert DISK.place_of(descriptor, before) == before
    after = before.rename(tmp_path / "after")
    assert DISK.place_of(descriptor, before) == after

    def untold(_link: object) -> str:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    monkeypatch.setattr(os, "readlink", untold)
    assert DISK.place_of(descriptor, before) is None
    after.unlink()
    assert DISK.place_of(descriptor, before) == before, "what was deleted was not moved"
    os.close(descriptor)


def test_then_it_is_said_that_it_was_moved(lab: RunLab) -> None:
    moving = load_spec(lab.write(spec())).spec
    state = State(policy_of(moving))
    words = closing_words(moving, RunOutcome(Path("logs/wing"), state, True, False, "", moved=True))
    assert words.endswith(
        "The run lay in logs/wing, and was moved meanwhile: FOLDER is where it lies now\n"
        "Continue it: orchestrator resume FOLDER\n"
    )
