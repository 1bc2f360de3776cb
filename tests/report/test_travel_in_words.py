"""What people see of a machine that may travel only so far: which trials were on the way, and to where."""

from __future__ import annotations

from pathlib import Path

from recorded_runs import SPEC, RecordedRun, parameters
from shown_runs import followed

from orchestrator.report.explained.explain import explain
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.travel import on_the_way_words
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.event_parts import ON_THE_WAY, Suggested
from orchestrator.scheduler.trial import Trial


def travelled(towards: str) -> RecordedRun:
    """One trial on the way to where something was."""
    run = RecordedRun(SPEC).begin(workers=1)
    ask = run.asks.popleft()
    why = {"source": ON_THE_WAY, "for": towards, "towards": {"span": 9.0, "ribs": 4}}
    made = ev.Suggested(parameters=parameters(ask.first_trial), why=why)
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(made,)))
    return run.give(3.0)


def test_a_trial_on_the_way_is_explained_by_where_it_leads() -> None:
    run = travelled("model")
    words = explain(run.spec, run.scheduler.state.policy, run.events, 1)
    assert (
        "It is on the way to span = 9, ribs = 4: there the model, given every result so far, promised most,"
        " and it lies as far on that way as settings may travel at once." in words
    )
    assert "towards" not in words
    assert "Predicted there" not in words


def test_what_is_held_and_the_clock_are_not_travelled() -> None:
    why = {"source": ON_THE_WAY, "towards": {"span": 9.0, "hours": 0.002273000006, "batch": "may"}}
    held = {"hours": 0.0024, "batch": "may"}
    trial = Trial(1, Suggested(parameters={"span": 3.0, **held}, why=why), 0.0, held=held)
    assert on_the_way_words(trial) == "on the way to span = 9"


def test_one_on_the_way_to_the_start_design_says_so() -> None:
    run = travelled("start design")
    words = explain(run.spec, run.scheduler.state.policy, run.events, 1)
    assert "there the start design has a point, which spreads them until there is a model, and" in words


def test_the_table_of_trials_says_where_it_leads(tmp_path: Path) -> None:
    table = trials_table(followed(travelled("model"), tmp_path))
    (row,) = table.rows
    assert dict(zip(table.columns, row, strict=True))["message"] == "on the way to span = 9, ribs = 4"
