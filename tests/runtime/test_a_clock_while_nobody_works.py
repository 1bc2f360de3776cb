"""A run whose clock went on while nobody worked on it: how late it is then, and what it needs to go on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from policies import policy_with

from orchestrator.runtime.requests.spent_budgets import what_to_amend
from orchestrator.runtime.unattended import ends_at_once, later_bounds, unattended_s
from orchestrator.scheduler.endings import STOPPED
from orchestrator.scheduler.rules.clock import Clock
from orchestrator.scheduler.state import State
from orchestrator.scheduler.state_parts import End, Unattended
from orchestrator.scheduler.transitions import Phase

HOURS = Clock(parameter="hours", unit_s=3600.0, bounds=(-2.0, 10.0))
NOW = datetime.fromisoformat("2026-03-01T12:00:00+01:00")


def stopped(hours_ago: float, clock: Clock | None = HOURS, why: str = STOPPED, **more: object) -> State:
    """A run that began so long ago, and was worked on for an hour."""
    wall = (NOW - timedelta(hours=hours_ago)).isoformat(timespec="seconds")
    unattended = Unattended(**{"wall": wall, **more})  # type: ignore[arg-type]
    policy = policy_with(trials=9, clock=clock)
    return State(policy=policy, at=3600.0, phase=Phase.FINISHED, unattended=unattended, end=End(why))


def test_what_is_no_hour_of_work_was_unattended_and_nothing_of_it_is_where_there_is_no_clock() -> None:
    assert unattended_s(stopped(5.0), NOW) == 4 * 3600.0
    assert unattended_s(stopped(5.0, clock=None), NOW) == 0.0


@pytest.mark.parametrize("hours_ago", [-30.0, 0.0, 1.5])
def test_a_time_of_day_that_was_set_back_turns_nothing_back(hours_ago: float) -> None:
    assert unattended_s(stopped(hours_ago, seconds=7200.0), NOW) == 7200.0


def test_a_clock_that_was_set_while_the_run_went_on_is_no_time_in_which_nobody_worked() -> None:
    """It began in 1970, by a clock that nobody had set; that was set when it had gone on for half an hour."""
    began = "1970-01-01T00:00:10+00:00"
    told = stopped(0.0, wall=began, seconds=0.0)
    assert ends_at_once(told, NOW) != ""
    then_set = stopped(4.5, shown_s=1800.0)
    assert unattended_s(then_set, NOW) == 4 * 3600.0
    assert ends_at_once(then_set, NOW) == ""


def test_a_run_would_end_at_once_whose_clock_came_to_its_end_meanwhile() -> None:
    assert ends_at_once(stopped(9.9), NOW) == ""
    assert ends_at_once(stopped(10.0), NOW) == "the clock, `hours`, is at its upper bound"
    assert ends_at_once(stopped(99.0, clock=None), NOW) == ""
    over = stopped(5.0, why="every trial of the budget is settled")
    assert ends_at_once(over, NOW) == "every trial of the budget is settled"


@pytest.mark.parametrize(("hours_ago", "bounds"), [(9.0, None), (10.0, (-2.0, 20.0)), (75.0, (-2.0, 80.0))])
def test_the_bounds_that_are_proposed_are_later_than_it_is(
    hours_ago: float, bounds: tuple[float, float] | None
) -> None:
    assert later_bounds(stopped(hours_ago), NOW) == bounds


def test_a_clock_that_came_to_its_end_is_named_among_what_is_spent() -> None:
    began = datetime.now().astimezone() - timedelta(hours=15)
    assert what_to_amend(stopped(0.0, wall=began.isoformat())) == "--bounds hours=-2,20"
