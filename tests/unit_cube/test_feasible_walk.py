"""Walks over discrete coordinates come to every feasible point as often as to any other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import chisquare

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_walk import FeasibleWalk

WALKS, STEPS = 8000, 8


@pytest.mark.parametrize(("values", "most"), [(10, 4), (10, 8), (30, 6)])
def test_walks_that_begin_evenly_over_whole_numbers_with_a_limited_sum_end_so(values: int, most: int) -> None:
    def numbers(points: FloatArray) -> FloatArray:
        return np.rint(points * values - 0.5)

    def hold(points: FloatArray) -> BoolArray:
        return np.asarray(numbers(points).sum(axis=1) <= most)

    positions = tuple((k + 0.5) / values for k in range(values))
    whole = Domain(tuple(Coordinate("ordinal", positions) for _ in range(3)))
    feasible = np.array([one for one in itertools.product(range(most + 1), repeat=3) if sum(one) <= most])
    rng = np.random.default_rng(0)
    begun = (feasible[rng.integers(len(feasible), size=WALKS)] + 0.5) / values
    ended = numbers(FeasibleWalk(whole, hold, lambda points: points).ends(begun, STEPS, rng))
    points, counts = np.unique(ended, axis=0, return_counts=True)
    assert np.array_equal(points, feasible)
    assert chisquare(counts).pvalue > 0.001
