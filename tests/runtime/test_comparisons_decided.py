"""What people say of how trials compare: what counts, and what is refused, with what to do."""

from __future__ import annotations

import pytest
from policies import policy_with

from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.requests.decisions import decide, sentence_for
from orchestrator.runtime.requests.kinds import CarryOut, Compare, Record, TakeBack, Verdict
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.machine import Scheduler

POINTS = ({"x": 0.1}, {"x": 0.2}, {"x": 0.3}, {"x": 0.4})


def at_a_person(compared: bool = True) -> Scheduler:
    """Trials 1 and 2 are compared, trial 3 is a person's, and trial 4 waits."""
    scheduler = Scheduler(policy_with(trials=4, mode="sequential", compared=compared))
    scheduler.handle(ev.RunStarted(at=0.0, run="r", wall="", points=POINTS, in_turn=True))
    scheduler.handle(ev.WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    if compared:
        scheduler.handle(TrialCarriedOut(at=2.0, trial=1))
        scheduler.handle(ComparisonTold(at=3.0, trial=2, other=1))
    return scheduler


def decided(request, scheduler: Scheduler):
    return decide(request, scheduler.state, 4.0, "a", WantedResults())


@pytest.mark.parametrize(
    ("request_", "caused"),
    [
        (CarryOut(3), TrialCarriedOut(at=4.0, trial=3, request="a")),
        (Compare(3, 1, by="Ada"), ComparisonTold(at=4.0, trial=3, other=1, by="Ada", request="a")),
        (Compare(1, 3, True), ComparisonTold(at=4.0, trial=1, other=3, alike=True, request="a")),
        (TakeBack(1, 2), ComparisonTakenBack(at=4.0, trial=1, other=2, request="a")),
    ],
)
def test_what_can_be_said_is_an_event_and_said_back_in_words(request_, caused) -> None:
    scheduler = at_a_person()
    assert decided(request_, scheduler) == caused
    assert sentence_for(request_, scheduler.state)
    assert request_words(request_)
    scheduler.handle(caused)
    again = decided(request_, scheduler)
    assert isinstance(again, Verdict)
    assert again.accepted


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (Compare(3, 3), "two trials"),
        (Compare(3, 9), "from 1 to 4, got 9"),
        (Compare(4, 1), "trial 4 is queued"),
        (TakeBack(3, 1), "that were compared"),
        (Record(3, 0.5), "say orchestrator prefer 3 --over TRIAL"),
    ],
)
def test_what_makes_no_sense_is_refused(request_, said: str) -> None:
    verdict = decided(request_, at_a_person())
    assert isinstance(verdict, Verdict)
    assert not verdict.accepted
    assert said in verdict.sentence


def test_that_a_trial_is_carried_out_is_no_mistake_where_it_is_so_already() -> None:
    assert decided(CarryOut(1), at_a_person()) == Verdict(True, "trial 1 is carried out already")


def test_trials_that_have_values_are_not_compared() -> None:
    verdict = decided(Compare(1, 2), at_a_person(compared=False))
    assert isinstance(verdict, Verdict)
    assert "told: by comparison" in verdict.sentence
