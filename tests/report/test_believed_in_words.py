"""What a person and a program read of a noisy run: the best value, and the trial believed best."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import RecordedRun, parameters
from rich.console import Console

from orchestrator.report.closing import closing_words
from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import Standing
from orchestrator.report.html.page import page
from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.seen.believed import believed
from orchestrator.report.tables.best import best_table
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.report.tables.trials import best_row
from orchestrator.report.terminal.screen import screen
from orchestrator.report.words.wording import uncertain
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev


def noisy_run(believed: int, *, happens: ev.Event | None = None) -> RecordedRun:
    """Trial 4 has the lowest drag of five; another, or the same, is believed best."""
    run = RecordedRun().begin().settle(5, lambda trial: 1.0 if trial == 4 else 2.0 + 0.1 * trial)
    insight = {"believed_best": {"trial": believed, "predicted": {"mean": 1.75, "deviation": 0.125}}}
    if happens is not None:
        run.happen(happens)
    run.scheduler.state.optimiser.asking = 0
    asked = run.scheduler.state.optimiser.asks
    return run.happen(ev.SuggestionsMade(at=run.at, ask=asked, suggestions=(), insight=insight))


def closing(run: RecordedRun) -> str:
    state = run.scheduler.state
    return closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, False, state.end.why))


def status_of(run: RecordedRun) -> tuple[str, dict[str, Any]]:
    """For people and for programs."""
    standing = Standing("wing-1", "logs/wing-1", run.view(), 0, 0)
    return status_words(standing, None), json.loads(status_table(standing, None).as_object())


def test_the_closing_words_give_the_settings_of_both() -> None:
    observed, believed = closing(noisy_run(2)).split(
        "Believed best, but for noise: drag = 1.75 ± 0.12 (trial 2)\n"
    )
    assert observed.startswith("Best observed: drag = 1 (trial 4)\n  span  = 1.4 m\n")
    assert believed.startswith("  span  = 1.2 m\n")


def test_the_status_gives_the_settings_of_both_in_the_same_words() -> None:
    words, told = status_of(noisy_run(2))
    assert "best    observed: drag = 1 (trial 4)\n        span = 1.4 m, sweep" in words
    assert (
        "likely  believed best, but for noise: drag = 1.75 ± 0.12 (trial 2)\n        span = 1.2 m, sweep"
        in words
    )
    assert (told["best"], told["best_trial"], told["best_parameters"]["span"]) == (1.0, 4, 1.4)
    assert (told["believed_best"], told["believed_best_trial"]) == (1.75, 2)
    assert told["believed_best_parameters"] == parameters(2)


def test_where_it_is_the_best_itself_its_settings_come_once() -> None:
    words = closing(noisy_run(4))
    assert words.count("span") == 1
    assert words.startswith("Best: drag = 1 (trial 4)\n")
    assert "Believed best, but for noise: drag = 1.75 ± 0.12 (trial 4)" in words
    said, told = status_of(noisy_run(4))
    assert said.count("span") == 1
    assert "best    drag = 1 (trial 4)\n" in said
    assert "likely  believed best, but for noise: drag = 1.75 ± 0.12 (trial 4)\n" in said
    assert told["best_parameters"] == told["believed_best_parameters"] == parameters(4)


def test_the_best_of_a_round_that_is_not_over_is_outdone_by_no_older_belief() -> None:
    run = noisy_run(2)
    state = run.scheduler.state
    assert believed(state) is not None
    state.untold.append(state.trials[3])
    assert believed(state) is not None
    state.untold.append(state.trials[4])
    assert believed(state) is None
    assert closing(run).startswith("Best: drag = 1 (trial 4)\n")


def test_where_nothing_is_believed_programs_find_null() -> None:
    _, told = status_of(RecordedRun().begin())
    assert (told["best_parameters"], told["believed_best_parameters"]) == (None, None)


def test_the_best_for_programs_has_both(tmp_path: Path) -> None:
    run = noisy_run(2)
    followed = read_run(run.write(tmp_path / "run"))
    followed.state.optimiser.insight = run.scheduler.state.optimiser.insight
    told = json.loads(best_row(followed).as_object())
    assert (told["trial"], told["drag"], told["span"]) == (4, 1.0, 1.4)
    assert (told["believed_best"], told["believed_best_deviation"], told["believed_best_trial"]) == (
        1.75,
        0.125,
        2,
    )
    assert told["believed_best_parameters"] == parameters(2)
    followed.state.optimiser.insight = {}
    assert json.loads(best_row(followed).as_object())["believed_best_parameters"] is None


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


def test_the_screen_the_page_and_the_best_point_say_both(tmp_path: Path) -> None:
    run = noisy_run(2)
    console = Console(file=io.StringIO(), width=100, height=40)
    console.print(screen(run.view(), 100, 40))
    assert "but for noise: 1.75 ± 0.12  trial 2" in console.file.getvalue()  # type: ignore[attr-defined]
    followed = read_run(run.write(tmp_path / "run"))
    followed.state.optimiser.insight = run.scheduler.state.optimiser.insight
    rows = {row[0]: row[1:] for row in best_table(followed).rows}
    assert rows["drag"] == [1.0, "1.75 ± 0.12", None]
    assert rows["span"] == [1.4, 1.2, "m"]
    assert "Believed best, but for noise: 1.75 ± 0.12, trial 2." in page(followed, run.events, held=False)


def test_programs_are_told_when_the_run_closes() -> None:
    stream = io.StringIO()
    JsonLinesMonitor(stream).closed(noisy_run(2).scheduler.state)
    closed = json.loads(stream.getvalue())
    likely = {"trial": 2, "mean": 1.75, "deviation": 0.125, "parameters": parameters(2)}
    assert closed["believed_best"] == likely


@pytest.mark.parametrize(
    ("mean", "deviation", "words"),
    [
        (-0.0522948, 0.0065, "-0.0523 ± 0.0065"),
        (0.002, 0.31, "0.002 ± 0.31"),
        (1234.567, 12.0, "1235 ± 12"),
        (0.0, 0.5, "0 ± 0.5"),
        (51.3, 123.4, "50 ± 120"),
        (-21040.0, 5321.0, "-21000 ± 5300"),
        (51.3e6, 2.4e6, "5.13e+07 ± 2.4e+06"),
        (1e12 / 3, 1e-6, "3.3333333e+11 ± 1e-06"),
        (2.5, 0.0, "2.5"),
    ],
)
def test_no_more_digits_are_given_than_the_deviation_allows(
    mean: float, deviation: float, words: str
) -> None:
    assert uncertain(mean, deviation) == words
