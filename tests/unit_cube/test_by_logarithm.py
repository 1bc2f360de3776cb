"""Coordinates by their logarithms: where points lie then, and back again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orchestrator.unit_cube.by_logarithm import ByLogarithm, Scales, may_be_by_logarithm
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.whole_numbers import WholeNumbers

GRID = tuple(float(i) / 19 for i in range(20))
DOMAIN = Domain((Coordinate(), Coordinate("ordinal", GRID), Coordinate()))
SCALES = Scales((ByLogarithm(0, False, 1e4), ByLogarithm(1, True, 100.0)))


def test_each_decade_from_the_end_is_about_as_wide_as_another() -> None:
    decades = np.array([1e-3, 1e-2, 1e-1, 1.0])
    lower, upper = ByLogarithm(0, False, 1e6), ByLogarithm(0, True, 1e6)
    assert np.diff(lower.seen(decades)) == pytest.approx(np.full(3, 1 / 6), abs=1e-3)
    assert upper.seen(1.0 - decades) == pytest.approx(1.0 - lower.seen(decades))
    for one in (lower, upper):
        assert one.seen(np.array([-0.1, 0.0, 1.0])).tolist() == [0.0, 0.0, 1.0]
        assert one.told(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]


def test_points_come_back_to_where_they_were_and_values_of_a_grid_to_the_bit() -> None:
    points = DOMAIN.sample(50, np.random.default_rng(0))
    seen = SCALES.seen(points)
    back = np.array([SCALES.told(one, DOMAIN) for one in seen])
    assert back[:, 0] == pytest.approx(points[:, 0], abs=1e-12)
    assert np.array_equal(back[:, 1:], points[:, 1:])
    assert np.array_equal(SCALES.domain(DOMAIN).rounded(seen), seen)


def test_what_is_held_is_found_again_among_points_to_the_bit() -> None:
    points = DOMAIN.sample(9, np.random.default_rng(1))
    part = SCALES.domain(DOMAIN.holding({0: float(points[4, 0]), 1: float(points[4, 1])}))
    assert part.contains(SCALES.seen(points)).tolist() == [row == 4 for row in range(9)]
    assert part.is_held.tolist() == [True, True, False]


def test_a_coordinate_has_one_scale_and_none_once_it_is_taken_back() -> None:
    steeper = ByLogarithm(0, False, 10.0)
    assert SCALES.changed(0, steeper).of == {**SCALES.of, 0: steeper}
    assert not SCALES.changed(0, None).changed(1, None)
    assert Scales.from_json(SCALES.to_json()) == SCALES
    assert SCALES.by_end == {"lower": [0], "upper": [1]}


def test_only_numbers_that_are_many_may_count_so() -> None:
    few = replace(DOMAIN.coordinates[1], positions=(0.0, 0.5, 1.0))
    snapped = Coordinate(whole=WholeNumbers(0, 10**6))
    unordered = Coordinate("categorical", GRID)
    assert [may_be_by_logarithm(c) for c in (*DOMAIN.coordinates, few, snapped, unordered)] == [
        *(True, True, True),
        *(False, False, False),
    ]
