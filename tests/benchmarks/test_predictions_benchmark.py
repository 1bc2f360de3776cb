"""The benchmark of predictions: what it judges, and its table."""

from __future__ import annotations

import pytest

from benchmarks.contenders.sensitivity import results_of
from benchmarks.functions.sensitivity import MEASURABLE
from benchmarks.predictions import Interval, Row, judged, table


@pytest.mark.long
def test_forty_results_that_lie_evenly_say_well_what_a_smooth_function_is_elsewhere() -> None:
    function = MEASURABLE["circuit"]
    error, alone, told = judged(function, *results_of(function, "sobol", 40, 0), 0)
    assert 0.0 < error < 0.02
    assert 0.1 < alone.within < 0.7 < told.within <= 1.0
    assert 0.0 < alone.width < told.width < 0.05


def test_the_table_has_medians_and_the_least_that_lies_within() -> None:
    made = [
        Row("g", "sobol", seed, error, Interval(within / 2.0, 0.25), Interval(within, 0.5))
        for seed, (error, within) in enumerate(((0.1, 0.9), (0.3, 0.5), (0.02, 0.95)))
    ]
    cells = [cell.strip() for cell in table(made).splitlines()[-1].strip("|").split("|")]
    assert cells == ["g", "8", "sobol", "10.0", "45.0", "25.0", "25.0", "90.0", "50.0", "50.0"]
