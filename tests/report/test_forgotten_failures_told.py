"""A failure, or what was foreseen of a stopped trial, that was forgotten: whoever looks is told so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import SPEC, RecordedRun

from orchestrator.cli import main
from orchestrator.report.explained.explain import explain
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.html.page import page
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.amendment import amendment_words
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.words.story import story
from orchestrator.spec.begun.added_results import read_added_results

ONCE = SPEC.replace("timeout: 60 s", "attempts: 1, stop_when: {quantity: loss, chance_below: 0.1}")
REASON = "stopped at step 2, where loss was 9"
FORECAST = ev.Forecast(mean=8.5, deviation=0.25, chance=0.01)


@pytest.fixture
def run() -> RecordedRun:
    """Trial 1 has a value, 2 and 3 failed, 4 was stopped; of these, 2 and 4 are forgotten."""
    run = RecordedRun(ONCE).begin(workers=1).settle(3, {1: 5.0, 2: None, 3: None}.get)
    run.happen(ev.TrialFoundUnlikely(at=9.0, lease="4.1", reason=REASON, forecast=FORECAST))
    run.answer_asks()
    return run.happen(ev.ObservationsForgotten(at=60.0, trials=(2, 4), reason="unplugged", by="ada"))


@pytest.fixture
def followed(run: RecordedRun, tmp_path: Path) -> FollowedRun:
    return read_run(run.write(tmp_path / "run"))


def rows_of(run: FollowedRun) -> list[dict[str, Any]]:
    table = trials_table(run)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_trials_says_what_became_of_each_and_why_it_does_not_count(followed: FollowedRun) -> None:
    _, failed, still, stopped, *_ = rows_of(followed)
    assert failed["message"] == (
        "forgotten (it failed): unplugged; error: RuntimeError: it broke\n"
        "  File 'wings.py'\n\x1b[31mdeep inside"
    )
    assert still["message"].startswith("error: RuntimeError")
    assert stopped["message"] == f"forgotten (it was stopped): unplugged; {REASON}"
    assert [row["state"] for row in (failed, still, stopped)] == ["forgotten", "failed", "forgotten"]
    assert (stopped["foreseen"], stopped["foreseen_deviation"]) == (None, None)


def test_what_a_person_refused_in_the_middle_is_told_as_refused_and_not_as_failed() -> None:
    run = RecordedRun(ONCE).begin(workers=1).settle(1, {1: 5.0}.get)
    run.happen(ev.TrialRefused(at=9.0, trial=2, reason="well lost", by="ada", forgotten=True))
    words = explain(run.spec, run.scheduler.state.policy, run.events, 2).partition("What came of it\n")[2]
    assert [line.strip() for line in words.splitlines()][:2] == [
        "Forgotten (it was refused): well lost.",
        "After 1 attempt it was refused: well lost.",
    ]


def test_who_asks_for_a_state_gets_the_trials_that_are_told_to_be_in_it(
    followed: FollowedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(state: str) -> list[tuple[int, str]]:
        assert main(["trials", str(followed.folder.path), "--state", state, "--format", "json"]) == 0
        return [(row["trial"], row["state"]) for row in json.loads(capsys.readouterr().out)]

    assert told("forgotten") == [(2, "forgotten"), (4, "forgotten")]
    assert told("failed") == [(3, "failed")]


def test_an_export_brings_no_forgotten_failure_to_another_run(followed: FollowedRun, tmp_path: Path) -> None:
    exported = tmp_path / "known.csv"
    exported.write_text(trials_table(followed).written("csv"))
    known, _ = read_added_results(followed.spec, [exported], [])
    assert [one.value for one in known] == [5.0, None]


def test_status_counts_what_is_forgotten_by_kind(run: RecordedRun) -> None:
    state = run.scheduler.state
    assert amendment_words(run.spec, state) == ("1 failure and 1 forecast forgotten",)
    run.happen(ev.ObservationsForgotten(at=61.0, trials=(1, 3), reason="unplugged"))
    assert amendment_words(run.spec, state) == ("1 value, 2 failures and 1 forecast forgotten",)


def test_explain_says_first_that_it_is_forgotten_and_then_what_it_was(run: RecordedRun) -> None:
    def explained(trial: int) -> list[str]:
        words = explain(run.spec, run.scheduler.state.policy, run.events, trial)
        return [line.strip() for line in words.partition("What came of it\n")[2].splitlines()]

    assert explained(2)[:2] == [
        "Forgotten (it failed): unplugged.",
        "It failed for good after 1 attempt, the last time so:",
    ]
    assert explained(4)[:3] == [
        "Forgotten (it was stopped): unplugged.",
        f"It was {REASON}.",
        "By its curve it would have come to drag = 8.5 ± 0.25, which is what the model was told until then.",
    ]
    assert "60.000 s  forgotten by ada: trial 2, trial 4, because: unplugged" in explained(2)
    assert explained(3)[0].startswith("It failed for good")


def test_the_story_of_the_run_says_it(run: RecordedRun) -> None:
    told = list(story(run.scheduler.state.policy, run.events))
    assert told[-1].endswith("forgotten by ada: trial 2, trial 4, because: unplugged")


def test_the_page_marks_what_counts_alone(run: RecordedRun, followed: FollowedRun) -> None:
    words = page(followed, run.events, held=False)
    assert "red crosses failed" in words
    assert "Failed: 1 trial, and 1 that is forgotten" in words
    assert "grey bars were stopped early" not in words
