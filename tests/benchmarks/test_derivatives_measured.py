"""What is measured of derivatives: that those of the functions are right, and what the page makes of runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders.derivatives import GRADIENTS, run
from benchmarks.contenders.searches import SearchJob
from benchmarks.derivatives import page
from benchmarks.functions.differentiable import DIFFERENTIABLE


@pytest.mark.parametrize("name", sorted(DIFFERENTIABLE))
def test_derivatives_are_those_of_differences(name: str) -> None:
    function = DIFFERENTIABLE[name]
    copy, point = function.of_seed(name, 0), np.random.default_rng(1).random(function.dimension)
    value, slopes = copy(point)
    steps = 1e-6 * np.eye(function.dimension)
    differences = [(copy(point + h)[0] - copy(point - h)[0]) / 2e-6 for h in steps]
    assert value > 0.0
    assert np.allclose(slopes, differences, rtol=1e-5, atol=1e-5 * np.abs(slopes).max())


def test_a_run_is_shown_on_the_page() -> None:
    found = run(SearchJob(GRADIENTS, "valley", 0))
    assert len(found.values) == DIFFERENTIABLE["valley"].evaluations
    assert 0.0 <= found.least(30) <= found.least(15)
    assert "valley (30)" in page([found])
