"""A run that is over is answered for without its journal being replayed, and never otherwise than by it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from lab_of_runs import kept
from recorded_runs import SPEC, RecordedRun, always

from orchestrator import cli
from orchestrator.report.following import runs
from orchestrator.report.following.last_standing import last_standing, standing_now
from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import Standing, standing_of
from orchestrator.report.following.standing_monitor import StandingMonitor
from orchestrator.report.monitors.quiet import QuietMonitor
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening
from orchestrator.runtime.run import RunOptions, RunOutcome
from orchestrator.scheduler.amendment_events import BudgetAmended
from orchestrator.scheduler.events import RunResumed, StopRequested, WorkerJoined
from orchestrator.scheduler.transitions import Phase


def to_the_end() -> RecordedRun:
    return RecordedRun(SPEC.replace("trials: 20", "trials: 6")).begin().settle(6, always(1.0))


def from_journal(folder: RunFolder) -> Standing:
    return standing_of(read_run(folder), None)


@pytest.fixture
def ended(tmp_path: Path) -> RunFolder:
    run = to_the_end()
    return kept(run, run.write(tmp_path / "wing-1"))


def test_it_says_what_the_journal_says_without_reading_an_event(
    ended: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = from_journal(ended)
    assert "ended: every trial of the budget is settled" in status_words(told, None)

    def read(_run: object) -> None:
        raise AssertionError("it was replayed")

    monkeypatch.setattr(runs.FollowedRun, "catch_up", read)
    kept_now = standing_now(ended, None)
    assert kept_now == told
    assert status_words(kept_now, None) == status_words(told, None)
    assert status_table(kept_now, None) == status_table(told, None)


def test_of_a_run_that_was_taken_over_it_says_the_same(tmp_path: Path) -> None:
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 6")).begin().settle(3, always(1.0))
    before = len(run.events)
    run.happen(RunResumed(at=run.at, wall="later"))
    run.evaluations.clear()
    run.happen(WorkerJoined(at=run.at, worker="local-1", slots=1, local=True)).settle(3, always(0.5))
    folder = kept(run, run.write(tmp_path / "wing-1"), seen=run.events[before:])
    standing = last_standing(folder)
    assert standing is not None
    assert status_words(standing, None) == status_words(from_journal(folder), None)
    assert status_table(standing, None) == status_table(from_journal(folder), None)


@pytest.mark.parametrize("place", [0, 0.5, 0.999])
def test_beside_a_journal_that_was_changed_it_is_not_believed(ended: RunFolder, place: float) -> None:
    content = bytearray(ended.journal.read_bytes())
    content[int(place * len(content))] ^= 1
    ended.journal.write_bytes(content)
    assert last_standing(ended) is None


@pytest.mark.parametrize("header", [0, 1], ids=["nothing", "its first line"])
@pytest.mark.parametrize("died", [False, True], ids=["ended", "died"])
def test_a_journal_that_was_emptied_is_not_sound_where_the_run_had_begun_by_it(
    ended: RunFolder, header: int, died: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if died:
        last = last_standing(ended)
        assert last is not None
        view = replace(last.view, phase=Phase.ACTIVE, trials=replace(last.view.trials, completed=4))
        ended.standing.write_bytes(msgspec.json.encode(msgspec.structs.replace(last, view=view)))
    lines = ended.journal.read_bytes().splitlines(keepends=True)
    ended.journal.write_bytes(b"".join(lines[:header]))
    for options in ([], ["--repair"]):
        assert cli.main(["fsck", str(ended.path), *options]) == 1
        said = capsys.readouterr().out
        assert f"emptied; by standing.json the run had begun, and {4 if died else 6} trials were" in said
        assert "sound" not in said
        assert "copy" in said


@pytest.mark.parametrize("died", [False, True], ids=["ended", "died"])
def test_a_journal_whose_last_lines_are_gone_is_not_sound_where_more_was_known_of_the_run(
    ended: RunFolder, died: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["fsck", str(ended.path)]) == 0
    capsys.readouterr()
    if died:
        last = last_standing(ended)
        assert last is not None
        view = replace(last.view, phase=Phase.ACTIVE)
        ended.standing.write_bytes(msgspec.json.encode(msgspec.structs.replace(last, view=view)))
    whole = ended.journal.read_bytes()
    ended.journal.write_bytes(b"".join(whole.splitlines(keepends=True)[: 12 if died else -1]))
    for options in ([], ["--repair"]):
        assert cli.main(["fsck", str(ended.path), *options]) == 1
        said = capsys.readouterr().out
        assert "cut short, at the end of a line" in said
        if died:
            assert "by standing.json 6 trials were completed, by the journal 3" in said
        else:
            assert f"by standing.json it had {len(whole):,} bytes when the run ended" in said
        assert "sound" not in said
        assert "put a copy back, if there is one" in said
    ended.journal.write_bytes(whole)
    assert cli.main(["fsck", str(ended.path)]) == 0


def test_a_resume_from_a_journal_that_was_cut_short_says_what_it_goes_on_without(
    ended: RunFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has a copy may put it back before anything is evaluated again."""

    def resumed(folder: RunFolder, options: RunOptions) -> RunOutcome:
        options.check(read_run(folder).spec)
        return RunOutcome(folder.path, read_run(folder).state, interrupted=True, failed=False, message="")

    monkeypatch.setattr("orchestrator.runtime.run.resume_experiment", resumed)
    monkeypatch.setattr("orchestrator.report.doctor.readiness.refuse_unless_ready", lambda *_: None)
    cli.main(["resume", str(ended.path), "--quiet"])
    assert "copy" not in capsys.readouterr().err
    whole = ended.journal.read_bytes()
    ended.journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    cli.main(["resume", str(ended.path), "--quiet"])
    said = capsys.readouterr().err
    assert f"cut short: by standing.json it had {len(whole):,} bytes when the run ended" in said
    assert "if there is a copy, stop (Ctrl-C), put it back, and resume again" in said
    monkeypatch.undo()
    ended.journal.write_bytes(b"<html>\n")
    assert cli.main(["resume", str(ended.path), "--quiet"]) == 1
    assert "goes on without" not in capsys.readouterr().err


