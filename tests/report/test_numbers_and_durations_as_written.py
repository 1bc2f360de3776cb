"""Numbers, durations and times of a run are written as people write them."""

from __future__ import annotations

import pytest

from orchestrator.report.words.wording import (
    clock,
    column_digits,
    counted,
    duration,
    first_line,
    listed,
    number,
    number_beside,
    passing,
    shortened,
    uncertain,
)
from orchestrator.values.read_in_percent import shares_seen


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-1.0, "0 s"),
        (9e-7, "0 s"),
        (4e-5, "40 µs"),
        (0.0004, "400 µs"),
        (0.001, "1 ms"),
        (0.0994, "99 ms"),
        (0.0995, "0.1 s"),
        (0.25, "0.25 s"),
        (1.0, "1.0 s"),
        (9.94, "9.9 s"),
        (9.95, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (125.0, "2 min 05 s"),
        (3599.4, "59 min 59 s"),
        (3600.0, "1 h 00 min"),
        (11_520.0, "3 h 12 min"),
        (86_399.0, "1 d 0 h"),
        (93_600.0, "1 d 2 h"),
    ],
)
def test_a_duration_is_said_in_the_two_units_that_matter(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_what_is_growing_while_it_is_read_has_tenths_at_most_and_a_clock_one_width_for_an_hour() -> None:
    assert [passing(seconds) for seconds in (-2.0, 0.25, 9.94, 9.95, 61.0)] == [
        "0.0 s",
        "0.2 s",
        "9.9 s",
        "10 s",
        "1 min 01 s",
    ]
    assert [clock(seconds) for seconds in (-1.0, 125.9, 3599.0, 3600.0, 3725.0)] == [
        "0:00",
        "2:05",
        "59:59",
        "1:00:00",
        "1:02:05",
    ]


def test_numbers_have_the_digits_that_tell_them_apart() -> None:
    assert [number(value) for value in (True, -0.0, 3.14159265, 7, "off")] == [
        "true",
        "0",
        "3.1416",
        "7",
        "off",
    ]
    assert number([1.0, 2.0, 3.0, 4.0]) == "[1, 2, 3, 4]"
    assert number([2.0, 5.0, 3.0, 1.0, 4.0]) == "5 points between 1 and 5"
    assert number_beside(1000.1234, 1000.1111) == "1000.123"
    assert number_beside(1000.1234, None) == "1000.1"
    assert column_digits([1.0, 2.0, 3.0]) == 6
    assert column_digits([1e6 + step for step in (0.0, 0.1, 0.2, 0.3)]) == 10


def test_what_is_uncertain_has_no_more_digits_than_its_deviation_allows() -> None:
    assert uncertain(-0.0518, 0.0065) == "-0.0518 ± 0.0065"
    assert uncertain(50.4, 121.0) == "50 ± 120"
    assert uncertain(0.0, 0.5) == "0 ± 0.5"
    assert uncertain(1.2345678, 0.0) == "1.23457"
    assert uncertain(9e-12, 7.9) == "0 ± 7.9"
    assert uncertain(0.4, 7.9) == "0.4 ± 7.9"


def test_what_is_not_known_to_differ_is_not_told_in_ever_more_digits() -> None:
    assert number_beside(30.5205155934, 30.5205155934 + 9e-12, unsure=7.9) == "30.521"
    assert number_beside(30.5205155934, 30.5205155934 + 9e-9, unsure=1e-10) == "30.5205155934"
    assert shares_seen((3e-13, -0.42, 0.708)) == [0.0, -0.42, 0.708]
    assert shares_seen((3e-13, 2e-13, 4e-13)) == [3e-13, 2e-13, 4e-13]


def test_words_are_counted_listed_and_shortened() -> None:
    assert [counted(count, "trial") for count in (0, 1, 2041)] == ["0 trials", "1 trial", "2,041 trials"]
    assert [listed(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert shortened("abcdefgh", 8) == "abcdefgh"
    assert shortened("abcdefghi", 8) == "abcd…ghi"
    assert first_line("\n  \n\tthe first \nthe second") == "the first"
