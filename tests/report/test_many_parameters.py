"""A best point of hundreds of parameters is not poured into the terminal: `orchestrator best` has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import RecordedRun

from orchestrator.report.closing import closing_words
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.following.standing import standing_of
from orchestrator.report.html import parameters as page_of_parameters
from orchestrator.report.html.page import page
from orchestrator.report.tables.best import best_table
from orchestrator.report.tables.status import status_words
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import RunStarted


def of_many_parameters(folder: Path, count: int) -> FollowedRun:
    spec = (
        "experiment: wing\nobjective: {name: drag, goal: minimise}\nparameters:\n"
        + "".join(f"  x{i + 1}: {{type: float, bounds: [0, 1]}}\n" for i in range(count))
        + "algorithm: random\nbudget: {trials: 20}\nevaluation: {evaluator: 'wings:drag'}\n"
    )
    known = KnownResult(parameters={f"x{i + 1}": 0.5 for i in range(count)}, value=1.0)
    run = RecordedRun(spec).happen(RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    return read_run(run.write(folder / "logs" / "wing-1"))


@pytest.mark.parametrize(
    ("count", "more"), [(24, ""), (60, "and 36 more: orchestrator best"), (1811, "and 1,787 more")]
)
def test_the_first_of_them_are_shown_and_the_rest_counted(tmp_path: Path, count: int, more: str) -> None:
    run = of_many_parameters(tmp_path, count)
    closing = closing_words(run.spec, RunOutcome(run.folder.path, run.state, False, False, "")).splitlines()
    status = status_words(standing_of(run, None), None)
    for text in ("\n".join(closing), status):
        assert "x24" in text
        assert "x25" not in text
        assert more in text
        assert ("more" in text) == bool(more)
    assert len(closing) < 32
    assert max(map(len, status.splitlines())) < 400
    assert len(best_table(run).rows) == 2 + count


def test_the_page_says_in_the_singular_that_one_is_not_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of_parameters, "DRAWN", 3)
    run = read_run(RecordedRun().begin().settle(2, float).write(tmp_path / "logs" / "wing-1"))
    assert "1 more parameter is not drawn" in page(run, [], held=False)
