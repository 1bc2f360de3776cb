"""Numbers as programs write them, Fortran's among them."""

from __future__ import annotations

import math

import pytest

from evaluators.programs.written_number import read_number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1.5D-03", 0.0015),
        ("-2.d0", -2.0),
        ("0.12345678-103", 0.12345678e-103),
        ("-.5+101", -0.5e101),
        ("1.+100", 1e100),
        ("1e5", 1e5),
        ("1_234_567.5", 1234567.5),
        ("-Infinity", -math.inf),
        ("1.#INF", math.inf),
        ("-1.#INF00", -math.inf),
    ],
)
def test_fortrans_exponents_are_read_also_those_that_leave_no_room_for_their_letter(
    written: str, number: float
) -> None:
    assert read_number(written) == number


@pytest.mark.parametrize(
    "written", ["nan", "-NaN", "1.#QNAN", "-1.#IND00", "1.#SNAN", "-nan(ind)", "nan(0x8000000000000)"]
)
def test_what_is_no_number_any_more_is_told_from_what_never_was_one(written: str) -> None:
    number = read_number(written)
    assert number is not None
    assert math.isnan(number)


@pytest.mark.parametrize(
    "written",
    [
        "1.#",
        "1.#INFX",
        "nan(",
        "nano",
        "5-100",
        "1.5-10",
        "1.5-1000",
        "1.2.3-100",
        "*********",
        "1.5 - 100",
        # Names, as of a mesh or a month, which Python takes for numbers.
        "10_3",
        "2026_11",
        "1e1_0",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(written: str) -> None:
    assert read_number(written) is None
