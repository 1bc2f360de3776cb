"""The benchmark of how values are spread: what it judges, and its table."""

from __future__ import annotations

import pytest

from benchmarks.contenders.sensitivity import results_of
from benchmarks.functions.sensitivity import MEASURABLE
from benchmarks.spreads import Row, judged, table


@pytest.mark.long
def test_forty_results_that_lie_evenly_say_well_how_a_smooth_function_is_spread() -> None:
    function = MEASURABLE["circuit"]
    mean, deviation, high, chance, within = judged(function, *results_of(function, "sobol", 40, 0), 0)
    assert max(mean, deviation, high) < 0.05
    assert 0.005 < chance < 0.02
    assert 0.0 <= within <= 1.0


def test_the_table_has_medians_and_the_least_and_the_most_of_chances() -> None:
    made = [
        Row("g", "sobol", seed, 0.1, 0.2, off, chance, 0.5 + seed / 4.0)
        for seed, (off, chance) in enumerate(((0.3, 0.01), (0.4, 0.02), (0.2, 0.004)))
    ]
    cells = [cell.strip() for cell in table(made).splitlines()[-1].strip("|").split("|")]
    assert cells == ["g", "8", "sobol", "10.0", "20.0", "30.0", "1.00", "0.40", "2.00", "75"]
