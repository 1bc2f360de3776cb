"""Bounds and constraints amended while people compare trials: none that they leave out is preferred."""

from __future__ import annotations

import pytest

from orchestrator.errors import UsageError
from orchestrator.report.preferred import preferred
from orchestrator.report.words.amendment import amendment_words, trial_note
from orchestrator.report.words.without_best import why_no_best
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.comparisons import decide_comparing
from orchestrator.runtime.requests.corrected_records import correcting
from orchestrator.runtime.requests.kinds import Amend, Compare, Record, Verdict
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.comparison_events import ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of

SPEC = load_spec_text(
    """\
experiment: coffee
objective: {name: taste, told: by comparison}
parameters: {dose: {type: float, bounds: [0, 10]}, grind: {type: int, bounds: [1, 9]}}
initial: {points: [{dose: 1, grind: 2}, {dose: 8, grind: 2}]}
budget: {trials: 9}
evaluation: {evaluator: person}
mode: sequential
""",
    "spec.yaml",
    None,
).spec


@pytest.fixture
def coffees() -> Scheduler:
    """Trial 2, of 8, is believed better than trial 1, of 1."""
    scheduler = Scheduler(policy_of(SPEC))
    points = ({"dose": 1.0, "grind": 2}, {"dose": 8.0, "grind": 2})
    scheduler.handle(ev.RunStarted(at=0.0, run="r", wall="", points=points, in_turn=True))
    scheduler.handle(ev.WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    scheduler.handle(TrialCarriedOut(at=2.0, trial=1))
    scheduler.handle(ComparisonTold(at=3.0, trial=2, other=1))
    insight = {"preferred": {"trial": 2, "next": 1, "chance": 0.8}}
    scheduler.handle(ev.StockTaken(at=4.0, observations=2, insight=insight))
    assert preferred(scheduler.state).trial.number == 2
    return scheduler


def amend(scheduler: Scheduler, **what) -> str:
    decided = decide_amendment(Amend(**what), SPEC, scheduler.state, 5.0, "a")
    for event in decided.events:
        scheduler.handle(event)
    return decided.sentence


def take_stock(scheduler: Scheduler, **told) -> None:
    model = scheduler.state.optimiser.model
    scheduler.handle(ev.StockTaken(at=6.0, observations=2, insight=told, model=model))


def test_what_breaks_a_constraint_is_counted_and_preferred_no_longer(coffees: Scheduler) -> None:
    said = amend(coffees, constraints=["dose <= 5"])
    assert said.endswith("; trials that break them, which are still learned from, and no best: 1")
    assert amendment_words(SPEC, coffees.state)[1].startswith("1 trial beyond what was added")
    assert trial_note(coffees.state.trials[2], coffees.state, None).startswith("does not satisfy `dose <= 5`")
    assert (preferred(coffees.state), why_no_best(coffees.state)) == (None, "not weighed")
    take_stock(coffees, preferred={"trial": 1, "next": None, "chance": None})
    assert preferred(coffees.state).words == (
        "trial 1, as of those compared it alone satisfies the constraints"
    )


def test_that_none_compared_satisfies_the_constraints_is_said(coffees: Scheduler) -> None:
    amend(coffees, constraints=["dose >= 9"])
    take_stock(coffees)
    assert why_no_best(coffees.state) == "none compared satisfies"


def test_what_a_spec_refuses_beside_comparisons_is_no_amendment_either(coffees: Scheduler) -> None:
    with pytest.raises(UsageError, match="expected no `travel` beside `told: by comparison`"):
        amend(coffees, travel={"dose": 8.0})


def test_no_value_of_a_trial_that_was_compared_is_corrected(coffees: Scheduler) -> None:
    with pytest.raises(UsageError, match="expected no value: in this run trials are compared"):
        correcting([Record(1, 3.0)], SPEC, coffees.state)


def test_what_is_outside_the_bounds_is_counted(coffees: Scheduler) -> None:
    said = amend(coffees, bounds={"dose": (0.0, 5.0)})
    assert said.endswith("; trials outside, which stay in the journal and are left out of the model: 1")
    assert "1 trial outside the bounds, left out of the model" in amendment_words(SPEC, coffees.state)
    assert trial_note(coffees.state.trials[2], coffees.state, None).startswith("outside the amended bounds")
    assert why_no_best(coffees.state) == "not compared"


def test_who_compares_a_trial_outside_the_bounds_is_told_that_it_lies_there(coffees: Scheduler) -> None:
    amend(coffees, bounds={"dose": (0.0, 5.0)})
    verdict = decide_comparing(Compare(1, 2), coffees.state, 7.0, "b")
    assert isinstance(verdict, Verdict)
    assert not verdict.accepted
    assert "trial 2 lies outside the amended ones" in verdict.sentence
