"""What draws are about, and how far from it."""

from __future__ import annotations

import math
from statistics import fmean, pstdev

import numpy as np
import pytest

from orchestrator.values.drawn import Drawn

NEAR_ONE = np.random.default_rng(0).normal(1.2, 0.1, 60).tolist()


@pytest.mark.parametrize("size", [1e-200, 1e-100, 1.0, 1e150, 1e200, 1e308])
def test_draws_of_any_size_have_a_mean_and_a_deviation(size: float) -> None:
    drawn = Drawn(tuple(size * one for one in NEAR_ONE))
    assert drawn.mean / size == pytest.approx(fmean(NEAR_ONE))
    assert drawn.deviation / size == pytest.approx(pstdev(NEAR_ONE))
    assert drawn.deviations_off(size) == pytest.approx((1.0 - fmean(NEAR_ONE)) / pstdev(NEAR_ONE))


def test_those_of_usual_sizes_are_as_computed_as_they_are() -> None:
    drawn, mean = Drawn(tuple(NEAR_ONE)), math.fsum(NEAR_ONE) / len(NEAR_ONE)
    squares = math.fsum((one - mean) ** 2 for one in NEAR_ONE)
    assert (drawn.mean, drawn.deviation) == (mean, math.sqrt(squares / len(NEAR_ONE)))
