"""The benchmark of predictions: what it judges, and its table."""

from __future__ import annotations

from benchmarks.predictions import Row, judged, table
from benchmarks.sensitivity_functions import MEASURABLE
from benchmarks.sensitivity_rows import results_of


def test_forty_results_that_lie_evenly_say_well_what_a_smooth_function_is_elsewhere() -> None:
    function = MEASURABLE["circuit"]
    error, within = judged(function, *results_of(function, "sobol", 40, 0), 0)
    assert 0.0 < error < 0.02
    assert 0.1 < within <= 1.0


def test_the_table_has_medians_and_the_least_that_lies_within() -> None:
    made = [
        Row("g", "sobol", seed, error, within)
        for seed, (error, within) in enumerate(((0.1, 0.9), (0.3, 0.5), (0.02, 0.95)))
    ]
    assert "| g        | 8 | sobol     | 10.0  | 90.0   | 50.0         |" in table(made)
