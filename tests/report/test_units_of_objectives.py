"""An objective's unit stands behind its values, and in the heads of tables and the axes of charts."""

from __future__ import annotations

from pathlib import Path

from recorded_runs import SPEC, RecordedRun
from shown_runs import followed
from traded_off_runs import traded_off

from orchestrator.report.explained.explain import explain
from orchestrator.report.html.page import page
from orchestrator.report.tables.best import best_lines, best_table
from orchestrator.report.tables.trade_offs import trade_offs_table
from orchestrator.report.tables.trials import trials_table

OF_ONE = SPEC.replace("goal: minimise}", "goal: minimise, unit: kN}")
OF_TWO = SPEC.replace(
    "objective: {name: drag, goal: minimise}",
    "objectives: [{name: drag, goal: minimise, unit: kN}, {name: lift, goal: maximise}]\nalgorithm: random",
)


def test_the_best_value_is_told_with_its_unit(tmp_path: Path) -> None:
    run = RecordedRun(OF_ONE).begin().settle(3, float)
    read = followed(run, tmp_path)
    assert best_table(read).rows[0] == ["drag", 1.0, "kN"]
    view = run.chronicle.view(run.scheduler.state, run.at)
    assert view.found.best is not None
    assert best_lines(view, view.found.best)[0] == ("best", "drag = 1 kN (trial 1)")
    told = page(read, run.events, False)
    assert "drag (kN)" in told
    assert ">1 kN<" in told


def test_a_choice_is_explained_with_it() -> None:
    run = RecordedRun(OF_ONE).begin().settle(3, float)
    words = explain(run.spec, run.scheduler.state.policy, run.events, 3)
    assert "Predicted there: drag = 5 kN ± 0.5 (one standard deviation)" in words
    assert "drag = 3 kN, after 1.0 s" in words


def test_of_several_objectives_each_may_have_one(tmp_path: Path) -> None:
    run = traded_off((5.0, 1.0), (6.0, 3.0), spec_text=OF_TWO)
    read = followed(run, tmp_path)
    assert trade_offs_table(read.spec, read.state).columns[:3] == ("trial", "drag (kN)", "lift")
    words = explain(run.spec, run.scheduler.state.policy, run.events, 2)
    assert "drag = 6 kN, lift = 3, after" in words


def test_the_trials_have_it_in_their_heads_for_people_and_not_for_programs(tmp_path: Path) -> None:
    table = trials_table(followed(RecordedRun(OF_ONE).begin().settle(3, float), tmp_path))
    assert "drag (kN)  span (m)  sweep (deg)  ribs  skin" in table.written("table").splitlines()[0]
    assert table.written("csv").splitlines()[0].startswith("trial,state,drag,span,sweep,ribs,skin,")
    assert '"drag": 1.0' in table.written("json")
