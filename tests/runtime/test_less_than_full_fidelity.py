"""Results of less than full fidelity, whoever brings them: no best ones, and what they cost is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from damaged_journals import NOW, folder_of_a_run, write
from policies import policy_with

from orchestrator.errors import OrchestratorError
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.kinds import Amend, Budgets, Record
from orchestrator.runtime.requests.spent_budgets import what_to_amend
from orchestrator.runtime.results.known_events import known_events
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.build import build_fidelity
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spec.sections.initial import KnownResult

TEXT = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}, cells: {type: int, bounds: [20, 400], scale: log}}
outcomes: [lift]
constraints: [lift >= 0.1 * span]
fidelity: {parameter: cells, cost: cells ** 2}
budget: {cost: 2}
evaluation: {evaluator: person}
mode: sequential
"""
SPEC = load_spec_text(TEXT, "spec.yaml", None).spec
WANTED = WantedResults.of(SPEC)


def begun(*costs: float) -> Scheduler:
    """A trial after the other came to its end, and each cost so much; the next is a person's."""
    scheduler = Scheduler(policy_of(SPEC))
    for event in history(*costs):
        scheduler.handle(event)
    return scheduler


def history(*costs: float) -> list[ev.Event]:
    events: list[ev.Event] = [
        ev.RunStarted(at=0.0, run="r", wall=""),
        ev.WorkerJoined(at=0.5, worker=PERSON, slots=1),
    ]
    for number, cost in enumerate(costs, start=1):
        point = ev.Suggested(parameters={"span": 4.0, "cells": round(400 * cost**0.5)}, cost=cost)
        made = ev.SuggestionsMade(at=number, ask=number, suggestions=(point,), first_trial=number)
        result = ev.ResultArrived(
            at=number + 0.5, worker=PERSON, lease=f"{number}.1", value=2.0, extras={"lift": 1}
        )
        events += [made, result]
    return events


@pytest.mark.parametrize(
    ("kind", "full", "value"),
    [
        ("{type: int, bounds: [20, 400], scale: log}", "", 400),
        ("{type: int, bounds: [20, 400], step: 20}", ", full: 20", 20),
        ("{type: float, bounds: [0.1, 0.7], step: 0.1}", "", 0.7),
        ("{type: float, bounds: [1, 400], scale: log}", "", 400.0),
        ("{type: ordered, values: [2, 4, 8]}", "", 8),
        ("{type: ordered, values: [coarse, fine]}", ", full: coarse", "coarse"),
    ],
)
def test_the_best_one_is_where_evaluations_look_most_closely(kind: str, full: str, value: Any) -> None:
    cost = "{coarse: 2, fine: 1}" if "coarse" in kind else "1 / cells" if full else "cells"
    text = TEXT.replace("{type: int, bounds: [20, 400], scale: log}", kind)
    spec = load_spec_text(text.replace("cost: cells ** 2", f"cost: {cost}{full}"), "spec.yaml", None).spec
    fidelity = build_fidelity(spec)
    assert fidelity is not None
    policy = policy_of(spec)
    assert policy.sought.full == {"cells": value} == {"cells": fidelity.full}
    assert policy.elsewhere({"span": 4.0, "cells": fidelity.parameter.decode(fidelity.levels.full)}) == ()


def test_what_a_person_records_and_what_was_known_before_is_no_best_at_less_than_that() -> None:
    scheduler = begun()
    point = ev.Suggested(parameters={"span": 4.0, "cells": 100}, cost=1 / 16)
    scheduler.handle(ev.SuggestionsMade(at=1.0, ask=1, suggestions=(point,)))
    recorded = decide(Record(1, 2.0, extras={"lift": 0.5}), scheduler.state, 3.0, "", WANTED)
    assert isinstance(recorded, ev.ResultArrived)
    known = KnownResult(parameters={"span": 4.0, "cells": 100}, value=1.0, outcomes={"lift": 0.5})
    added = ev.ResultsAdded(at=3.5, results=known_events([known], SPEC))
    for event in (recorded, added):
        scheduler.handle(event)
    told = [(trial.value, trial.broken, scheduler.state.counts(trial)) for trial in scheduler.state.observed]
    assert told == [(2.0, (), True), (1.0, (), True)]
    assert scheduler.state.found.best is None


