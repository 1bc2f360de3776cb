"""What a person and a program read of a noisy run: the best value, and the trial believed best."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from recorded_runs import RecordedRun
from rich.console import Console

from orchestrator.report.closing import closing_words
from orchestrator.report.json_lines import JsonLinesMonitor
from orchestrator.report.page import page
from orchestrator.report.run_tables import best_table, status_table, status_words
from orchestrator.report.runs import read_run
from orchestrator.report.screen import screen
from orchestrator.report.standing import Standing
from orchestrator.report.wording import uncertain
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev


def noisy_run(believed: int, *, happens: ev.Event | None = None) -> RecordedRun:
    """Trial 4 has the lowest drag of five; another, or the same, is believed best."""
    run = RecordedRun().begin().settle(5, lambda trial: 1.0 if trial == 4 else 2.0 + 0.1 * trial)
    insight = {"believed_best": {"trial": believed, "predicted": {"mean": 1.75, "deviation": 0.125}}}
    if happens is not None:
        run.happen(happens)
    run.scheduler.state.asking = 0
    asked = run.scheduler.state.asks
    return run.happen(ev.SuggestionsMade(at=run.at, ask=asked, suggestions=(), insight=insight))


def closing(run: RecordedRun) -> str:
    state = run.scheduler.state
    return closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, False, state.ending))


def test_the_closing_words_give_the_settings_of_the_one_believed_best() -> None:
    words = closing(noisy_run(2))
    assert "Best: drag = 1 (trial 4)\nBelieved best, but for noise: 1.75 ± 0.12 (trial 2)\n" in words
    assert "span  = 1.2 m" in words
    assert "1.4 m" not in words


def test_where_it_is_the_best_itself_its_settings_come_once() -> None:
    words = closing(noisy_run(4))
    assert words.count("span") == 1
    assert "Believed best, but for noise: 1.75 ± 0.12 (trial 4)" in words


@pytest.mark.parametrize(
    "gone",
    [
        ev.ObservationsForgotten(at=9.0, trials=(2,), reason="a spider"),
        ev.BoundsAmended(at=9.0, bounds={"span": (1.3, 2.0)}),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_counts_no_longer_is_not_believed_best(gone: ev.Event) -> None:
    assert "Believed" not in closing(noisy_run(2, happens=gone))


def test_the_screen_the_status_and_the_best_point_say_both(tmp_path: Path) -> None:
    run = noisy_run(2)
    console = Console(file=io.StringIO(), width=100, height=40)
    console.print(screen(run.view(), 100, 40))
    assert "but for noise: 1.75 ± 0.12  trial 2" in console.file.getvalue()  # type: ignore[attr-defined]
    standing = Standing("wing-1", "logs/wing-1", run.view(), 0, 0)
    assert "likely  best, but for noise: 1.75 ± 0.12 (trial 2)" in status_words(standing, None)
    table = status_table(standing, None)
    status = dict(zip(table.columns, table.rows[0], strict=True))
    assert (status["believed_best"], status["believed_best_trial"]) == (1.75, 2)

    followed = read_run(run.write(tmp_path / "run"))
    followed.state.insight = run.scheduler.state.insight
    rows = {row[0]: row[1:] for row in best_table(followed).rows}
    assert rows["drag"] == [1.0, "1.75 ± 0.12", None]
    assert rows["span"] == [1.4, 1.2, "m"]
    assert "Believed best, but for noise: 1.75 ± 0.12, trial 2." in page(followed, run.events, held=False)


def test_programs_are_told_when_the_run_closes() -> None:
    stream = io.StringIO()
    JsonLinesMonitor(stream).closed(noisy_run(2).scheduler.state)
    closed = json.loads(stream.getvalue())
    assert closed["believed_best"] == {"trial": 2, "mean": 1.75, "deviation": 0.125}


@pytest.mark.parametrize(
    ("mean", "deviation", "words"),
    [
        (-0.0522948, 0.0065, "-0.0523 ± 0.0065"),
        (0.002, 0.31, "0.002 ± 0.31"),
        (1234.567, 12.0, "1235 ± 12"),
        (0.0, 0.5, "0 ± 0.5"),
        (1e12 / 3, 1e-6, "3.3333333e+11 ± 1e-06"),
        (2.5, 0.0, "2.5"),
    ],
)
def test_no_more_digits_are_given_than_the_deviation_allows(
    mean: float, deviation: float, words: str
) -> None:
    assert uncertain(mean, deviation) == words
