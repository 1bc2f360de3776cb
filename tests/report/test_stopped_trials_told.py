"""A trial that was stopped early: on a line, in counts, in a table, and in the pictures of a run's page."""

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from recorded_runs import SPEC, RecordedRun
from test_monitors import shown

from orchestrator.report.explained.explain import explain
from orchestrator.report.following.runs import read_run
from orchestrator.report.html.charts import RED, SOFT, best_chart
from orchestrator.report.html.curves import curves_chart
from orchestrator.report.html.page import page
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.tables.trials import trials_table
from orchestrator.scheduler import events as ev

STOPPING = SPEC.replace(
    '{evaluator: "wings:drag"', '{evaluator: "wings:drag", stop_when: {quantity: loss, chance_below: 0.1}'
)
CURVE = ((1, 9.0), (2, 4.0), (3, 3.0))
FORECAST = ev.Forecast(mean=8.5, deviation=0.25, chance=0.01)
REASON = "stopped at step 2, where loss was 9: with probability 0.01 it would have ended"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run() -> RecordedRun:
    """Trials 1 and 3 come to their ends, and 2 does not."""
    run = RecordedRun(STOPPING).begin().answer_asks()
    run.happen(ev.ResultArrived(at=2.0, worker="local-1", lease="1.1", value=5.0, curve=CURVE))
    run.happen(
        ev.TrialFoundUnlikely(
            at=3.0, lease="2.1", reason=REASON, forecast=FORECAST, curve=((1, 12.0), (2, 9.0))
        )
    )
    run.answer_asks()
    return run.happen(ev.ResultArrived(at=4.0, worker="local-1", lease="3.1", value=3.0, curve=CURVE[:2]))


def test_it_is_said_once_and_counted_apart(run: RecordedRun) -> None:
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    about = [line.partition("trial 2 ")[2] for line in stream.getvalue().splitlines() if "trial 2 " in line]
    assert about == [REASON]
    view = run.view()
    assert (view.trials.completed, view.trials.failed, view.trials.stopped, view.trials.settled) == (
        2,
        0,
        1,
        3,
    )
    assert view.found.best is not None
    assert view.found.best.trial == 3


def test_a_table_has_what_was_foreseen_beside_the_values(tmp_path: Path, run: RecordedRun) -> None:
    table = trials_table(read_run(run.write(tmp_path / "run")))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows[:3]]
    assert [row["state"] for row in rows] == ["completed", "stopped", "completed"]
    assert [row["drag"] for row in rows] == [5.0, None, 3.0]
    assert [(row["foreseen"], row["foreseen_deviation"]) for row in rows] == [
        (None, None),
        (8.5, 0.25),
        (None, None),
    ]
    assert rows[1]["message"] == REASON
    plain = trials_table(read_run(RecordedRun().begin().settle(2, lambda _: 1.0).write(tmp_path / "plain")))
    assert "foreseen" not in plain.columns


def test_the_page_draws_the_curves_and_marks_where_it_was_stopped(tmp_path: Path, run: RecordedRun) -> None:
    words = page(read_run(run.write(tmp_path / "run")), run.events, held=False)
    assert "What was reported of loss" in words
    assert "loss by step, of 3 evaluations, 1 of which were stopped early." in words
    assert "grey bars were stopped early" in words
    without = RecordedRun().begin().settle(2, lambda _: 1.0).write(tmp_path / "plain")
    assert "What was reported" not in page(read_run(without), [], held=False)


def test_why_an_attempt_failed_is_not_why_the_next_one_was_stopped() -> None:
    run = RecordedRun(STOPPING).begin(workers=1).answer_asks()
    run.happen(ev.FailureArrived(at=2.0, worker="local-1", lease="1.1", kind="error", message="it broke"))
    said = explain(run.spec, run.scheduler.state.policy, run.events, 1)
    assert "1 attempt failed before; the last time: error: it broke." in said
    run.happen(ev.TrialFoundUnlikely(at=3.0, lease="1.2", reason=REASON, forecast=FORECAST, curve=CURVE[:1]))
    said = explain(run.spec, run.scheduler.state.policy, run.events, 1)
    assert "1 attempt failed before." in said


def test_a_curve_is_a_line_and_one_reading_a_dot() -> None:
    root = ElementTree.fromstring(
        curves_chart([CURVE, ((1, 5.0),)], [((1, 9.0), (2, 8.0))], CURVE[:2], "loss")
    )
    assert [line.get("stroke") for line in root.findall(f"{SVG}polyline")][:2] == [SOFT, RED]
    assert len(root.findall(f"{SVG}polyline")) == 3
    assert len(root.findall(f"{SVG}circle")) == 1
    assert [mark.get("stroke") for mark in root.findall(f"{SVG}path")] == [RED]


@pytest.mark.parametrize("curves", [[((1, 5.0),)], [((1, 5.0), (2, 5.0))], [((1, -1e300), (2, 1e300))]])
def test_whatever_was_reported_can_be_drawn(curves: list) -> None:
    for best in (None, curves[0]):
        assert "nan" not in curves_chart(curves, curves, best, "loss")


def test_what_was_stopped_is_a_bar_below_the_values() -> None:
    root = ElementTree.fromstring(best_chart([(1, 3.0)], [(1, 3.0)], [], [2], "drag"))
    assert [mark.get("stroke") for mark in root.findall(f"{SVG}path")] == [SOFT]


def test_of_several_that_one_moment_settled_each_is_told_with_its_own(run: RecordedRun) -> None:
    """The journal is written some events at a time, and told of afterwards."""
    again = RecordedRun(STOPPING)
    state = again.scheduler.state
    for event in run.events:
        again.scheduler.handle(event)
    told = [again.chronicle.take(event, state) for event in run.events]
    settled = [[trial.number for trial in taken.settled] for taken in told]
    assert [numbers for numbers in settled if numbers] == [[1], [2], [3]]
