"""A value that was mistyped, and told anew as it was: whoever looks finds it under its own trial."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from recorded_runs import SPEC, RecordedRun
from varied_runs import heated, wings

from orchestrator.cli import main
from orchestrator.report.explained.explain import explain
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.html.page import page
from orchestrator.report.models.predictions import points_typed
from orchestrator.report.models.tolerances import run_tolerances
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.amendment import amendment_words
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.begun.added_results import read_added_results

TRADED = SPEC.replace(
    "objective: {name: drag, goal: minimise}", "objectives: {drag: minimise, lift: maximise}"
)


@pytest.fixture
def run() -> RecordedRun:
    """Trial 2 was 70 by mistake, and is 2.5: the best one, if less is better."""
    run = RecordedRun(SPEC).begin(workers=1).settle(3, {1: 5.0, 2: 70.0, 3: 4.0}.get)
    return correct(run, 2, 2.5)


def correct(run: RecordedRun, number: int, value: float, **outcomes: float) -> RecordedRun:
    told = ev.KnownResult(parameters=dict(trial(run, number).parameters), value=value, outcomes=outcomes)
    return told_anew(run, number, told, "mistyped")


def told_anew(run: RecordedRun, number: int, told: ev.KnownResult, reason: str) -> RecordedRun:
    """What one amendment forgets and tells anew."""
    run.happen(ev.ResultsAdded(at=60.0, results=(told,), request=reason))
    return run.happen(ev.ObservationsForgotten(at=60.0, trials=(number,), reason=reason, request=reason))


def trial(run: RecordedRun, number: int) -> Trial:
    return run.scheduler.state.trials[number]


@pytest.fixture
def followed(run: RecordedRun, tmp_path: Path) -> FollowedRun:
    return read_run(run.write(tmp_path / "run"))


def row_of(run: FollowedRun, number: int) -> dict[str, Any]:
    table = trials_table(run)
    return next(
        told for row in table.rows if (told := dict(zip(table.columns, row, strict=True)))["trial"] == number
    )


def test_tables_have_the_value_as_it_was_corrected(followed: FollowedRun) -> None:
    row = row_of(followed, 2)
    assert (row["state"], row[followed.spec.objective.name]) == ("completed", 2.5)
    assert row["message"] == "corrected to 2.5 (it was 70): mistyped"


def test_what_keeps_a_corrected_value_from_being_the_best_is_said_beside_it(tmp_path: Path) -> None:
    run = heated(3)
    run.happen(ev.BoundsAmended(at=run.at, bounds={"span": (1.0, 5.0)}))
    row = row_of(read_run(correct(run, 1, -4.0, heat=20.0).write(tmp_path / "run")), 1)
    assert row["message"].endswith("): mistyped; outside the amended bounds, left out of the model")


def test_status_counts_what_was_corrected_as_that_however_often_it_was(run: RecordedRun) -> None:
    state = run.scheduler.state
    assert amendment_words(run.spec, state) == ("1 value corrected",)
    wrong = state.observed[-1]
    told = ev.KnownResult(parameters=dict(wrong.parameters), value=2.6)
    run.happen(ev.ResultsAdded(at=61.0, results=(told,), request="again"))
    run.happen(ev.ObservationsForgotten(at=61.0, trials=(wrong.number,), reason="again", request="again"))
    assert amendment_words(run.spec, state) == ("1 value corrected",)
    run.happen(ev.ObservationsForgotten(at=62.0, trials=(1, state.observed[-1].number), reason="broken"))
    assert amendment_words(run.spec, state) == ("2 values forgotten",)
    elsewhere = ev.KnownResult(parameters={**wrong.parameters, "span": 7.25}, value=1.0)
    run.happen(ev.ResultsAdded(at=63.0, results=(elsewhere,)))
    assert amendment_words(run.spec, state) == ("2 values forgotten", "1 known result added")


def test_an_export_takes_the_corrected_value_to_another_run(followed: FollowedRun, tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text(trials_table(followed).written("csv"))
    known, _ = read_added_results(followed.spec, [tmp_path / "known.csv"], [])
    assert [one.value for one in known] == [5.0, 2.5, 4.0]


def test_the_best_one_is_the_trial_that_was_corrected(
    followed: FollowedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", str(followed.folder.path), "--format", "json"]) == 0
    best = json.loads(capsys.readouterr().out)
    assert (best["trial"], best["state"], best[followed.spec.objective.name]) == (2, "completed", 2.5)
    assert main(["best", str(followed.folder.path)]) == 0
    assert "trial 2" in " ".join(capsys.readouterr().out.split())
    assert main(["status", str(followed.folder.path)]) == 0
    assert "best drag = 2.5 (trial 2)" in " ".join(capsys.readouterr().out.split())


def test_a_best_one_that_was_known_before_the_run_is_no_trial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = RecordedRun(SPEC).begin(workers=1).settle(1, {1: 5.0}.get)
    elsewhere = {"span": 2.0, "sweep": 1.0, "ribs": 3, "skin": "foam"}
    run.happen(ev.ResultsAdded(at=60.0, results=(ev.KnownResult(parameters=elsewhere, value=0.5),)))
    assert main(["best", str(run.write(tmp_path / "run").path), "--format", "json"]) == 0
    best = json.loads(capsys.readouterr().out)
    assert (best["trial"], best["drag"], best["message"]) == (0, 0.5, None)


def test_a_trade_off_is_the_trial_that_was_corrected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = RecordedRun(TRADED).begin(workers=1).settle(1, {1: 70.0}.get)
    folder = correct(run, 1, 5.0, lift=2.0).write(tmp_path / "run").path
    for form in ("table", "json"):
        assert main(["best", str(folder), "--format", form]) == 0
        told = capsys.readouterr().out
        assert [row["trial"] for row in json.loads(told)] == [1] if form == "json" else "known" not in told
    assert main(["status", str(folder), "--format", "json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert [one["trial"] for one in status["front"]] == [1]


def test_who_asks_for_what_is_forgotten_or_completed_is_told_of_it_as_completed(
    followed: FollowedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    for state, numbers in (("forgotten", []), ("completed", [1, 2, 3])):
        assert main(["trials", str(followed.folder.path), "--state", state, "--format", "json"]) == 0
        assert [row["trial"] for row in json.loads(capsys.readouterr().out)] == numbers


def test_the_page_draws_and_ranks_it_as_if_it_had_been_told_so_at_once(
    run: RecordedRun, tmp_path: Path
) -> None:
    at_once = RecordedRun(SPEC).begin(workers=1).settle(3, {1: 5.0, 2: 2.5, 3: 4.0}.get)
    assert results_on_page(run, tmp_path / "anew") == results_on_page(at_once, tmp_path / "at once")


def test_trade_offs_are_drawn_as_if_they_had_been_told_so_at_once(tmp_path: Path) -> None:
    drawn = []
    for gain in (70.0, 5.0):
        run = RecordedRun(TRADED).begin(workers=1).answer_asks().give(gain, {"lift": 2.0})
        if gain == 70.0:
            correct(run, 1, 5.0, lift=2.0)
        drawn.append(results_on_page(run, tmp_path / f"{gain}"))
    assert drawn[0] == drawn[1]


def results_on_page(run: RecordedRun, folder: Path) -> str:
    shown = page(read_run(run.write(folder)), run.events, held=False)
    return shown[shown.index("<h2>") : shown.index("<h2>What the optimiser believed")]


def test_a_prediction_is_of_the_trial_that_was_corrected(followed: FollowedRun) -> None:
    best = points_typed(followed, ["span=3"]).best
    assert best is not None
    assert best.number == 2


def test_tolerances_are_of_the_trial_that_was_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = wings(8)
    correct(run, 3, 0.5)

    def the_best_is_best(*told: Any) -> SimpleNamespace:
        best = told[-1].best
        return SimpleNamespace(best=best, tried=best, found=None, value=None, outcomes={}, failed=0)

    monkeypatch.setattr("orchestrator.report.models.tolerances.analyse_tolerances", the_best_is_best)
    told = run_tolerances(read_run(run.write(tmp_path / "run")), {"span": 0.1})
    assert (told.best.number, told.tried.number) == (3, 3)


def test_explain_says_what_it_was_corrected_to(run: RecordedRun, followed: FollowedRun) -> None:
    told = explain(run.spec, run.scheduler.state.policy, run.events, 2)
    assert "Corrected to 2.5 (it was 70): mistyped." in told


def test_what_is_corrected_again_is_as_it_was_told_last(run: RecordedRun, tmp_path: Path) -> None:
    told_anew(run, 0, ev.KnownResult(parameters=dict(trial(run, 2).parameters), value=3.5), "mistyped again")
    row = row_of(read_run(run.write(tmp_path / "run")), 2)
    assert row["message"] == "corrected to 3.5 (it was 70): mistyped"


@pytest.mark.parametrize("told_at", ["before the trial", "before it is forgotten", "afterwards"])
def test_another_result_of_the_same_point_that_was_not_told_in_its_place_corrects_nothing(
    told_at: str, tmp_path: Path
) -> None:
    run = RecordedRun(SPEC).begin(workers=1).settle(1, {1: 5.0}.get)
    known = ev.KnownResult(parameters=dict(trial(run, 2).parameters), value=3.5)
    told = ev.ResultsAdded(at=50.0, results=(known,), request="a colleague's")
    if told_at == "before the trial":
        run.happen(told)
    run.settle(1, {2: 70.0}.get)
    if told_at == "before it is forgotten":
        run.happen(told)
    run.happen(ev.ObservationsForgotten(at=60.0, trials=(2,), reason="unplugged", request="forget"))
    if told_at == "afterwards":
        run.happen(told)
    row = row_of(read_run(run.write(tmp_path / "run")), 2)
    assert (row["state"], row["message"]) == ("forgotten", "forgotten (it was 70): unplugged")
