"""What people see of a machine whose settings take time to change: what a trial changed, and what stayed."""

from __future__ import annotations

from pathlib import Path

from recorded_runs import SPEC, RecordedRun, explained, parameters
from shown_runs import followed

from orchestrator.report.following.standing import Standing
from orchestrator.report.tables.status import status_words
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.change import changes_so_far
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.event_parts import AT_THE_END, CHANGE, LATELY
from orchestrator.spec.sections.evaluation import PERSON

SLOW = SPEC.replace("bounds: [1.0, 9.0],", "bounds: [1.0, 9.0], change: 30 min,").replace(
    "timeout: 60 s}\nworkers: {local: 2}",
    "timeout: 60 s, takes: 6 min}\nworkers: {local: 1}\nmode: sequential",
)
CHANGED = {"takes": {"span": 1800.0}, "spared": {"ribs": 7200.0}, "evaluation_s": 360.0}


def changed(mean: float | None = None, spared: object = CHANGED["spared"], **more: object) -> RecordedRun:
    """The second trial changes something, and leaves something else; it runs."""
    run = RecordedRun(SLOW).begin(workers=1).answer_asks().give(4.0)
    ask = run.asks.popleft()
    why = {"source": "model", CHANGE: {**CHANGED, "spared": spared, **more}}
    made = ev.Suggested(parameters=parameters(ask.first_trial), why=why, mean=mean, deviation=1.0)
    return run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(made,)))


def test_a_trial_is_explained_by_what_it_changed_and_what_stayed_for_its_time() -> None:
    words = explained(changed(mean=2.0), 2)
    assert "What it changes takes time: span (30 min 00 s); an evaluation takes 6 min 00 s besides." in words
    assert (
        "Left as it stood, as changing it would have taken: ribs (2 h 00 min). By what was expected" in words
    )
    assert "evaluation_s" not in words


def test_before_there_is_a_model_it_is_said_how_long_it_stays() -> None:
    assert "(2 h 00 min). Where that cannot be weighed against what is expected" in explained(changed(), 2)


def test_what_stays_although_another_point_promised_more_is_told_so() -> None:
    assert "but evaluations since the last change had not taken a" in explained(
        changed(mean=2.0, stays=LATELY), 2
    )
    assert "After it no time would have been left" in explained(changed(mean=2.0, stays=AT_THE_END), 2)
    assert explained(changed(mean=2.0, stays="unheard of"), 2).count("Left as it stood") == 1


def test_of_reasons_that_are_none_nothing_is_said() -> None:
    assert "Left as it stood" not in explained(changed(spared=7), 2)


def test_the_table_of_trials_says_what_was_changed(tmp_path: Path) -> None:
    table = trials_table(followed(changed(), tmp_path))
    messages = [dict(zip(table.columns, row, strict=True))["message"] for row in table.rows]
    assert messages == [None, "changing span (30 min 00 s)"]


def test_how_long_all_changes_take_is_told_beside_the_evaluations() -> None:
    run = changed()
    words = "1 of 2 trials changed settings, which takes 30 min 00 s in all; evaluations take 12 min 00 s"
    assert changes_so_far(run.spec, run.scheduler.state) == run.view().changes == words


def test_before_anything_changed_nothing_is_told_of_it() -> None:
    assert RecordedRun(SLOW).begin(workers=1).answer_asks().view().changes == ""


def test_whoever_evaluates_is_told_beforehand_what_is_changed_and_how_long_that_takes() -> None:
    run = RecordedRun(SLOW.replace('evaluator: "wings:drag", timeout: 60 s', "evaluator: person"))
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00"))
    run.happen(ev.WorkerJoined(at=0.5, worker=PERSON, slots=1, local=True))
    run.answer_asks().give(4.0).answer_asks()
    assert [one.changes for one in run.view().wanted.expected] == ["changing span (30 min 00 s)"]
    words = status_words(Standing("wing-1", "logs/wing-1", run.view(), 0, 0), None)
    assert "record  trial 2: span = 1.2 m, sweep = 20 deg, ribs = 7, skin = carbon; changing span" in words
    assert "changes 1 of 2 trials changed settings, which takes 30 min 00 s in all; evaluations" in words
