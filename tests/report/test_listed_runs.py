"""Runs that lie together are listed, a line each: how it stands and what it found; none hides another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab_of_runs import SHORT, damaged, kept, of_another_version, run_of
from recorded_runs import SPEC, RecordedRun
from traded_off_runs import WINGS, traded_off

from orchestrator import cli, minimise
from orchestrator.errors import UsageError
from orchestrator.report.following import listing
from orchestrator.report.following.listing import RunsMeant, listed, listed_runs
from orchestrator.report.html.several_runs import Several
from orchestrator.report.tables.runs import runs_table, runs_words
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import RunPaused


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """One of each, a day apart, and things that are no runs."""
    logs = tmp_path / "logs"
    run_of(day=5).write(logs / "ended")
    run_of(values=(3.0, None), day=4, seed=7).write(logs / "killed")
    damaged(logs / "damaged", run_of(day=3))
    of_another_version(logs / "newer", run_of())
    (logs / "begun").mkdir()
    (logs / "begun" / "lock").touch()
    (logs / "figures").mkdir()
    (logs / "notes.txt").write_text("of the 3rd of January\n")
    return logs


def test_each_is_told_as_status_tells_it_the_newest_first_and_none_hides_another(logs: Path) -> None:
    found = {run.name: run for run in listed_runs([], logs)}
    dated = [run.name for run in found.values() if run.begun is not None]
    assert dated == ["ended", "killed", "damaged"]
    assert {name: run.state for name, run in found.items()} == {
        "ended": "ended",
        "killed": "interrupted",
        "damaged": "damaged",
        "newer": "unreadable",
        "begun": "interrupted",
    }
    ended, killed = found["ended"], found["killed"]
    assert (ended.why, ended.trials, ended.failed, ended.best) == (
        "every trial of the budget is settled",
        4,
        0,
        1.5,
    )
    assert (ended.best_words, ended.begun_words, ended.resumable) == ("drag = 1.5", "2026-01-05 09:30", False)
    assert (killed.trials_words, killed.failed, killed.seed, killed.resumable) == ("2 of 4", 1, 7, True)
    assert (found["damaged"].experiment, found["damaged"].algorithm) == ("wing", "auto")
    assert "line 3 is damaged" in found["damaged"].why
    assert found["begun"].why == "it ended before it had begun"


def test_one_that_somebody_works_on_is_running_and_one_that_was_paused_is_paused(tmp_path: Path) -> None:
    folder = run_of(values=(2.0,)).write(tmp_path / "logs" / "wing")
    with folder.lock():
        assert listed(folder.path).state == "running"
    paused = run_of(values=(2.0,)).happen(RunPaused(at=9.0)).write(tmp_path / "logs" / "wing-2")
    with paused.lock():
        told = listed(paused.path)
    assert (told.state, told.why, told.resumable) == ("paused", "paused: nothing new is started", False)


def test_of_one_that_is_over_no_event_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = run_of().write(tmp_path / "wing")
    before = listed(folder.path)
    kept(run_of(), folder)
    monkeypatch.setattr(listing, "read_run", lambda _: pytest.fail("its journal is replayed"))
    assert listed(folder.path) == before


def test_a_journal_that_lost_its_end_is_told_with_what_is_left_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = kept(run_of(), run_of().write(tmp_path / "wing"))
    lines = folder.journal.read_bytes().splitlines(keepends=True)
    folder.journal.write_bytes(b"".join(lines[:6]))
    told = listed(folder.path)
    assert (told.state, told.trials) == ("damaged", 1)
    assert told.why.startswith("the journal is cut short: by standing.json it had")
    assert cli.main(["status", str(folder.path)]) == 0
    said = capsys.readouterr().out
    assert f"state   damaged: {told.why.split('. See')[0]}\n" in said
    assert "put a copy back, if there is one, before a resume goes on" in said
    assert cli.main(["status", str(folder.path), "--format", "json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["state"], status["completed"]) == ("damaged", 1)
    assert status["cut_short"].startswith("by standing.json it had")


def test_what_stands_for_a_best_value_is_told_where_there_is_none(tmp_path: Path) -> None:
    traded = listed(traded_off(*WINGS).write(tmp_path / "traded").path)
    assert (traded.best, traded.best_words) == (None, "3 trade-offs")
    insight = {"crossing": {"above": 0.41, "low": 0.3, "high": 0.5, "misclassified": 0.1}}
    crossing = RecordedRun(SPEC.replace("goal: minimise", "threshold: 5, unit: N")).begin()
    told = ev.SuggestionsMade(at=1.0, ask=1, suggestions=(), insight=insight)
    crossed = listed(crossing.happen(told).write(tmp_path / "crossed").path)
    assert (crossed.best_words, crossed.goal) == ("41 % above 5 N", None)
    nothing = listed(run_of(values=(None,)).write(tmp_path / "nothing").path)
    assert (nothing.best, nothing.best_words, nothing.failed) == (None, "", 1)


def test_whatever_is_wrong_with_a_run_has_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "journal.jsonl").touch()
    odd = run_of().write(tmp_path / "odd")
    odd.spec.unlink()
    search = tmp_path / "search.jsonl"
    minimise(lambda p: p["x"], {"x": (0.0, 1.0)}, 2, algorithm="sobol", store=search)
    content = search.read_bytes()
    (tmp_path / "bad.jsonl").write_bytes(content.replace(b'"TrialTold"', b'"TrialTolt"'))
    found = {run.name: run for run in listed_runs([tmp_path], Path("logs"))}
    assert {name: run.state for name, run in found.items()} == {
        "empty": "unreadable",
        "odd": "unreadable",
        "search.jsonl": "ended",
        "bad.jsonl": "damaged",
    }
    assert (found["search.jsonl"].of_python, found["search.jsonl"].mode) == (True, None)

    def broken(_: RunFolder) -> None:
        raise LookupError("wing")

    monkeypatch.setattr(listing, "read_run", broken)
    assert listed(odd.path).why.startswith("LookupError: wing; orchestrator status ")


def test_people_see_what_there_is_room_for_and_below_it_what_is_wrong(logs: Path) -> None:
    runs = listed_runs([logs / "ended", logs / "damaged", Path("killed")], logs)
    head, *lines = runs_words(runs, 60).splitlines()
    assert head.split() == ["run", "state", "trials", "best", "failed", "algorithm"]
    assert lines[0].split() == ["ended", "ended", "4", "of", "4", "drag", "=", "1.5", "0", "auto"]
    assert "line 3 is damaged" in " ".join(lines[-4:])
    written = runs_table(runs).written("csv").splitlines()
    assert written[0].startswith("name,path,experiment,algorithm,seed,mode,state,why,trials,")
    assert len(written) == 4


def test_an_experiment_is_asked_for_by_its_name(logs: Path) -> None:
    run_of(SHORT.replace("experiment: wing", "experiment: tail")).write(logs / "other")
    assert [run.name for run in listed_runs([], logs, "tail")] == ["other"]
    meant = RunsMeant([], logs, "tail")
    assert meant.paths() == [logs / "other"]
    run_of(SHORT.replace("experiment: wing", "experiment: tail"), day=9).write(logs / "since")
    assert meant.paths() == [logs / "other", logs / "since"]
    with pytest.raises(UsageError, match=r"got tial \(did you mean `tail`\?\)"):
        listed_runs([], logs, "tial")
    with pytest.raises(UsageError, match="found none"):
        listed_runs([logs / "figures"], logs)
    with pytest.raises(UsageError, match=r"under nowhere/, which does not exist\. Start one"):
        listed_runs([], Path("nowhere"))


def test_what_the_system_does_not_let_anybody_look_at_is_told_in_words(tmp_path: Path) -> None:
    """A name that is too long is one for root, too, whom permissions do not stop."""
    beyond = tmp_path / ("x" * 300)
    with pytest.raises(UsageError, match=r"can be looked into, got .*: File name too long"):
        listed_runs([beyond], Path("logs"))
    told = listed(beyond / "wing")
    assert told.state == "unreadable"
    assert told.why == f"expected to read {beyond / 'wing'}, got: File name too long"
    assert Several([(told, None)], tmp_path / "runs.html").link(told, None) == "wing"
