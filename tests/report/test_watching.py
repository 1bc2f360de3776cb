"""Watching from outside: until nobody works on the run any more, however often it ended before."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from recorded_runs import RecordedRun, always
from rich.console import Console

from orchestrator.report.watch import watch_in_lines, watch_on_screen
from orchestrator.runtime.folder.journal import encode_line
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler import events as ev


@dataclass(frozen=True)
class TakenUpAgain(RunFolder):
    """A run that had ended: whoever took it up writes that down only after it was looked at once."""

    known: int = 0
    looks: list[int] = field(default_factory=list)

    def holder(self) -> dict[str, object] | None:
        self.looks.append(len(self.looks) + 1)
        if self.looks[-1] == 2:
            amended = encode_line(self.known + 1, ev.BudgetAmended(at=98.0, trials=40))
            resumed = encode_line(self.known + 2, ev.RunResumed(at=99.0, wall="2024-01-02T00:00:00"))
            with self.journal.open("ab") as journal:
                journal.write(amended + resumed)
        return {"host": "lab", "pid": 7} if self.looks[-1] < 4 else None


def lines(folder: RunFolder) -> str:
    stream = io.StringIO()
    watch_in_lines(folder, stream, as_json=False)
    return stream.getvalue()


def on_screen(folder: RunFolder) -> str:
    console = Console(file=io.StringIO(), width=100, height=30, force_terminal=True, record=True)
    watch_on_screen(folder, console)
    return console.export_text()


@pytest.mark.parametrize("watched", [lines, on_screen])
def test_an_ended_run_that_was_just_taken_up_is_watched_on(
    tmp_path: Path, watched: Callable[[RunFolder], str]
) -> None:
    ended = RecordedRun().begin().settle(20, always(1.0))
    folder = TakenUpAgain(ended.write(tmp_path / "wing-1").path, len(ended.events))
    assert "the run was resumed" in watched(folder)
    assert len(folder.looks) >= 4, "until nobody held it"
