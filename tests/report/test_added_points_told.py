"""Of points that a person added it is told who wanted them and why, wherever a run is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import RecordedRun, always, parameters

from orchestrator import cli
from orchestrator.report.explained.explain import explain
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.words.story import story


def with_hunches(by: str = "Ada", reason: str = "a hunch") -> RecordedRun:
    run = RecordedRun().begin().settle(2, always(5.0))
    points = tuple({**parameters(number), "ribs": 9} for number in (40, 41))
    run.happen(ev.PointsAdded(at=run.at + 1.0, points=points, by=by, reason=reason))
    run.asks.clear()
    return run.settle(4, always(4.0))


def explained(run: RecordedRun, trial: int) -> str:
    return explain(run.spec, run.scheduler.state.policy, run.events, trial)


def added(run: RecordedRun) -> list[int]:
    return [number for number, trial in run.scheduler.state.trials.items() if trial.parameters["ribs"] == 9]


def test_a_trial_is_explained_by_the_word_of_who_wanted_it_and_by_no_model() -> None:
    run = with_hunches()
    why = explained(run, added(run)[0]).split("What came of it")[0]
    assert "  It was tried at the word of Ada: a hunch.\n  The best value then was 5.\n" in why
    assert "chose it" not in why
    nameless = with_hunches(by="", reason="")
    assert "  It was tried at a person's word.\n" in explained(nameless, added(nameless)[1])


def test_the_story_says_it_and_the_screen_when_it_happens_and_the_status_afterwards() -> None:
    run = with_hunches()
    said = "2 points are to be tried next, wanted by Ada: a hunch"
    assert any(line.endswith(said) for line in story(run.scheduler.state.policy, run.events))
    view = run.view()
    assert said in [happening.sentence for happening in view.happenings]
    assert "2 points added to be tried" in view.amended


def test_tables_say_it_beside_the_trial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = with_hunches()
    path = str(run.write(tmp_path / "logs" / "wing-1").path)
    assert cli.main(["export", path, "--format", "csv"]) == 0
    rows = [
        line for line in capsys.readouterr().out.splitlines() if "tried at the word of Ada: a hunch" in line
    ]
    assert [int(row.split(",")[0]) for row in rows] == added(run)


def test_what_waits_for_the_next_life_is_told_whole() -> None:
    request = Amend(points=[{"span": 3.5, "skin": "foam"}], reason="a hunch", by="Ada")
    assert request_words(request) == (
        "to be amended, by Ada: to be tried next: span = 3.5, skin = foam (a hunch)"
    )
