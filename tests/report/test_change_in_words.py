"""What people see of a machine whose settings take time to change: what a trial changed, and what stayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recorded_runs import SPEC, RecordedRun, parameters
from shown_runs import followed

from orchestrator.report.explained.explain import explain
from orchestrator.report.tables.trials import trials_table
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.event_parts import CHANGE

CHANGED = {"takes": {"span": 1800.0}, "spared": {"ribs": 7200.0}, "evaluation_s": 360.0}


def changed(mean: float | None = None, **told: Any) -> RecordedRun:
    """One trial that changes something, and leaves something else."""
    run = RecordedRun(SPEC).begin(workers=1)
    ask = run.asks.popleft()
    why = {"source": "model", CHANGE: {**CHANGED, **told}}
    made = ev.Suggested(parameters=parameters(ask.first_trial), why=why, mean=mean, deviation=1.0)
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(made,)))
    return run.give(3.0)


def explained(run: RecordedRun) -> str:
    return explain(run.spec, run.scheduler.state.policy, run.events, 1)


def test_a_trial_is_explained_by_what_it_changed_and_what_stayed_for_its_time() -> None:
    words = explained(changed(mean=2.0))
    assert "What it changes takes time: span (30 min 00 s); an evaluation takes 6 min 00 s besides." in words
    assert (
        "Left as it stood, as changing it would have taken: ribs (2 h 00 min). By what was expected" in words
    )
    assert "evaluation_s" not in words


def test_before_there_is_a_model_it_is_said_how_long_it_stays() -> None:
    assert "(2 h 00 min). Until anything is predicted, what takes time stays" in explained(changed())


def test_of_reasons_that_are_none_nothing_is_said() -> None:
    words = explained(changed(takes={"span": "long"}, spared=7))
    assert "takes time" not in words
    assert "Left as it stood" not in words


def test_the_table_of_trials_says_what_was_changed(tmp_path: Path) -> None:
    table = trials_table(followed(changed(), tmp_path))
    (row,) = table.rows
    assert dict(zip(table.columns, row, strict=True))["message"] == "changing span (30 min 00 s)"
