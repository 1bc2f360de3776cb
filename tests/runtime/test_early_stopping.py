"""What follows from reports: nothing before enough is known, and nothing where a result is on their heels."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from policies import policy_with

from orchestrator.runtime.evaluations.early_stopping import EarlyStopping
from orchestrator.scheduler.amendment_events import HeldAmended, ObservationsForgotten
from orchestrator.scheduler.event_parts import ADDED
from orchestrator.scheduler.events import (
    ResultArrived,
    RunStarted,
    TrialFoundHopeless,
    TrialFoundUnlikely,
    WorkerJoined,
)
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.sections.stop_when import StopWhen

RULE = StopWhen(quantity="loss", chance_below=0.1)


def taught(early: EarlyStopping, completed: int, seconds: float = 60.0) -> Scheduler:
    """A run to minimise, so many of whose trials ended at a tenth of what they reported, and two that run."""
    scheduler = Scheduler(policy_with(goal="minimise", trials=completed + 2))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 0.5},) * (completed + 2)))
    scheduler.handle(WorkerJoined(at=0.0, worker="w", slots=completed + 2))
    for number in range(1, completed + 1):
        lease, size = f"{number}.1", 1.0 + 0.1 * number
        for step in (1, 2, 3):
            assert (
                early.reported(scheduler.state, 1.0, lease, step, {"loss": 10.0 * size + 1.0 / step}) is None
            )
        result = ResultArrived(at=1.0, worker="w", lease=lease, value=size, elapsed=seconds)
        scheduler.handle(early.with_curve(result))
    return scheduler


def found(early: EarlyStopping, state: State, lease: str, loss: float) -> list[TrialFoundUnlikely]:
    """What is found of an evaluation that reports this twice, ten seconds later."""
    for step in (1, 2):
        assert early.reported(state, 2.0, lease, step, {"loss": loss}) is None
    return early.due(state, 12.0)


def test_what_will_hardly_do_is_found_once_enough_have_ended() -> None:
    for completed, expected in ((4, 0), (6, 1)):
        early = EarlyStopping(RULE)
        state = taught(early, completed).state
        events = found(early, state, f"{completed + 1}.1", 400.0)
        assert len(events) == expected
    (event,) = events
    assert (event.lease, event.at) == ("7.1", 12.0)
    assert event.forecast.mean == pytest.approx(40.0, rel=0.1)
    assert event.forecast.chance < 0.1
    assert event.curve == ((1, 400.0),)
    assert found(early, state, "8.1", 11.0) == [], "one that is better than all goes on"


@pytest.mark.parametrize(("seconds", "patience_s"), [(0.01, 0.1), (5.0, 0.5), (3600.0, 1.0)])
def test_a_result_on_the_heels_of_a_report_is_waited_for(seconds: float, patience_s: float) -> None:
    early = EarlyStopping(RULE)
    state = taught(early, 8, seconds).state
    early.reported(state, 2.0, "9.1", 1, {"loss": 400.0})
    assert early.due(state, 2.0 + 0.9 * patience_s) == []
    result = early.with_curve(ResultArrived(at=2.05, worker="w", lease="9.1", value=40.0))
    assert result.curve == ((1, 400.0),)
    assert early.due(state, 99.0) == []
    early.reported(state, 3.0, "10.1", 1, {"loss": 400.0})
    assert [event.lease for event in early.due(state, 3.0 + 1.1 * patience_s)] == ["10.1"]
    assert early.due(state, 99.0) == [], "it is said once"


def test_what_was_forgotten_teaches_nothing() -> None:
    early = EarlyStopping(RULE)
    scheduler = taught(early, 6)
    scheduler.handle(ObservationsForgotten(at=1.5, trials=(1, 2), reason="unplugged"))
    assert found(early, scheduler.state, "7.1", 400.0) == []


def test_what_was_stopped_teaches_nothing_of_how_evaluations_end() -> None:
    early = EarlyStopping(RULE)
    scheduler = taught(early, 6)
    (stopped,) = found(early, scheduler.state, "7.1", 400.0)
    scheduler.handle(stopped)
    (another,) = found(early, scheduler.state, "8.1", 400.0)
    assert another.forecast == stopped.forecast


def test_limits_act_at_once_and_other_quantities_not_at_all() -> None:
    early = EarlyStopping(StopWhen(quantity="loss", above=300.0, chance_below=0.1))
    state = taught(early, 6).state
    hopeless = early.reported(state, 2.0, "7.1", 1, {"loss": 400.0})
    assert isinstance(hopeless, TrialFoundHopeless)
    assert early.reported(state, 2.0, "8.1", 1, {"accuracy": 0.0}) is None
    assert early.due(state, 12.0) == []
    assert EarlyStopping(None).reported(state, 2.0, "8.1", 1, {"loss": 1e9}) is None


def test_what_a_person_had_tried_goes_on_to_its_end() -> None:
    early = EarlyStopping(RULE)
    scheduler = taught(early, 6)
    trial = scheduler.state.trials[7]
    assert trial.lease == "7.1"
    trial.ask, trial.suggested = None, replace(trial.suggested, why={"source": ADDED})
    assert found(early, scheduler.state, "7.1", 400.0) == []
    assert len(found(early, scheduler.state, "8.1", 400.0)) == 1


def test_curves_of_leases_that_ended_without_a_result_are_let_go() -> None:
    early = EarlyStopping(RULE)
    state = taught(early, 1).state
    for number in range(1_000):
        early.reported(state, 2.0, f"2.{number}", 1, {"loss": 1.0})
    assert len(early._watched) < 250
    kept = early.with_curve(ResultArrived(at=3.0, worker="w", lease="2.999", value=1.0))
    assert kept.curve == ((1, 1.0),)


def test_what_ended_where_parameters_were_held_before_teaches_nothing_of_where_they_are_held_now() -> None:
    early = EarlyStopping(RULE)
    scheduler = taught(early, 6)
    scheduler.handle(HeldAmended(at=1.5, held={"x": 0.5}))
    assert len(found(early, scheduler.state, "7.1", 400.0)) == 1
    scheduler.handle(HeldAmended(at=13.0, held={"x": 0.7}))
    assert found(early, scheduler.state, "8.1", 400.0) == []


def ends_though_it_was(
    early: EarlyStopping, scheduler: Scheduler, lease: str, value: float, loss: float
) -> ResultArrived:
    """An evaluation reports such a loss first, and ends well all the same."""
    early.reported(scheduler.state, 2.0, lease, 1, {"loss": loss})
    early.reported(scheduler.state, 2.0, lease, 2, {"loss": 10.0 * value})
    result = early.with_curve(ResultArrived(at=2.05, worker="w", lease=lease, value=value, elapsed=60.0))
    scheduler.handle(result)
    return result


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf])
def test_what_diverges_is_as_bad_as_the_worst_end_and_hardly_any_better(loss: float) -> None:
    early = EarlyStopping(RULE)
    state = taught(early, 6).state
    early.reported(state, 2.0, "7.1", 3, {"loss": 11.0})
    early.reported(state, 2.0, "7.1", 4, {"loss": loss})
    (event,) = early.due(state, 12.0)
    assert event.reason.startswith(f"stopped at step 4, where loss was {loss:g}: with probability 0.001 it ")
    assert event.forecast.mean == 1.6
    assert 0.05 < event.forecast.deviation < 0.1
    assert event.curve == ((3, 11.0),)


def test_nothing_diverges_before_enough_is_known() -> None:
    early = EarlyStopping(RULE)
    assert found(early, taught(early, 4).state, "5.1", math.nan) == []


def test_where_what_ends_well_begins_with_an_infinity_nothing_follows_from_one() -> None:
    early = EarlyStopping(RULE)
    scheduler = taught(early, 6)
    result = ends_though_it_was(early, scheduler, "7.1", 1.05, math.inf)
    assert (result.curve, result.not_finite_at) == (((2, 10.5),), 1)
    assert found(early, scheduler.state, "8.1", math.inf) == []