def test_known_results_that_are_added_are_said_to_be_no_best_ones() -> None:
    told = [f"span=4,cells={cells},lift=1,drag=3" for cells in (100, 400)]
    _, remarks = read_added_results(SPEC, [], told)
    assert remarks == [
        "1 of 2 known results are not at full fidelity, `cells = 400`: still learned from, and no best"
    ]


@pytest.mark.parametrize(
    ("cost", "why"),
    [
        (0.5, "at least the 1.25 evaluations at full fidelity that the trials cost, got 0.5"),
        (0.5, "to have no more, say --cost 1.25"),
        (-1.0, "expected a budget of evaluations at full fidelity above 0, got -1"),
    ],
)
def test_a_budget_of_cost_that_makes_no_sense_is_refused(cost: float, why: str) -> None:
    state = begun(0.25, 1.0).state
    with pytest.raises(OrchestratorError) as refused:
        decide_amendment(Amend(budgets=Budgets(cost=cost)), SPEC, state, 9.0, "a")
    assert why in str(refused.value)


def test_bounds_that_leave_no_point_at_full_fidelity_are_refused() -> None:
    text = TEXT.replace("constraints: [", "constraints: [span * cells <= 1000, ")
    spec = load_spec_text(text, "spec.yaml", None).spec
    with pytest.raises(OrchestratorError, match="no point at full fidelity, `cells = 400`, was found"):
        decide_amendment(Amend(bounds={"span": (3.0, 9.0)}), spec, begun().state, 9.0, "a")


def test_that_little_is_left_to_gain_at_full_fidelity_may_end_it() -> None:
    text = TEXT.replace("outcomes: [lift]\nconstraints: [lift >= 0.1 * span]\n", "")
    spec = load_spec_text(text, "spec.yaml", None).spec
    amended = Amend(budgets=Budgets(expected_gain=0.1))
    (event,) = decide_amendment(amended, spec, begun().state, 9.0, "a").events
    assert isinstance(event, ev.BudgetAmended)
    assert event.expected_gain == 0.1


def test_another_budget_of_cost_is_taken_and_a_spent_one_is_named() -> None:
    scheduler = begun(1.0, 1.0)
    assert what_to_amend(scheduler.state) == "--cost N"
    decided = decide_amendment(Amend(budgets=Budgets(cost=3.5)), SPEC, scheduler.state, 9.0, "a")
    assert decided.sentence == "the budget is amended: cost 3.5"
    for event in decided.events:
        scheduler.handle(event)
    assert (scheduler.state.policy.budget.cost, scheduler.state.resumable) == (3.5, True)


def test_what_is_to_be_amended_is_each_budget_that_is_spent_or_else_the_bounds() -> None:
    assert what_to_amend(begun().state) == "--bounds NAME=LOW,HIGH"
    timed = policy_with(trials=9, time_s=60.0)
    assert what_to_amend(State(policy=timed, at=60.0)) == "--time DURATION"
    timed = policy_with(trials=0, time_s=60.0)
    assert what_to_amend(State(policy=timed, at=60.0)) == "--time DURATION --trials N"


def test_a_budget_of_cost_may_be_what_is_spent_and_no_less() -> None:
    state = begun(1.0, 1.0).state
    decided = decide_amendment(Amend(budgets=Budgets(cost=2.0)), SPEC, state, 9.0, "a")
    assert decided.sentence == "the budget is amended: cost 2"
    with pytest.raises(OrchestratorError, match="at least the 2 evaluations at full fidelity"):
        decide_amendment(Amend(budgets=Budgets(cost=1.99)), SPEC, state, 9.0, "a")


def test_what_is_saved_from_a_damaged_journal_is_paid_for_whatever_raised_the_budget(tmp_path: Path) -> None:
    folder = folder_of_a_run(tmp_path)
    folder.spec.write_text(TEXT)
    raised = [*history(0.5, 1.0, 0.5), ev.BudgetAmended(at=9.0, cost=4.0), ev.RunResumed(at=9.5, wall="")]
    raised += history(0.5, 1.0, 0.5, 1.0, 1.0)[8:]
    lines = write(folder, raised)
    # The first result behind which everything is to be saved, and the line that raised the budget.
    folder.journal.write_bytes(b"".join(line for place, line in enumerate(lines) if place not in (4, 9)))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    repair(plan)
    assert plan.saved.budget is not None
    assert plan.saved.budget.cost == 4.0
    assert any(
        sentence.startswith("whatever raised the budget of a cost of 2: there are values that cost more")
        for sentence in plan.saved.dropped
    )
