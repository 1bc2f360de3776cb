"""Whether the time of day is what it was to be, where a machine sleeps or its clock is set."""

from __future__ import annotations

from datetime import datetime, timedelta

from orchestrator.runtime.time_of_day import LEAST_S, Moved, TimeOfDay
from orchestrator.system.asleep import seconds_asleep

BEGAN = datetime.fromisoformat("1970-01-01T00:00:10+00:00")


class Machine:
    """Its three clocks."""

    def __init__(self) -> None:
        self.wall, self.awake, self.asleep = BEGAN, 100.0, 7.0
        self.seen = TimeOfDay(lambda: self.wall, lambda: self.awake, lambda: self.asleep)

    def work(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.awake += seconds

    def sleep(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.asleep += seconds


def test_nothing_is_said_of_time_that_passes_nor_of_a_clock_that_is_kept_right() -> None:
    machine = Machine()
    machine.work(5000.0)
    machine.wall += timedelta(seconds=2)
    machine.sleep(3.0)
    assert machine.seen.moved() is None


def test_a_clock_that_is_set_has_moved_once() -> None:
    machine = Machine()
    machine.work(60.0)
    machine.wall = datetime.fromisoformat("2026-03-01T12:00:00+01:00")
    assert machine.seen.moved() == Moved("2026-03-01T12:00:00+01:00", 0.0)
    machine.work(60.0)
    assert machine.seen.moved() is None


def test_what_a_machine_slept_is_told_and_is_no_clock_that_was_set() -> None:
    machine = Machine()
    machine.work(5.0)
    machine.sleep(3600.0)
    assert machine.seen.moved() == Moved("1970-01-01T01:00:15+00:00", 3600.0)
    assert machine.seen.moved() is None


def test_naps_add_up() -> None:
    machine = Machine()
    for _ in range(3):
        assert machine.seen.moved() is None
        machine.sleep(4.0)
    moved = machine.seen.moved()
    assert moved is not None
    assert moved.slept_s == 12.0


def test_this_machine_does_not_fall_asleep_while_it_is_asked() -> None:
    before = seconds_asleep()
    assert before > -1.0
    assert abs(seconds_asleep() - before) < LEAST_S
