"""What people see of trials that look less closely: what they cost, at what fidelity, that none is best."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, parameters
from shown_runs import closing, drawn, followed, plainly

from orchestrator import cli
from orchestrator.report.explained.explain import explain
from orchestrator.report.following.standing import standing_of
from orchestrator.report.html.page import page
from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.fidelity import what_they_cost
from orchestrator.report.words.spec import spec_words
from orchestrator.runtime.monitor import Opening
from orchestrator.scheduler import events as ev
from orchestrator.spec.build import build_fidelity

MESHED = SPEC.replace("budget: {trials: 20}", "budget: {cost: 3}")
MESHED += "fidelity: {parameter: ribs, cost: ribs ** 2}\n"
HEATED = MESHED + "outcomes: [heat]\nconstraints: [heat <= 80]\n"
TRADED = MESHED.replace(
    "objective: {name: drag, goal: minimise}", "objectives: {drag: minimise, heat: minimise}"
)
TOLD = {"source": "model", "fidelity": {"told": 0.83, "cost": 0.25}}
LEARNED = {"source": "model", "fidelity": {"told": 0.83, "cost": 0.0025, "evaluations": 1}}


def meshed(*ribs: int, spec_text: str = MESHED, heat: float = 70.0) -> RecordedRun:
    """A run of which one trial after the other had so many ribs, each with less drag than the one before."""
    run = RecordedRun(spec_text).begin(workers=1)
    fidelity = build_fidelity(run.spec)
    assert fidelity is not None
    for many in ribs:
        ask = run.asks.popleft()
        point = {**parameters(ask.first_trial), "ribs": many}
        cost = fidelity.cost(point)
        suggested = ev.Suggested(parameters=point, cost=cost, why=TOLD if cost < 1.0 else {"source": "model"})
        run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(suggested,)))
        run.give(10.0 - ask.first_trial, {"heat": heat} if run.spec.outcomes else {})
    return run


def test_the_curve_and_the_best_are_of_full_fidelity() -> None:
    view = meshed(15, 30, 15, 15).view()
    assert view.found.curve == ((2, 8.0),)
    assert view.found.best is not None
    assert view.found.best.trial == 2


def test_a_cheap_result_is_said_with_its_fidelity_where_it_comes() -> None:
    run = meshed(15, 30)
    for text in (drawn(run), plainly(run)):
        assert "trial 1: 9" in text
        assert ", at ribs = 15" in text
        assert "the best so far" in text
        assert "does not satisfy" not in text


def test_what_breaks_a_constraint_besides_is_said_beside_it(tmp_path: Path) -> None:
    run = meshed(15, 30, spec_text=HEATED, heat=90.0)
    assert "at ribs = 15, does not satisfy `heat <= 80`" in plainly(run)
    rows = list(csv.DictReader(io.StringIO(trials_table(followed(run, tmp_path)).written("csv"))))
    assert [row["message"] for row in rows[:2]] == [
        "not at full fidelity and does not satisfy `heat <= 80`, still learned from",
        "does not satisfy `heat <= 80`, still learned from",
    ]


def test_the_screen_and_the_status_say_what_was_spent_and_how_many_were_at_full_fidelity(
    tmp_path: Path,
) -> None:
    run = meshed(15, 30, 15)
    text = drawn(run)
    assert "3 completed, 1 at full fidelity" in text
    assert "cost 1.5 of 3" in text
    now = standing_of(followed(run, tmp_path), None)
    words = status_words(now, None)
    assert "cost    1.5 of 3 evaluations at full fidelity; 1 of 3 completed at full fidelity\n" in words
    table = status_table(now, None)
    told = dict(zip(table.columns, table.rows[0], strict=True))
    assert [told[name] for name in ("cost", "budget_cost", "completed_at_full_fidelity")] == [1.5, 3.0, 1]


def test_what_looks_are_believed_to_cost_is_said_where_it_is_learned(tmp_path: Path) -> None:
    run = meshed(15)
    run.asks.popleft()
    looks = {"values": [15, 20, 30], "costs": [0.0025, 0.1, 1.0], "seconds": 90.0, "evaluations": 1}
    point = ev.Suggested(parameters={**parameters(2), "ribs": 15}, cost=0.0025, why=LEARNED)
    insight = {"looks": looks}
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=2, suggestions=(point,), insight=insight))
    now = standing_of(followed(run, tmp_path), None)
    said = "learned from 1 evaluation: 30 takes 1 min 30 s, 15 costs 0.25 %, 20 costs 10 % of that"
    assert f"looks   {said}\n" in status_words(now, None)
    table = status_table(now, None)
    told = dict(zip(table.columns, table.rows[0], strict=True))
    assert told["learned_costs"] == {"15": 0.0025, "20": 0.1, "30": 1.0}
    words = explain(run.spec, run.scheduler.state.policy, run.events, 2)
    assert "for <1 % of its cost, as learned from 1 evaluation." in words


def test_where_costs_are_told_nothing_is_said_of_learning_them(tmp_path: Path) -> None:
    now = standing_of(followed(meshed(15), tmp_path), None)
    assert "looks" not in status_words(now, None)
    table = status_table(now, None)
    assert table.rows[0][table.columns.index("learned_costs")] is None


def test_how_far_a_run_is_and_how_long_it_takes_still_go_by_what_is_spent() -> None:
    view = meshed(15, 30, 15).view()
    assert view.share_done == 0.5
    assert view.remaining is not None
    # Half of the cost took three trials.
    assert 2.0 < view.remaining.seconds < 6.0


def test_whoever_takes_a_run_over_counts_the_same() -> None:
    run = meshed(15, 30, 15)
    run.happen(ev.RunResumed(at=run.at + 1.0, wall=""))
    assert run.view().spending == meshed(15, 30, 15).view().spending


def test_while_none_is_at_full_fidelity_that_is_said_in_place_of_a_best_one(tmp_path: Path) -> None:
    run = meshed(15, 15)
    assert "no trial at full fidelity has a value yet" in drawn(run)
    read = followed(run, tmp_path)
    assert "best    no trial at full fidelity has a value yet" in status_words(standing_of(read, None), None)
    assert closing(read).startswith("No trial at full fidelity has a value, so there is no best point.")


def test_best_says_how_those_are_seen_that_look_less_closely_while_none_is_at_full_fidelity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = meshed(15, 15).write(tmp_path / "logs" / "wing-1").path
    assert cli.main(("best", str(path))) == 1
    assert capsys.readouterr().err.endswith(f" looked less closely: orchestrator trials {path}\n")


def test_the_last_words_count_those_at_full_fidelity_and_what_all_cost(tmp_path: Path) -> None:
    words = closing(followed(meshed(15, 30, 15), tmp_path))
    assert "3 trials completed, 1 of them at full fidelity, 0 failed, in" in words
    assert ", for what 1.5 evaluations at full fidelity cost.\n" in words


def test_a_journal_that_had_full_fidelity_among_the_constraints_is_told_alike(tmp_path: Path) -> None:
    now = meshed(15, 30, spec_text=HEATED, heat=90.0)
    events = [
        replace(event, broken=("ribs = 30", *event.broken))
        if isinstance(event, ev.ResultArrived) and event.lease == "1.1"
        else event
        for event in now.events
    ]
    before = RecordedRun(HEATED)
    for event in events:
        before.happen(event)
    assert plainly(before) == plainly(now)
    told = [trials_table(followed(run, tmp_path / name)).rows for name, run in (("a", before), ("b", now))]
    assert told[0] == told[1]


def test_tables_have_what_each_trial_cost(tmp_path: Path) -> None:
    table = trials_table(followed(meshed(15, 30), tmp_path))
    costs = [row[table.columns.index("cost")] for row in table.rows]
    assert costs == [0.25, 1.0]
    assert "cost" not in trials_table(followed(RecordedRun().begin(), tmp_path / "plain")).columns


def test_a_program_is_told_what_each_trial_cost() -> None:
    run, stream = meshed(15), io.StringIO()
    monitor = JsonLinesMonitor(stream)
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "", False))
    again = RecordedRun(run.spec_text)
    for event in run.events:
        again.happen(event)
        monitor.observed(event, again.scheduler.state)
    monitor.closed(again.scheduler.state)
    (settled,) = [line for line in stream.getvalue().splitlines() if '"TrialSettled"' in line]
    assert '"cost":0.25' in settled


def test_an_explanation_says_what_looking_less_closely_was_to_tell() -> None:
    run = meshed(15, 30)
    words = explain(run.spec, run.scheduler.state.policy, run.events, 1)
    assert "that tells 83 % of what is not known of full fidelity there, for 25 % of its cost." in words
    assert "Not at full fidelity, still learned from." in words
    assert "fidelity:" not in words
    assert "less closely" not in explain(run.spec, run.scheduler.state.policy, run.events, 2)


def test_a_page_draws_cheap_trials_small_and_says_so(tmp_path: Path) -> None:
    run = meshed(15, 30, 15)
    document = page(followed(run, tmp_path), run.events, held=False)
    assert "the line is the best so far; small ones are not at full fidelity." in document
    assert "do not satisfy" not in document
    assert document.count('r="1.5"') == 2
    assert "1.5 of 3" in document


def test_of_several_objectives_cheap_trials_are_rings_and_no_trade_offs(tmp_path: Path) -> None:
    run = meshed(15, spec_text=TRADED)
    assert "no trial at full fidelity has a value yet" in drawn(run)
    run = meshed(15, 30, spec_text=TRADED)
    document = page(followed(run, tmp_path), run.events, held=False)
    assert "rings: those that are not at full fidelity." in document
    assert [one.trial for one in run.view().found.trade_offs] == [2]


def test_a_spec_in_words_names_the_parameter_and_the_budget() -> None:
    words = spec_words(RecordedRun(MESHED).spec)
    assert words.startswith("minimise drag over 4 parameters, fidelity by ribs, with auto, for what 3 ")


def test_one_evaluation_costs_and_several_cost() -> None:
    assert what_they_cost(1.0) == "what 1 evaluation at full fidelity costs"
    assert what_they_cost(12.43, 3) == "what 12.4 evaluations at full fidelity cost"


def test_an_amended_budget_of_cost_is_said() -> None:
    run = meshed(15)
    run.happen(ev.BudgetAmended(at=run.at + 1.0, cost=5.0))
    assert amendment_words(run.spec, run.scheduler.state) == ("cost 5 instead of 3",)


GOING_ON = MESHED.replace("cost: ribs ** 2", "cost: ribs ** 2, continues: true")


def going_on(*, continued: bool) -> RecordedRun:
    """A run whose second trial goes on from the first, as far as its worker has what that left."""
    run = meshed(15, spec_text=GOING_ON)
    ask = run.asks.popleft()
    suggested = ev.Suggested(parameters={**parameters(1), "ribs": 30}, cost=0.75, why=TOLD, continues=1)
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(suggested,)))
    lease = run.scheduler.state.trials[2].lease
    assert lease is not None
    worker = run.scheduler.state.trials[2].worker or ""
    event = ev.ResultArrived(at=run.at + 1.0, worker=worker, lease=lease, value=8.0, continued=continued)
    run.happen(event)
    return run


def test_an_explanation_says_from_which_trial_it_went_on_and_what_was_left_to_pay() -> None:
    run = going_on(continued=True)
    words = explain(run.spec, run.scheduler.state.policy, run.events, 2)
    assert "It goes on from trial 1, which looked less closely at the same settings" in words
    assert "75 % of the cost at full fidelity is left to pay, and it tells 83 % of what is not" in words
    assert "It went on from what trial 1 left." in words


def test_what_was_left_to_pay_is_said_of_one_that_was_abandoned_too() -> None:
    run = meshed(15, spec_text=GOING_ON)
    ask = run.asks.popleft()
    told = {"source": "model", "fidelity": {"told": 0.83, "cost": 0.75}}
    settings = {**parameters(1), "ribs": 30}
    suggested = ev.Suggested(parameters=settings, cost=0.0, why=told, continues=1)
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(suggested,)))
    words = explain(run.spec, run.scheduler.state.policy, run.events, 2)
    assert "75 % of the cost at full fidelity is left to pay" in words


def test_it_is_said_where_a_worker_had_nothing_to_go_on_from() -> None:
    run = going_on(continued=False)
    words = explain(run.spec, run.scheduler.state.policy, run.events, 2)
    assert "It began from nothing: its worker did not have what trial 1 left." in words


@pytest.mark.parametrize(
    ("continued", "said"),
    [
        (True, "It went on from what trial 1 left, which is forgotten."),
        (False, "It began from nothing: what trial 1 left is forgotten."),
    ],
)
def test_that_what_it_was_to_go_on_from_is_forgotten_is_said(continued: bool, said: str) -> None:
    run = going_on(continued=continued)
    run.happen(ev.ObservationsForgotten(at=run.at + 1.0, trials=(1,), reason="a wrong mesh"))
    assert said in explain(run.spec, run.scheduler.state.policy, run.events, 2)


def test_tables_have_which_trial_each_was_to_go_on_from_and_whether_it_did(tmp_path: Path) -> None:
    table = trials_table(followed(going_on(continued=True), tmp_path / "on"))
    assert [row[table.columns.index("continues")] for row in table.rows] == [None, 1]
    assert [row[table.columns.index("continued")] for row in table.rows] == [None, True]
    anew = trials_table(followed(going_on(continued=False), tmp_path / "anew"))
    assert [row[anew.columns.index("continued")] for row in anew.rows] == [None, False]
    told = anew.rows[1][anew.columns.index("message")]
    assert told == "it began from nothing: its worker did not have what trial 1 left"
    assert "continues" not in trials_table(followed(meshed(15), tmp_path / "plain")).columns
