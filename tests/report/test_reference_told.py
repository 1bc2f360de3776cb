"""The reference of a run, where people look: in tables, in a status, on the page, and in what explains it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always
from shown_runs import closing

from orchestrator import cli
from orchestrator.report.following.runs import read_run
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import BoundsAmended

TODAY = {"span": 3.0, "sweep": 20.0, "ribs": 7, "skin": "foam"}
REFERENCED = SPEC + "initial: {reference: {span: 3, sweep: 20, ribs: 7, skin: foam}}\n"


class ReferencedRun(RecordedRun):
    """One that begins with its reference."""

    def happen(self, event: ev.Event) -> RecordedRun:
        if isinstance(event, ev.RunStarted):
            event = replace(event, points=(TODAY,), reference=True)
        return super().happen(event)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    run = ReferencedRun(REFERENCED)
    run.begin().settle(6, lambda trial: 8.25 if trial == 1 else 9.0 - 0.5 * trial)
    return str(run.write(tmp_path / "logs" / "wing-1").path)


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(list(command)) == 0
    return capsys.readouterr().out


def test_trials_mark_it_and_explain_says_what_it_is_for(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(said_by(capsys, "trials", folder, "--format", "json"))
    assert [row["message"] for row in rows[:2]] == ["the reference", None]
    assert "It is the reference, which is tried first: the best is measured against it." in said_by(
        capsys, "explain", folder, "1"
    )


def test_a_status_says_what_was_measured_of_it(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said_by(capsys, "status", folder)
    assert "against the reference: drag = 8.25 (trial 1)\n" in text
    assert "        span = 3 m, sweep = 20 deg, ribs = 7, skin = foam\n" in text
    told = json.loads(said_by(capsys, "status", folder, "--format", "json"))
    assert (told["reference"], told["reference_trial"]) == (8.25, 1)
    assert told["reference_parameters"] == TODAY


def test_before_it_has_a_value_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ReferencedRun(REFERENCED)
    place = str(run.begin().write(tmp_path / "logs" / "wing-2").path)
    assert "against the reference: no value (trial 1)\n" in said_by(capsys, "status", place)


def test_a_value_that_does_not_count_any_more_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ReferencedRun(REFERENCED)
    run.begin().settle(3, always(8.25))
    run.happen(BoundsAmended(at=run.at + 1.0, bounds={"span": (4.0, 8.0)}, request="amend-1"))
    place = str(run.write(tmp_path / "logs" / "wing-4").path)
    assert "against the reference: drag = 8.25 (trial 1), which does not count any more\n" in said_by(
        capsys, "status", place
    )
    told = json.loads(said_by(capsys, "status", place, "--format", "json"))
    assert (told["reference"], told["reference_trial"]) == (None, 1)


def test_the_page_draws_a_line_at_its_value(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(said_by(capsys, "report", folder).strip()).read_text()
    assert "dashed: what was measured of the reference, 8.25" in page
    assert page.count('stroke-dasharray="6 4"') == 1


def test_the_end_says_which_command_tells_by_how_much_the_best_is_better(folder: str) -> None:
    words = closing(read_run(RunFolder(Path(folder))))
    assert f"By how much the best is better than the reference: orchestrator compare {folder}\n" in words


def test_a_run_without_one_says_nothing_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = RecordedRun()
    run.begin().settle(3, always(2.0))
    place = str(run.write(tmp_path / "logs" / "wing-3").path)
    assert "reference" not in said_by(capsys, "status", place)
    page = Path(said_by(capsys, "report", place).strip()).read_text()
    assert 'stroke-dasharray="6 4"' not in page


def test_best_tells_its_schedule_beside_a_reference_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = REFERENCED.replace("ribs: 7", "ribs: 30").replace("budget: {trials: 20}", "budget: {cost: 9}")
    run = ReferencedRun(f"{text}fidelity: {{parameter: ribs, cost: ribs, continues: true}}\n").begin(
        workers=1
    )
    run.give(8.0)
    for span, ribs, value, continues in ((2.0, 15, 7.0, 0), (4.0, 30, 5.0, 2)):
        point = {**TODAY, "span": span, "ribs": ribs}
        suggested = ev.Suggested(parameters=point, cost=0.5, continues=continues)
        asked = run.asks.popleft().ask
        run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=asked, suggestions=(suggested,)))
        told = run.evaluations.popleft()
        came = {"worker": told.worker, "lease": told.lease, "continued": continues > 0}
        run.happen(ev.ResultArrived(at=run.at + 1.0, value=value, **came))
    path = str(run.write(tmp_path / "logs" / "wing-1").path)
    monkeypatch.setattr("orchestrator.report.models.differences.best_against_reference", lambda _: None)
    said = said_by(capsys, "best", path)
    assert "To ribs = 15 (trial 2): span = 2" in said
    assert "To ribs = 30 (trial 3): span = 4" in said
