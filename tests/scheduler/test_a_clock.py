"""A parameter whose value is the time: each trial has that at which it is handed out; none is the best."""

from __future__ import annotations

import pytest
from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BoundsAmended
from orchestrator.scheduler.commands import Ask, Evaluate, TakeStock, Tell
from orchestrator.scheduler.events import FailureArrived, RunResumed
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.clock import Clock
from orchestrator.scheduler.time_events import TimeOfDayMoved, TimeRanOut
from orchestrator.scheduler.transitions import Phase

MINUTES = Clock(parameter="minutes", unit_s=60.0, bounds=(0.0, 10.0))


def begun(**rules: object) -> Lab:
    lab = Lab(policy_with(**{"trials": 10, "mode": "sequential", "clock": MINUTES, **rules}))  # type: ignore[arg-type]
    lab.start()
    return lab


def given(lab: Lab) -> list[object]:
    return [evaluate.parameters["minutes"] for evaluate in only(Evaluate, lab.commands)]


def test_a_clock_shows_the_time_in_its_unit_and_stays_within_its_bounds() -> None:
    assert [MINUTES.shows(seconds) for seconds in (0.0, 90.0, 20.0, 1e4)] == [0.0, 1.5, 0.333333, 10.0]
    assert MINUTES.end_s == 600.0


def test_points_are_asked_for_now_and_a_trial_that_waited_is_as_late_as_it_is_handed_out() -> None:
    lab = begun()
    (ask,) = only(Ask, lab.commands)
    assert ask.held == {"minutes": MINUTES.shows(lab.now)}
    lab.suggest(beside=dict(ask.held))
    lab.now = 89.0
    lab.join("w1")
    assert (given(lab), lab.trial(1).parameters["minutes"]) == ([1.5], 1.5)
    (tell,) = only(Tell, lab.succeed("1.1", 1.0))
    assert (tell.parameters["minutes"], tell.held) == (1.5, True)
    (_, then) = only(Ask, lab.commands)
    assert then.held == {"minutes": MINUTES.shows(lab.now)}


def test_another_attempt_is_later_and_so_is_its_time() -> None:
    lab = begun()
    lab.suggest()
    lab.now = 59.0
    lab.join("w1")
    lab.now = 119.0
    lab.happen(FailureArrived(at=lab.tick(), worker="w1", lease="1.1", kind="error", message="no"))
    assert given(lab) == [1.0, 2.0]


def test_no_trial_is_the_best_of_now_and_at_the_end_it_is_asked_what_is() -> None:
    lab = begun(trials=1)
    lab.join("w1")
    lab.suggest()
    ended = lab.succeed("1.1", 7.0)
    assert lab.state.found.best is None
    (stock,) = only(TakeStock, ended)
    assert stock.held == {"minutes": MINUTES.shows(lab.now)}


def test_while_nobody_works_on_a_run_its_clock_goes_on_and_its_budget_of_time_does_not() -> None:
    lab = begun(time_s=500.0)
    lab.happen(RunResumed(at=lab.tick(), wall="later", unattended_s=120.0))
    assert lab.state.places == {"minutes": MINUTES.shows(lab.now + 120.0)}
    assert lab.state.ends_s == 480.0
    # A time of day that was set back turns nothing back.
    lab.happen(RunResumed(at=lab.tick(), wall="earlier", unattended_s=20.0))
    assert lab.state.unattended.seconds == 120.0


def test_while_the_machine_sleeps_the_clock_goes_on_and_one_that_is_set_moves_nothing() -> None:
    lab = begun()
    lab.happen(TimeOfDayMoved(at=lab.tick(), wall="2026-03-01T12:00:00+01:00"))
    assert lab.state.places == {"minutes": MINUTES.shows(lab.now)}
    lab.happen(TimeOfDayMoved(at=lab.tick(), wall="2026-03-01T12:02:00+01:00", slept_s=120.0))
    assert lab.state.places == {"minutes": MINUTES.shows(lab.now + 120.0)}
    assert lab.state.ends_s == 480.0
    # From here on the time counts in which nobody works on it.
    assert (lab.state.unattended.wall, lab.state.unattended.shown_s) == (
        "2026-03-01T12:02:00+01:00",
        lab.now + 120.0,
    )


def test_a_run_ends_with_its_clock_and_goes_on_within_later_bounds() -> None:
    lab = begun()
    lab.happen(TimeRanOut(at=599.0))
    assert lab.state.phase is Phase.ACTIVE
    lab.happen(TimeRanOut(at=600.0))
    assert (lab.state.phase, lab.state.end.why) == (
        Phase.FINISHED,
        "the clock, `minutes`, is at its upper bound",
    )
    lab.now = 600.0
    lab.happen(BoundsAmended(at=lab.tick(), bounds={"minutes": (0.0, 20.0)}))
    assert (lab.state.resumable, lab.state.ends_s) == (True, 1200.0)


@pytest.mark.parametrize("budget", [None, 300.0])
def test_what_is_replayed_has_the_times_that_it_had(budget: float | None) -> None:
    lab = begun(time_s=budget)
    lab.join("w1")
    for value in range(3):
        lab.suggest()
        lab.succeed(f"{value + 1}.1", float(value))
        lab.now += 17.3
    again = Scheduler(lab.policy)
    for event in lab.events:
        again.handle(event)
    assert again.state == lab.state
