"""A disk that fails under a repair: the journal is the damaged or the mended one, and it is said which."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from journal_events import a_few_events, journal_of

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.journal import read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.repair import RepairPlan, plan_repair, repair
from orchestrator.system.disk import Disk

WRITING = ("copy", "open", "append", "sync", "close", "replace", "sync_directory")
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SPEC = """\
experiment: wing
objective: {name: lift, goal: maximise}
parameters: {x: {type: float, bounds: [0.0, 9.0]}}
budget: {trials: 9}
algorithm: random
evaluation: {evaluator: "math:sqrt"}
"""


class FailsAt(Disk):
    """Refuses the call of a number, counted from 1, and no other."""

    def __init__(self, number: int) -> None:
        self._until = number
        self.failed = ""

    def __getattribute__(self, name: str) -> Any:
        if name in WRITING:
            self._until -= 1
            if self._until == 0:
                self.failed = name
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().__getattribute__(name)


def damaged(folder: Path) -> tuple[Path, RepairPlan]:
    (folder / "spec.yaml").write_text(SPEC)
    path = folder / "journal.jsonl"
    journal_of(path, a_few_events()).close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"{}\n", *lines[4:]]))
    return path, plan_repair(RunFolder(folder), examine(path), NOW)


@pytest.mark.parametrize("number", range(1, 11))
def test_a_disk_that_fails_at_any_moment_leaves_one_of_both_and_says_which(
    tmp_path: Path, number: int
) -> None:
    path, plan = damaged(tmp_path)
    before = path.read_bytes()
    # It knows of values that the mended one may not hold.
    standing = RunFolder(tmp_path).standing
    standing.write_text("{}")
    disk = FailsAt(number)
    with pytest.raises(JournalError) as failure:
        repair(plan, disk)
    if disk.failed == "sync_directory":
        read_journal(path)
        assert "is mended" in str(failure.value)
        assert not standing.exists()
    else:
        assert path.read_bytes() == before
        assert "is as it was. Make room, and try again" in str(failure.value)
        assert standing.exists()
        assert {one.name for one in tmp_path.iterdir()} == {"spec.yaml", path.name, standing.name}


def test_nothing_else_is_asked_of_the_disk(tmp_path: Path) -> None:
    path, plan = damaged(tmp_path)
    disk = FailsAt(11)
    kept = repair(plan, disk)
    assert disk.failed == ""
    assert examine(kept).damaged
    assert {one.name for one in tmp_path.iterdir()} == {"spec.yaml", path.name, kept.name}
    read_journal(path)
