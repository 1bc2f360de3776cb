"""Runs are found by their names and folders, and followed as their journals grow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from recorded_runs import RecordedRun, always

from orchestrator.errors import UsageError
from orchestrator.report.following.runs import FollowedRun, find_kept, find_run
from orchestrator.runtime.folder.journal import encode_line
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler import events as ev


def test_a_run_is_followed_as_its_journal_grows(tmp_path: Path):
    recorded = RecordedRun().begin().settle(2, always(1.0))
    folder = recorded.write(tmp_path / "run")
    run = FollowedRun.open(folder)
    assert len(run.catch_up()) == len(recorded.events)
    assert run.catch_up() == []
    more = ev.ResultArrived(at=99.0, worker="local-1", lease="3.1", value=0.25)
    line = encode_line(len(recorded.events) + 1, more)
    with folder.journal.open("ab") as journal:
        journal.write(line[:40])
        journal.flush()
        assert run.catch_up() == []
        journal.write(line[40:])
    assert run.catch_up() == [more]
    assert run.state.found.best.value == 0.25


class TestFindingARun:
    def test_by_folder_by_name_and_the_latest(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.chdir(tmp_path)
        logs = Path("logs")
        for age, name in [(100, "wing-1"), (50, "wing-2")]:
            folder = RecordedRun().begin().write(logs / name)
            written = folder.journal.stat().st_mtime - age
            os.utime(folder.journal, (written, written))
        assert find_run(None, logs).name == "wing-2"
        assert find_run("wing-1", logs).path == logs / "wing-1"
        assert find_run("logs/wing-1/", logs) == RunFolder(Path("logs/wing-1"))

    def test_what_is_not_there_is_said_with_what_may_be_meant(self, tmp_path: Path):
        RecordedRun().begin().write(tmp_path / "wing-1")
        with pytest.raises(UsageError, match=r"did you mean `wing-1`"):
            find_run("wng-1", tmp_path)
        with pytest.raises(UsageError, match="found none"):
            find_run(None, tmp_path / "elsewhere")
        with pytest.raises(UsageError, match=r"with spec.yaml and journal.jsonl"):
            find_run(str(tmp_path), tmp_path)

    @pytest.mark.parametrize("named", ["w" * 300, None])
    def test_a_folder_that_cannot_be_looked_into_is_no_bug_of_ours(self, tmp_path: Path, named: str | None):
        logs = tmp_path if named else tmp_path / ("w" * 300)
        for find in (find_run, find_kept):
            with pytest.raises(UsageError, match="File name too long"):
                find(named, logs)
