"""What people see of a run whose best point drifts: its trials, its page, and what is said of its end."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from recorded_runs import SPEC, RecordedRun, parameters
from shown_runs import followed

from orchestrator.report.explained.explain import explain
from orchestrator.report.html.page import page
from orchestrator.report.tables.trials import trials_table
from orchestrator.scheduler import events as ev
from orchestrator.spec.policy_of_spec import policy_of

CLOCKED = SPEC.replace("parameters:\n", "parameters:\n  hours: {type: float, bounds: [0, 48], unit: h}\n")
CLOCKED += "clock: hours\n"


def drifting(*drags: float, spec_text: str = CLOCKED) -> RecordedRun:
    """A run whose trials came to so much drag, one after the other."""
    run = RecordedRun(spec_text).begin(workers=1)
    for drag in drags:
        ask = run.asks.popleft()
        made = ev.Suggested(parameters={**parameters(ask.first_trial), "hours": 0.0}, why={"source": "model"})
        run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(made,)))
        run.give(drag)
    return run


def notes(run: RecordedRun, tmp_path: Path) -> list[str]:
    rows = csv.DictReader(io.StringIO(trials_table(followed(run, tmp_path)).written("csv")))
    return [row["message"] for row in rows]


def test_that_none_is_the_best_of_now_is_no_note_of_each_trial(tmp_path: Path) -> None:
    run = drifting(3.0, 6.0)
    assert notes(run, tmp_path)[:2] == ["", ""]
    assert "still learned from" not in explain(run.spec, policy_of(run.spec), run.events, 1)


def test_what_keeps_a_trial_of_its_own_from_being_the_best_is_said_all_the_same(tmp_path: Path) -> None:
    run = drifting(3.0, spec_text=CLOCKED + "held: {skin: carbon}\n")
    run.happen(ev.HeldAmended(at=run.at + 1.0, by="ada", held={"skin": "foam"}))
    assert notes(run, tmp_path)[0] == "not at skin = foam, still learned from"


def test_the_page_draws_the_trials_and_no_best_so_far(tmp_path: Path) -> None:
    run = drifting(3.0, 6.0)
    document = page(followed(run, tmp_path), run.events, held=False)
    assert "What came of the trials" in document
    assert "the line is the best so far" not in document
