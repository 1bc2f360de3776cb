"""A command that is printed to be copied means in a shell what it says, wherever the run lies."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator import cli
from orchestrator.scheduler import events as ev


def commands_in(words: str) -> list[list[str]]:
    """The words of each, as a shell would hand them over."""
    return [shlex.split(line) for line in re.findall("orchestrator (?:resume|amend|fsck|watch) .*", words)]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    cli.main(arguments)
    printed = capsys.readouterr()
    return printed.out + printed.err


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "my runs (2)" / "O'Brien's wing"


def test_of_an_interrupted_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = RecordedRun().begin().settle(2, always(1.0))
    path = str(run.happen(ev.RunPaused(at=run.at)).write(place).path)
    assert commands_in(said(capsys, "status", path)) == [["orchestrator", "resume", path]]
    assert commands_in(said(capsys, "amend", path, "--trials", "30"))[-1] == ["orchestrator", "resume", path]
    (taken_up, *_) = commands_in(said(capsys, "best", path))
    assert taken_up == ["orchestrator", "resume", path, "does"]


def test_of_one_that_has_ended(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 2")).begin().settle(2, always(1.0))
    path = str(run.write(place).path)
    (command,) = commands_in(said(capsys, "approve", path, "1"))
    assert command == ["orchestrator", "amend", path, "--trials", "N"]


def test_of_one_that_is_damaged(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = RecordedRun().begin().settle(2, always(1.0)).write(place)
    lines = folder.journal.read_text().splitlines(keepends=True)
    folder.journal.write_text("".join([*lines[:2], "damage\n", *lines[3:]]))
    path = str(folder.path)
    assert commands_in(said(capsys, "status", path)) == [["orchestrator", "fsck", path]]
    assert commands_in(said(capsys, "fsck", path)) == [["orchestrator", "fsck", path, "--repair"]]
    assert commands_in(said(capsys, "fsck", path, "--repair")) == [["orchestrator", "resume", path]]


def test_where_nothing_needs_quotes_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    RecordedRun().begin().settle(2, always(1.0)).write(tmp_path / "logs" / "wing-1")
    monkeypatch.chdir(tmp_path)
    assert "; continue it: orchestrator resume logs/wing-1\n" in said(capsys, "status")
