"""What several measurements of a reference say: no more than the numbers among them."""

from __future__ import annotations

import math

from orchestrator.values.levels import levels_of


def test_a_level_is_the_mean_of_what_is_a_number_and_none_where_nothing_is() -> None:
    results = [{"heat": 70, "noise": math.nan}, {"heat": math.inf, "noise": "loud"}, {"heat": 71.0}, {}]
    assert levels_of(["heat", "noise", "dust"], results) == {"heat": 70.5}


def test_results_that_are_alike_have_the_level_that_each_of_them_says() -> None:
    assert levels_of(["heat"], [{"heat": 0.1}] * 3) == {"heat": 0.1}
