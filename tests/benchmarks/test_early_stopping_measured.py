"""What a comparison of early stopping counts: steps, and what stopping lost."""

from __future__ import annotations

import pytest

from benchmarks.contenders.early_bench import Bench, Job, Run
from benchmarks.contenders.early_runs import run
from benchmarks.functions.early_stopping import EARLY

MIDDLE = {"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5}
CORNER = dict.fromkeys("abcd", 1.0)


def test_every_step_is_paid_for_and_one_of_what_is_stopped_as_well() -> None:
    bench = Bench(Job("auto", "descents", 0))
    value = bench.evaluate(MIDDLE, lambda _step, _value: True)
    assert bench.evaluate(CORNER, lambda step, _value: step < 4) is None
    assert (bench.steps, bench.begun, bench.stopped, bench.lost) == (34, 2, 1, 0)
    assert bench.changed == [(30, value)]
    assert bench.left == 30 * 30 - 34


def test_what_would_have_been_the_best_is_lost_by_stopping_it() -> None:
    bench = Bench(Job("auto", "late", 0))
    bench.evaluate(CORNER, lambda _step, _value: True)
    bench.evaluate(MIDDLE, lambda step, _value: step < 2)
    assert (bench.stopped, bench.lost) == (1, 1)


def test_the_budget_ends_an_evaluation_that_is_under_way() -> None:
    bench = Bench(Job("auto", "descents", 0), steps=30 * 30 - 5)
    assert bench.evaluate(MIDDLE, lambda _step, _value: True) is None
    assert (bench.left, bench.stopped, bench.changed) == (0, 0, [])


def test_what_was_reached_is_what_the_steps_of_so_many_whole_evaluations_had_paid_for() -> None:
    found = Run(Job("auto", "descents", 0), (30, 90, 200), (3.0, 2.0, 1.0), 9, 0, 0, 0.1)
    assert [found.reached(n) for n in (0, 1, 3, 6, 30)] == [float("inf"), 3.0, 2.0, 2.0, 1.0]


@pytest.mark.parametrize("name", ["descents", "late", "averages", "tumours"])
def test_an_evaluation_has_as_many_readings_as_is_said_and_the_same_ones_again(name: str) -> None:
    function = EARLY[name]
    middle = {
        key: (told["bounds"][0] + told["bounds"][1]) / 2 if told["type"] == "float" else told["bounds"][0]
        for key, told in function.description.items()
    }
    readings = list(function.begun(middle, 5))
    assert len(readings) == function.steps
    assert list(function.begun(middle, 5)) == readings


def test_stopping_by_chance_begins_more_evaluations_on_the_same_steps() -> None:
    found = run(Job("random", "descents", 1, "chance"))
    assert found.begun > 33
    assert found.stopped > 8
    assert found.lost <= 0.1 * found.stopped
    assert found.reached(30) == min(found.worth)