@pytest.mark.parametrize("lines", [0, 1, 12])
def test_half_a_line_that_was_whole_once_is_not_said_to_be_of_no_consequence(
    ended: RunFolder, lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = ended.journal.read_bytes().splitlines(keepends=True)
    ended.journal.write_bytes(b"".join([*whole[:lines], whole[lines][:-1]]))
    assert cli.main(["fsck", str(ended.path)]) == 1
    said = capsys.readouterr().out
    assert "by standing.json" in said
    assert "at the end of a line" not in said
    assert "nothing rests on them" not in said
    assert f"the last {len(whole[lines]) - 1:,} bytes are part of a line" in said


@pytest.mark.parametrize("end", [b"x", b"\0" * 4096])
def test_a_last_line_whose_end_went_bad_is_not_said_to_be_of_no_consequence(
    ended: RunFolder, end: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = ended.journal.read_bytes()
    ended.journal.write_bytes(whole[:-1] + end)
    assert cli.main(["fsck", str(ended.path)]) == 1
    said = capsys.readouterr().out
    assert f"by standing.json it had {len(whole):,} bytes when the run ended" in said
    assert "nothing rests on them" not in said


def test_after_an_amendment_the_journal_is_asked_again(ended: RunFolder) -> None:
    amended = to_the_end().happen(BudgetAmended(at=1e3, trials=9)).write(ended.path.parent / "amended")
    amended.journal.replace(ended.journal)
    standing = standing_now(ended, None)
    assert standing.view.budget == 9
    assert standing.view.resumable


def test_a_folder_that_was_moved_has_its_new_name(ended: RunFolder, tmp_path: Path) -> None:
    moved = RunFolder(ended.path.rename(tmp_path / "elsewhere"))
    standing = last_standing(moved)
    assert standing is not None
    assert standing.folder == str(moved.path)


def test_nothing_is_kept_of_a_run_that_can_go_on(tmp_path: Path) -> None:
    run = RecordedRun().begin().settle(5, always(1.0))
    assert not kept(run, run.write(tmp_path / "one")).standing.exists()
    run.happen(StopRequested(at=run.at, now=True))
    assert run.scheduler.state.end.why
    assert not kept(run, run.write(tmp_path / "two")).standing.exists()


def test_an_end_that_never_was_on_disk_is_not_kept(tmp_path: Path) -> None:
    """The scheduler knows it, and the commit failed."""
    run = to_the_end()
    folder = run.write(tmp_path / "wing-1")
    monitor = StandingMonitor(QuietMonitor(sys.stderr))
    monitor.opened(Opening(run.spec, folder.path, "tcp://10.0.0.1:5555", resumed=False))
    earlier = RecordedRun(SPEC.replace("trials: 20", "trials: 6")).begin().settle(5, always(1.0))
    for event in earlier.events:
        monitor.observed(event, earlier.scheduler.state)
    monitor.closed(run.scheduler.state)
    assert not folder.standing.exists()
