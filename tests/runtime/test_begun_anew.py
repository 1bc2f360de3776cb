"""What is said of an evaluation that was to go on from an earlier one, and began from nothing."""

from __future__ import annotations

import pytest
from policies import policy_with

from orchestrator.runtime.evaluations.begun_anew import BegunAnew
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import ObservationsForgotten
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.machine import Scheduler


@pytest.fixture
def going_on() -> Scheduler:
    """One whose second trial runs, and goes on from the first."""
    scheduler = Scheduler(policy_with(cost=3.0, full={"steps": 40}, mode="sequential"))
    few = Suggested(parameters={"rate": 0.1, "steps": 10}, cost=0.25)
    more = Suggested(parameters={"rate": 0.1, "steps": 40}, cost=0.75, continues=1)
    for event in (
        ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00", approves_attempts=True),
        ev.WorkerJoined(at=0.5, worker="w1", slots=1, local=True),
        ev.SuggestionsMade(at=1.0, ask=1, suggestions=(few,)),
        ev.ResultArrived(at=2.0, worker="w1", lease="1.1", value=3.0),
        ev.SuggestionsMade(at=3.0, ask=2, suggestions=(more,)),
    ):
        scheduler.handle(event)
    return scheduler


def result(*, continued: bool) -> ev.ResultArrived:
    return ev.ResultArrived(at=5.0, worker="w1", lease="2.1", value=1.0, continued=continued)


def test_that_a_worker_has_nothing_to_go_on_from_is_said_with_what_to_do(going_on: Scheduler) -> None:
    said = BegunAnew().heard(result(continued=False), going_on.state)
    assert said.startswith(
        "trial 2 began from nothing: w1 does not have what trial 1 left; workers on several"
    )
    assert BegunAnew().heard(result(continued=True), going_on.state) == ""


def test_of_what_is_forgotten_no_worker_is_said_to_lack_it(going_on: Scheduler) -> None:
    going_on.handle(ObservationsForgotten(at=4.0, trials=(1,), reason="a wrong mesh"))
    said = BegunAnew().heard(result(continued=False), going_on.state)
    assert said == "trial 2 began from nothing: what trial 1 left is forgotten"


def test_what_happens_again_and_again_is_said_ever_more_seldom(going_on: Scheduler) -> None:
    anew = BegunAnew()
    said = [anew.heard(result(continued=False), going_on.state) for _ in range(100)]
    assert [count for count, sentence in enumerate(said, start=1) if sentence] == [1, 10, 100]
    assert said[9].startswith("trial 2 began from nothing, the 10th that was to go on and did: w1 does not")


def test_what_comes_late_of_another_trial_that_had_the_number_is_not_said_to_have_begun_so(
    going_on: Scheduler,
) -> None:
    going_on.state.trials[2].attempts.not_own = 1
    assert BegunAnew().heard(result(continued=False), going_on.state) == ""
