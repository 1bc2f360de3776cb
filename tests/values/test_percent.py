"""Shares are written in percent as people write them."""

from __future__ import annotations

import pytest

from orchestrator.python_interface.differences import Apart
from orchestrator.report.words.differences import share_words
from orchestrator.report.words.fidelity import LookCosts
from orchestrator.sensitivity.differences import Share
from orchestrator.values.over import Over
from orchestrator.values.percent import fine_percentage, percent, percentage, plus_or_minus


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [
        (29.51, 3, "2950 %"),
        (0.9997, 3, ">99.9 %"),
        (0.998, 2, ">99 %"),
        (1.0, 2, "100 %"),
        (1e-9, 2, "0.0000001 %"),
    ],
)
def test_no_share_has_an_exponent_of_ten_and_none_is_said_to_be_all_before_it_is(
    share: float, digits: int, said: str
) -> None:
    assert percent(share, digits) == said


@pytest.mark.parametrize(("share", "said"), [(0.9997, "± 100 %"), (0.234, "± 23 %"), (0.0012, "± 0.12 %")])
def test_how_far_something_may_be_off_has_no_exponent_of_ten_either(share: float, said: str) -> None:
    assert plus_or_minus(share, 2) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (0.004, "<1 %"),
        (0.005, "<1 %"),
        (0.006, "1 %"),
        (0.41, "41 %"),
        (0.994, "99 %"),
        (0.996, ">99 %"),
        (1.0, "100 %"),
    ],
)
def test_what_is_not_quite_nothing_or_not_quite_all_is_not_said_to_be(share: float, said: str) -> None:
    assert percentage(share) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (0.0004, "<0.1 %"),
        (0.023, "2.3 %"),
        (0.41, "41 %"),
        (0.977, "97.7 %"),
        (0.9997, ">99.9 %"),
        (1.0, "100 %"),
    ],
)
def test_of_next_to_nothing_and_of_nearly_all_a_tenth_is_said(share: float, said: str) -> None:
    assert fine_percentage(share) == said


def test_a_difference_from_what_is_far_less_is_so_many_percent_of_it_or_of_next_to_nothing_no_share() -> None:
    assert share_words(Share(29.51, 12.0, 60.0)) == "+2950 % (+1200 to +6000)"
    assert share_words(Share(29.51, -0.02, 1.8e308)) == ""
    shares = [
        repr(Apart(3.0, 0.1, 2.9, 0.1, 2.7, 3.1, 1.0, 1.0, one))
        for one in ((29.0, 27.0, 31.0), (3e4, 1.0, 5e9))
    ]
    assert ["%" in one.partition("better")[0] for one in shares] == [True, False]
    assert "+2900 %" in shares[0]


def test_a_difference_of_next_to_nothing_is_not_told_in_a_row_of_zeros() -> None:
    assert share_words(Share(-3.45e-11, -3.45e-11, -3.4e-11)) == ""
    assert share_words(Share(0.0, 0.0, 0.0)) == "0 % (0 to 0)"
    assert share_words(Share(2e-6, 1e-6, 3e-6)) == "+0.0002 % (+0.0001 to +0.0003)"
    tiny, unsure = (
        repr(Apart(3.0, 3.0, 9e-13, 0.1, -0.2, 0.2, 0.5, 0.5, one))
        for one in ((2.88e-13, 2e-13, 3e-13), (2.88e-13, -0.4, 0.7))
    )
    assert "%" not in tiny.partition("better")[0]
    assert "0.2, 0 %)" in unsure


def test_looks_that_are_hardly_less_dear_cost_so_many_percent() -> None:
    costs = LookCosts((20, 29, 42, 80), (0.999, 1.004, 1.6, 1.0), 0.1, 11).words
    assert costs.endswith("20 costs >99 %, 29 costs 100 %, 42 costs 160 % of that")


def test_nearly_all_conditions_are_not_said_to_be_all() -> None:
    assert "over the worst >99.9 % of" in Over(share=0.9999).words
