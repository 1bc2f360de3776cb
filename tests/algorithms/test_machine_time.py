"""What evaluations of a machine take by themselves, whether or not what is measured has changes in it."""

from __future__ import annotations

from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.values.change import Change

SLOW = {"oven": Change(1200.0, 1200.0)}


def told(*results: tuple[float, float | None]) -> MachineTime:
    time = MachineTime(SLOW)
    for oven, seconds in results:
        time.tell({"oven": oven}, seconds)
    return time


def test_what_changes_nothing_tells_what_an_evaluation_takes() -> None:
    assert told((50, 2000.0), (60, 1500.0), (60, 310.0), (60, 290.0)).evaluation_s == 300.0


def test_an_evaluation_that_waits_for_its_change_is_not_counted_twice() -> None:
    assert told((50, 2000.0), (60, 1500.0)).evaluation_s == 300.0


def test_one_whose_change_another_makes_is_taken_as_it_is() -> None:
    assert told((50, 300.0), (60, 320.0)).evaluation_s == 320.0


def test_of_the_first_alone_nobody_knows_what_it_changed() -> None:
    assert told((50, 700.0)).evaluation_s == 700.0
    assert told((50, None)).evaluation_s is None


def test_what_a_person_says_of_it_counts() -> None:
    time = MachineTime(SLOW, takes_s=360.0)
    time.tell({"oven": 50}, 0.01)
    assert time.evaluation_s == 360.0


def test_what_is_learned_of_durations_is_without_the_change() -> None:
    time = MachineTime(SLOW)
    assert [time.tell({"oven": at}, s) for at, s in ((50, 300.0), (60, 1500.0), (60, None))] == [
        300,
        300,
        None,
    ]


def test_evaluations_are_counted_since_a_setting_is_as_it_stands() -> None:
    time = told((50, 1.0), (60, 1.0), (60, None), (60, 1.0))
    assert time.evaluations_since("oven", {"oven": 60}) == 3
    assert time.evaluations_since("oven", {"oven": 50}) == 0


def test_a_copy_learns_by_itself() -> None:
    time = told((50, 300.0))
    time.copied().tell({"oven": 50}, 100.0)
    assert (time.evaluation_s, len(time.places)) == (300.0, 1)
