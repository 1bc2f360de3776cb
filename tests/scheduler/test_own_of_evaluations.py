"""What the evaluation of a trial had of its own, as its worker tells it: for people who look for it later."""

from __future__ import annotations

from collections.abc import Mapping

from lab import Lab
from policies import policy_with

from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import FailureArrived, ResultArrived, WorkerJoined
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial

LEFT, RIGHT = {"ARM": "left"}, {"ARM": "right"}


def begun(own: Mapping[str, str], *, attempts: int = 3) -> Lab:
    lab = Lab(policy_with(trials=4, attempts=attempts))
    lab.start()
    lab.happen(WorkerJoined(at=lab.tick(), worker="w1", slots=1, own=own))
    lab.suggest()
    return lab


def test_a_trial_that_runs_has_what_its_worker_has_in_each_slot() -> None:
    assert begun(LEFT).trial(1).own == LEFT


def test_what_its_outcome_says_of_its_slot_is_what_it_had() -> None:
    lab = begun({})
    lab.happen(ResultArrived(at=lab.tick(), worker="w1", lease="1.1", value=1.0, own=RIGHT))
    assert lab.trial(1).own == RIGHT


def test_a_failure_says_where_it_failed() -> None:
    lab = begun({}, attempts=1)
    lab.happen(
        FailureArrived(at=lab.tick(), worker="w1", lease="1.1", kind="error", message="stuck", own=RIGHT)
    )
    assert lab.trial(1).own == RIGHT


def test_a_worker_that_says_nothing_of_its_outcome_had_what_it_joined_with() -> None:
    lab = begun(LEFT)
    lab.succeed("1.1")
    assert lab.trial(1).own == LEFT


def test_what_another_worker_has_is_not_taken_for_that_of_whoever_sent_the_value() -> None:
    lab = begun(LEFT)
    lab.leave("w1")
    lab.happen(WorkerJoined(at=lab.tick(), worker="w2", slots=1, own=RIGHT))
    assert lab.trial(1).own == RIGHT
    lab.succeed("1.1", worker="w1")
    assert (lab.trial(1).worker, lab.trial(1).own) == ("w1", {})


def test_a_repair_keeps_it() -> None:
    lab = Lab(policy_with(trials=4))
    lab.start()
    saved = SavedTrial(number=1, suggested=Suggested(parameters={"x": 1}), value=1.0, worker="w1", own=RIGHT)
    lab.happen(JournalMended(at=lab.tick(), wall="", lost=1, asks=1, trials=(saved,)))
    assert lab.trial(1).own == RIGHT
