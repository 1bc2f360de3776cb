"""A run that waits for workers says so now and then."""

from __future__ import annotations

from policies import policy_with

from orchestrator.runtime.missed_workers import MissedWorkers
from orchestrator.scheduler.events import RunPaused, RunStarted, WorkerJoined, WorkerLeft
from orchestrator.scheduler.machine import Scheduler

MINUTE_S = 60.0
DAY_S = 24 * 60 * MINUTE_S


def started() -> Scheduler:
    scheduler = Scheduler(policy_with(trials=4))
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon"))
    return scheduler


def said(missed: MissedWorkers, scheduler: Scheduler, *at: float) -> list[str]:
    """How long nobody was there, by what is said at these moments."""
    sentences = [missed.on_time(scheduler.state, now) for now in at]
    return [one.removeprefix("no worker has been connected for ").partition(";")[0] for one in sentences]


def test_after_ten_minutes_an_hour_six_and_each_day_once() -> None:
    scheduler, missed = started(), MissedWorkers()
    assert said(missed, scheduler, 0.0, 9 * MINUTE_S, 10 * MINUTE_S, 11 * MINUTE_S) == ["", "", "10 min", ""]
    assert said(missed, scheduler, 61 * MINUTE_S, 370 * MINUTE_S) == ["an hour", "6 hours"]
    assert said(missed, scheduler, DAY_S, 1.5 * DAY_S, 2 * DAY_S, 3 * DAY_S) == [
        "a day",
        "",
        "2 days",
        "3 days",
    ]


def test_and_anew_once_the_last_that_came_has_left() -> None:
    scheduler, missed = started(), MissedWorkers()
    assert said(missed, scheduler, 0.0, 10 * MINUTE_S) == ["", "10 min"]
    scheduler.handle(WorkerJoined(at=700.0, worker="w", slots=1))
    assert said(missed, scheduler, 700.0, DAY_S) == ["", ""]
    scheduler.handle(WorkerLeft(at=DAY_S, worker="w", lost=False))
    assert said(missed, scheduler, DAY_S, DAY_S + 9 * MINUTE_S, DAY_S + 10 * MINUTE_S) == ["", "", "10 min"]


def test_nobody_is_missed_while_a_person_has_the_run_paused() -> None:
    scheduler, missed = started(), MissedWorkers()
    scheduler.handle(RunPaused(at=1.0))
    assert said(missed, scheduler, 1.0, DAY_S) == ["", ""]


def test_an_orchestrator_that_was_stopped_for_days_says_the_last_of_what_was_due() -> None:
    scheduler, missed = started(), MissedWorkers()
    assert said(missed, scheduler, 0.0, 2.5 * DAY_S, 2.5 * DAY_S + 1.0) == ["", "2 days", ""]
