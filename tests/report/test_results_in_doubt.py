"""Known results that lack an outcome or an objective: whether they satisfy the constraints is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, parameters
from shown_runs import followed
from traded_off_runs import TRADED, traded_off

from orchestrator.report.closing import closing_words
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing import standing_of
from orchestrator.report.html.page import page
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.runtime.results.known_events import known_events
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.sections.initial import KnownResult

HEATED = SPEC + "algorithm: random\noutcomes: [heat]\nconstraints: [heat <= 80]\n"
UNKNOWN = "nothing is known to satisfy the constraints yet: known results lack an outcome"
NONE_DOES = "no trial satisfies the constraints on outcomes yet"
LACKING = "nothing has every objective yet: known results lack one"


def beginning_with(text: str, *outcomes: dict[str, float]) -> RecordedRun:
    """A run that knows results with these outcomes, and no worker yet."""
    run = RecordedRun(text)
    results = [
        KnownResult(parameters=parameters(number), value=5.0 + number, outcomes=told)
        for number, told in enumerate(outcomes)
    ]
    return run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=known_events(results, run.spec)))


def said_of(run: RecordedRun, folder: Path) -> tuple[str, str, str]:
    """The status on the best, for people and for programs, and the first closing line."""
    read = followed(run, folder)
    told = standing_of(read, None)
    (line,) = (line for line in status_words(told, None).splitlines() if line[:8] in ("best    ", "front   "))
    why = json.loads(status_table(told, None).as_object())["why_no_best"]
    return line[8:], why, closing(read)


def closing(read: FollowedRun) -> str:
    words = closing_words(read.spec, RunOutcome(read.folder.path, read.state, False, False, ""))
    return words.splitlines()[0]


def test_what_lies_between_steps_is_no_best_of_a_run_that_has_no_outcomes(tmp_path: Path) -> None:
    run = RecordedRun(SPEC)
    results = [KnownResult(parameters={**parameters(1), "ribs": 7.5}, value=5.0)]
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=known_events(results, run.spec)))
    words, why, last = said_of(run, tmp_path)
    assert why == "none to be best"
    assert words == "no trial has a value yet: known results alone do, of points that none may have"
    assert last.startswith("No trial has a value: known results alone do, ")


@pytest.mark.parametrize("text", [HEATED, TRADED])
def test_what_lacks_an_outcome_is_not_said_to_break_a_constraint(text: str, tmp_path: Path) -> None:
    words, why, last = said_of(beginning_with(text, {"lift": 1.0}), tmp_path)
    assert (words, why) == (UNKNOWN, "not known")
    assert last.startswith("Nothing is known to satisfy the constraints: known results lack an outcome, so ")


@pytest.mark.parametrize("text", [HEATED, TRADED])
def test_what_breaks_one_is_said_to_as_before(text: str, tmp_path: Path) -> None:
    words, why, _ = said_of(beginning_with(text, {"heat": 99.0, "lift": 1.0}), tmp_path)
    assert (words, why) == (NONE_DOES, "none satisfies")


def test_one_that_may_satisfy_them_is_enough_not_to_say_that_none_does(tmp_path: Path) -> None:
    words, _, _ = said_of(beginning_with(HEATED, {"heat": 99.0}, {}), tmp_path)
    assert words == UNKNOWN


def test_what_breaks_another_constraint_for_certain_is_in_no_doubt(tmp_path: Path) -> None:
    text = HEATED.replace("[heat]", "[heat, lift]").replace("[heat <= 80]", "[heat <= 80, lift >= 1]")
    words, why, _ = said_of(beginning_with(text, {"heat": 99.0}), tmp_path)
    assert (words, why) == (NONE_DOES, "none satisfies")


def test_what_lacks_an_objective_has_a_value_and_is_no_trade_off(tmp_path: Path) -> None:
    words, why, last = said_of(beginning_with(TRADED, {"heat": 50.0}), tmp_path)
    assert (words, why) == (LACKING, "objective missing")
    assert last == "Nothing has every objective: known results lack one, so there are no trade-offs."


def test_the_page_has_no_best_point_for_the_same_reason(tmp_path: Path) -> None:
    for known, words in (({}, UNKNOWN), ({"heat": 99.0}, NONE_DOES)):
        run = beginning_with(HEATED, known)
        read = FollowedRun.open(run.write(tmp_path / str(len(known)) / "logs" / "wing-1"))
        assert f"There is none: {words}." in page(read, read.catch_up(), held=False)


def test_the_page_says_which_rings_are_in_doubt(tmp_path: Path) -> None:
    run = beginning_with(TRADED, {"lift": 9.0})
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    traded_off((5.0, 1.0), run=run)
    read = FollowedRun.open(run.write(tmp_path / "logs" / "wing-1"))
    text = page(read, read.catch_up(), held=False)
    assert "rings: known results of which it is not known whether they satisfy the constraints" in text
    assert "do not satisfy" not in text


def test_a_result_that_is_added_without_an_objective_is_remarked_on() -> None:
    run = RecordedRun(TRADED)
    written = "span=2,sweep=9,ribs=3,skin=foam,drag=1.5,heat=20"
    _, remarks = read_added_results(run.spec, [], [written])
    said = "still learned from, and no trade-off"
    assert remarks == [f"the known result does not bring every objective: {said}"]
    _, remarks = read_added_results(run.spec, [], [written, f"{written},lift=3"])
    assert remarks == [f"1 of 2 known results do not bring every objective: {said}"]
