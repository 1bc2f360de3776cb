"""Runs that are watched side by side: what changes is seen, what does not is not read again."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lab_of_runs import damaged, of_another_version, run_of
from rich.console import Console

from orchestrator import minimise
from orchestrator.errors import UsageError
from orchestrator.report import watch_runs as watching
from orchestrator.report.following import runs_again
from orchestrator.report.following.listed_run import ListedRun
from orchestrator.report.following.listing import RunsMeant
from orchestrator.report.following.runs_again import RunsAgain
from orchestrator.report.terminal.runs_screen import RunsNow, runs_screen
from orchestrator.runtime.folder.journal import encode_line
from orchestrator.runtime.folder.run_folder import RunFolder

NOON = datetime(2026, 1, 2, 12, 0, 7, tzinfo=UTC)


class Looks:
    """Which runs were read, at each look."""

    def __init__(self, meant: RunsMeant, patch: pytest.MonkeyPatch) -> None:
        self._again = RunsAgain(meant)
        self._read: list[str] = []
        for name in ("listed", "listed_with", "listed_again"):
            patch.setattr(runs_again, name, self._noted(getattr(runs_again, name)))

    def _noted(self, reads: Any) -> Any:
        def noted(of: Any) -> Any:
            self._read.append(of.name if isinstance(of, Path) else of.folder.name)
            return reads(of)

        return noted

    def look(self) -> tuple[dict[str, str], list[str]]:
        """The state of each, and the names of those that were read for that."""
        self._read.clear()
        return {run.name: run.state for run in self._again.now()}, sorted(self._read)


def test_what_nobody_works_on_is_read_again_once_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run_of(values=(3.0,), day=2).write(tmp_path / "killed")
    damaged(tmp_path / "damaged", run_of(day=1))
    newer = of_another_version(tmp_path / "newer", run_of())
    minimise(lambda p: p["x"], {"x": (0.0, 1.0)}, 2, algorithm="sobol", store=tmp_path / "search.jsonl")
    looks = Looks(RunsMeant([], tmp_path), monkeypatch)
    states = {"killed": "interrupted", "damaged": "damaged", "newer": "unreadable", "search.jsonl": "ended"}
    assert looks.look() == (states, sorted(states))
    # What keeps one from being read may be over at the next look.
    assert looks.look() == (states, ["newer"])
    newer.journal.unlink()
    again = run_of(values=(3.0, 2.0, 4.0, 1.5), day=2).write(tmp_path / "again")
    folder.journal.write_bytes(again.journal.read_bytes())
    found, read = looks.look()
    assert (found["killed"], read) == ("ended", ["again", "killed"])
    folder.journal.unlink()
    assert sorted(looks.look()[0]) == ["again", "damaged", "search.jsonl"]


def test_of_one_that_somebody_works_on_what_came_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = run_of(values=(3.0,))
    folder = begun.write(tmp_path / "wing")
    monkeypatch.setattr(RunFolder, "holder", lambda _: {"host": "lab", "pid": 7})
    again = RunsAgain(RunsMeant([], tmp_path))
    assert [(run.state, run.trials) for run in again.now()] == [("running", 1)]
    before = len(begun.events)
    begun.settle(1, lambda _: 2.0)
    came = enumerate(begun.events[before:], start=before + 1)
    with folder.journal.open("ab") as journal:
        journal.write(b"".join(encode_line(number, event) for number, event in came))
    assert [(run.state, run.trials) for run in again.now()] == [("running", 2)]
    assert again.now()[0].best == 2.0


def told(name: str, state: str) -> ListedRun:
    return ListedRun(name, Path(name), state, "", trials=3, best_words="drag = 1.5", failed=0)


def test_the_screen_fits_and_those_that_go_on_stand_first() -> None:
    runs = [told(f"wing-{number}", "ended") for number in range(30)] + [told("old", "running")]
    for width in (20, 60, 140):
        for height in (6, 12, 50):
            lines = runs_screen(RunsNow(runs, NOON, trouble="expected runs, got none" * 9), width, height)
            assert len(lines) <= height
            assert all(line.cell_len <= width for line in lines)
    words = [line.plain for line in runs_screen(RunsNow(runs, NOON), 80, 10)]
    assert words[0].startswith("31 runs · 1 running · 30 ended ")
    assert words[0].endswith(" 12:00:07")
    assert words[2].split()[:2] == ["old", "running"]
    assert words[3].split()[:2] == ["wing-0", "ended"]
    assert "and 25 more runs" in words


def test_it_goes_on_until_somebody_has_seen_enough_and_leaves_all_of_them_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of().write(tmp_path / "wing-1")
    looked: list[float] = []

    def slept(seconds: float) -> None:
        looked.append(seconds)
        if len(looked) == 1:
            run_of(day=3).write(tmp_path / "wing-2")
        elif len(looked) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(watching.time, "sleep", slept)
    console = Console(file=io.StringIO(), width=100, height=8, force_terminal=True, record=True)
    watching.watch_runs(RunsMeant([], tmp_path), console)
    assert min(looked) >= watching.LOOKED_EVERY_S
    shown = console.export_text()
    assert "2 runs · 2 ended" in shown
    assert "wing-1" in shown
    with pytest.raises(UsageError, match="which does not exist"):
        watching.watch_runs(RunsMeant([tmp_path / "wing-1" / "trials"], tmp_path), console)
