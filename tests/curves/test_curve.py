"""What is kept of a curve: all of a short one, and of a long one its first, its last and some between."""

from __future__ import annotations

import math
import sys
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orchestrator.curves.curve import MOST, Curve, at
from orchestrator.curves.watched import Watched


def curve_of(*readings: tuple[int, float]) -> Curve:
    curve = Curve()
    for step, value in readings:
        curve.add(step, value)
    return curve


def test_a_short_curve_is_kept_whole() -> None:
    readings = tuple((step, 1.0 / step) for step in range(1, MOST))
    assert curve_of(*readings).readings == readings


@given(st.lists(st.integers(1, 9), min_size=1, max_size=700))
@example([1] * 100)
def test_however_long_it_is_it_has_its_first_and_last_reading_and_not_more_than_so_many(
    gaps: list[int],
) -> None:
    steps = [sum(gaps[: k + 1]) for k in range(len(gaps))]
    kept = curve_of(*((step, float(step)) for step in steps)).readings
    assert (kept[0][0], kept[-1][0]) == (steps[0], steps[-1])
    assert len(kept) <= MOST
    assert len(kept) >= min(len(steps), MOST // 2)
    assert list(kept) == sorted(set(kept))
    assert {step for step, _ in kept} <= set(steps)


def test_of_a_long_one_what_is_between_is_evenly_apart() -> None:
    kept = curve_of(*((step, 0.0) for step in range(20 * MOST))).readings
    steps = [step for step, _ in kept[:-1]]
    assert {later - earlier for earlier, later in pairwise(steps)} == {32}


@pytest.mark.parametrize("reading", [(3, 1.0), (2, 1.0), (4, math.nan), (4, math.inf)])
def test_a_step_back_and_what_is_no_number_say_nothing(reading: tuple[int, float]) -> None:
    curve = curve_of((1, 5.0), (3, 4.0))
    assert not curve.add(*reading)
    assert curve.readings == ((1, 5.0), (3, 4.0))


@pytest.mark.parametrize(
    ("step", "value"), [(0, 5.0), (1, 5.0), (2, 4.5), (3, 4.0), (5, 2.0), (7, 0.0), (9, 0.0)]
)
def test_between_two_readings_it_is_on_the_line_and_beyond_them_at_the_nearest(
    step: int, value: float
) -> None:
    assert at(((1, 5.0), (3, 4.0), (7, 0.0)), step) == pytest.approx(value)


def test_between_the_largest_doubles_it_is_on_the_line_too() -> None:
    largest = ((0, -sys.float_info.max), (4, sys.float_info.max))
    assert [at(largest, step) for step in (2, 3)] == pytest.approx([0.0, sys.float_info.max / 2.0])


def test_an_evaluation_is_looked_at_at_every_step_at_first_and_later_after_each_fifth() -> None:
    watched = Watched()
    looks = [step for step in range(1, 41) if watched.reported(step, 0.0, after=2)]
    assert looks == [2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40]


def test_a_reading_that_says_nothing_is_no_look() -> None:
    watched = Watched()
    assert watched.reported(1, 0.0)
    assert not watched.reported(1, 0.0)
    assert watched.reported(2, 0.0)


def test_what_diverges_is_looked_at_and_is_no_part_of_its_curve() -> None:
    watched = Watched()
    assert watched.reported(4, 0.5)
    assert watched.reported(5, math.nan)
    assert not watched.reported(5, math.inf)
    assert watched.reported(6, 0.25)
    assert (watched.curve.readings, watched.not_finite_at) == (((4, 0.5), (6, 0.25)), 5)
