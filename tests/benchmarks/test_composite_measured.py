"""What is measured of objectives that are computed: copies of a seed, and what the page makes of runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.composite import page
from benchmarks.contenders.composite import RANDOM, run
from benchmarks.contenders.searches import SearchJob
from benchmarks.functions.calibrations import CALIBRATIONS


@pytest.mark.parametrize("name", sorted(CALIBRATIONS))
def test_each_seed_has_a_truth_of_its_own_and_outcomes_as_many_as_are_said(name: str) -> None:
    calibration = CALIBRATIONS[name]
    copies = [calibration.of_seed(seed) for seed in (0, 0, 1)]
    middle = np.full(calibration.dimension, 0.5)
    told = [copy.outcomes(middle) for copy in copies]
    values = [copy.value(middle, own) for copy, own in zip(copies, told, strict=True)]
    assert len(told[0]) == calibration.outcomes
    assert values[0] == values[1] != values[2]
    assert all(value <= copy.best for value, copy in zip(values, copies, strict=True))


def test_a_run_is_shown_on_the_page() -> None:
    found = run(SearchJob(RANDOM, "valley", 0))
    assert len(found.values) == CALIBRATIONS["valley"].evaluations
    assert 0.0 < found.missed(30) <= found.missed(15)
    assert "valley (30)" in page([found])
