"""What people see of constraints on outcomes: what broke them, what satisfies them, and that nothing does."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from recorded_runs import SPEC, RecordedRun, parameters
from shown_runs import closing, drawn, followed

from orchestrator.report.explained.explain import explain
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing import standing_of
from orchestrator.report.html.page import page
from orchestrator.report.seen.wanted import Expected
from orchestrator.report.tables.best import best_table
from orchestrator.report.tables.status import status_words
from orchestrator.report.tables.trials import trials_table
from orchestrator.scheduler import events as ev
from orchestrator.spec.begun.added_results import read_added_results

HEATED = SPEC + "outcomes: [heat, lift]\nconstraints: [heat <= 80]\n"


def heated(*heats: float, spec_text: str = HEATED) -> RecordedRun:
    """A run of which one trial after the other was so hot, each with less drag than the one before."""
    run = RecordedRun(spec_text).begin(workers=1)
    for heat in heats:
        run.answer_asks()
        run.give(10.0 - run.evaluations[0].trial, {"heat": heat, "lift": 0.5, "mesh": "fine"})
    return run


def test_the_curve_and_the_best_are_of_what_satisfies_them() -> None:
    view = heated(70.0, 90.0, 75.0, 99.0).view()
    assert view.found.curve == ((1, 9.0), (3, 7.0))
    assert view.found.best is not None
    assert (view.found.best.trial, view.found.best.outcomes) == (3, (("heat", "75"), ("lift", "0.5")))


def test_whoever_takes_a_run_over_sees_the_same() -> None:
    run = heated(70.0, 90.0, 75.0, 99.0)
    run.happen(ev.RunResumed(at=run.at + 1.0, wall=""))
    assert run.view().found.curve == ((1, 9.0), (3, 7.0))


def test_what_breaks_one_is_said_where_it_comes_and_on_the_screen() -> None:
    run = heated(70.0, 90.0)
    text = drawn(run)
    assert "trial 2: 8, does not satisfy `heat <= 80`" in text
    assert "trial 1: 9, the best so far" in text
    assert "heat = 70" in text


def test_while_nothing_satisfies_them_that_is_said_in_place_of_a_best_one(tmp_path: Path) -> None:
    run = heated(90.0, 91.0)
    assert "no trial satisfies the constraints on outcomes yet" in drawn(run)
    read = followed(run, tmp_path)
    assert "best    no trial satisfies the constraints on outcomes yet" in status_words(
        standing_of(read, None), None
    )
    assert closing(read).startswith(
        "No trial satisfies the constraints on outcomes, so there is no best point."
    )
    assert "no value yet" in drawn(RecordedRun(HEATED).begin())


def test_the_best_point_is_shown_with_its_outcomes(tmp_path: Path) -> None:
    read = followed(heated(70.0, 90.0), tmp_path)
    assert best_table(read).rows[:4] == [
        ["drag", 9.0, None],
        ["trial", 1, None],
        ["heat", 70.0, None],
        ["lift", 0.5, None],
    ]
    assert "\n  heat  = 70\n  lift  = 0.5\n  span  = 1.1 m\n" in closing(read)
    assert "heat = 70, lift = 0.5" in status_words(standing_of(read, None), None)


def test_a_best_point_that_was_known_before_the_run_has_no_number_for_a_person(tmp_path: Path) -> None:
    known = ev.KnownResult(parameters={"span": 1.0}, value=0.5, outcomes={"heat": 1.0, "lift": 2.0})
    run = RecordedRun(HEATED).happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    assert best_table(followed(run, tmp_path)).rows[:2] == [["drag", 0.5, None], ["trial", "known", None]]


def test_tables_say_what_each_trial_breaks(tmp_path: Path) -> None:
    read = followed(heated(70.0, 90.0), tmp_path)
    rows = list(csv.DictReader(io.StringIO(trials_table(read).written("csv"))))
    assert [row["message"] for row in rows[:2]] == [
        "",
        "does not satisfy `heat <= 80`, still learned from",
    ]
    assert [row["heat"] for row in rows[:2]] == ["70.0", "90.0"]


def test_an_outcome_called_as_a_column_of_ours_comes_back_as_it_was(tmp_path: Path) -> None:
    text = SPEC + "outcomes: [trial, state]\nconstraints: [trial + state <= 80]\n"
    run = RecordedRun(text).begin(workers=1).answer_asks()
    command = run.evaluations.popleft()
    extras = {"trial": 7.0, "state": True}
    run.happen(
        ev.ResultArrived(
            at=3.0, worker=command.worker, lease=command.lease, value=1.0, extras=extras, elapsed=1.0
        )
    )
    read = followed(run, tmp_path)
    (tmp_path / "known.csv").write_text(trials_table(read).written("csv"))
    results, _ = read_added_results(read.spec, [tmp_path / "known.csv"], [])
    assert [known.outcomes for known in results] == [{"trial": 7.0, "state": 1.0}]


def test_the_page_ranks_only_what_satisfies_them_and_has_a_column_for_each(tmp_path: Path) -> None:
    run = heated(70.0, 90.0)
    read = FollowedRun.open(run.write(tmp_path / "logs" / "wing-1"))
    text = page(read, read.catch_up(), held=False)
    table = text.split("The best trials", 1)[1].split("</table>", 1)[0]
    assert "<th>heat</th>" in table
    assert "70" in table
    assert "90" not in table


def test_the_page_says_why_a_dot_that_looks_better_than_the_best_is_not_the_best(tmp_path: Path) -> None:
    told = "better than it do not satisfy the constraints"
    pages = {}
    for second in (90.0, 75.0):
        run = heated(70.0, second)
        read = FollowedRun.open(run.write(tmp_path / f"logs{second:g}" / "wing-1"))
        pages[second] = page(read, read.catch_up(), held=False)
    assert pages[90.0].count(told) == 2
    assert told not in pages[75.0]


def test_a_trial_is_explained_by_how_likely_it_was_to_satisfy_them() -> None:
    run = RecordedRun(HEATED).begin(workers=1)
    (ask,) = run.asks
    why = {"source": "model", "feasible": 0.93, "succeeds": 0.7, "seconds": 90.0}
    chosen = tuple(
        ev.Suggested(parameters=parameters(number + 1), mean=5.0, deviation=0.5, why=why)
        for number in range(ask.count)
    )
    run.happen(ev.SuggestionsMade(at=1.0, ask=1, suggestions=chosen, seconds=0.1))
    run.happen(
        ev.ResultArrived(
            at=2.0, worker="local-1", lease="1.1", value=5.0, extras={"heat": 90.0}, broken=("heat <= 80",)
        )
    )
    words = explain(run.spec, run.scheduler.state.policy, run.events, 1)
    assert "That it would satisfy the constraints on outcomes was held to be 93 % likely." in words
    assert "Does not satisfy `heat <= 80`, still learned from." in words
    assert "That the evaluation would succeed was held to be 70 % likely." in words
    assert "Its evaluation was expected to take about 1 min 30 s, which was weighed." in words
    assert "feasible:" not in words
    assert "succeeds:" not in words
    assert "seconds:" not in words


def test_how_likely_it_was_is_said_with_how_many_results_said_so() -> None:
    run = RecordedRun(HEATED).begin(workers=1)
    (ask,) = run.asks
    first = tuple(ev.Suggested(parameters=parameters(number + 1)) for number in range(ask.count))
    run.happen(ev.SuggestionsMade(at=1.0, ask=1, suggestions=first, seconds=0.1))
    told = {"heat": 70.0}
    run.happen(ev.ResultArrived(at=2.0, worker="local-1", lease="1.1", value=5.0, extras=told))
    second = ev.Suggested(
        parameters=parameters(7), mean=5.0, deviation=0.5, why={"source": "model", "feasible": 0.93}
    )
    run.happen(ev.SuggestionsMade(at=3.0, ask=2, suggestions=(second,), seconds=0.1))
    words = explain(run.spec, run.scheduler.state.policy, run.events, ask.count + 1)
    assert "on outcomes was held to be 93 % likely, from 1 result." in words


def test_a_person_is_told_which_outcomes_to_record() -> None:
    assert (
        Expected("record", 3, (), ("heat", "lift off")).hint
        == " --value ... --extra heat=... --extra 'lift off'=..."
    )
    assert Expected("approve", 3, (), ("heat",)).hint == ""
    assert Expected("record", 3, ()).hint == " --value ..."


def test_the_best_curve_is_told_by_its_least_and_its_greatest_value(tmp_path: Path) -> None:
    fit = "fit: {light: {value: [3, 2, 1, 0.5, 0.25], error: 0.1}}"
    run = RecordedRun(SPEC.replace("goal: minimise", fit)).begin(workers=1)
    run.answer_asks()
    run.give(0.5, {"light": [2.0, 3.1234567, 1.0, 0.2345678, 0.5]})
    table = best_table(followed(run, tmp_path)).written("table")
    assert "5 points between 0.23457 and 3.1235" in table
