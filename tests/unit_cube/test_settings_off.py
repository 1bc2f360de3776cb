"""Where points come out whose settings are a little off."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import FEW_WAYS, MANY_WAYS, Off, SettingsOff

ENDS, PLACES = np.array([10.0, 20.0]), np.array([0.0, 1.0])
LINEAR = Off(1, 2.0, ENDS, PLACES)
LOGARITHMIC = Off(1, 2.0, np.array([1.0, 100.0]), PLACES, logarithmic=True)
DESCENDING = Off(1, 2.0, np.array([1.0, 3.0, 9.0]), np.array([1.0, 0.75, 0.0]))


def test_settings_are_off_by_up_to_their_width_evenly_and_no_others_are() -> None:
    off = SettingsOff.of([LINEAR])
    points = off.around(np.array([[0.3, 0.5]])).points[0]
    assert (points[:, 0] == 0.3).all()
    numbers = np.sort(10.0 + 10.0 * points[:, 1])
    assert 13.0 <= numbers[0] < 13.3
    assert 16.7 < numbers[-1] <= 17.0
    assert np.diff(numbers).max() < 0.6


def test_nothing_comes_out_beyond_the_bounds() -> None:
    around = SettingsOff.of([LINEAR]).around(np.array([[0.3, 0.05]]))
    outside = around.slopes[0, :, 1] == 0.0
    assert (around.points[0, outside, 1] == 0.0).all()
    assert outside.any()
    assert not around.alike[0]


def test_where_a_number_lies_by_its_logarithm_it_is_not_off_by_as_much_everywhere() -> None:
    for axis, alike in ((LINEAR, True), (LOGARITHMIC, False), (DESCENDING, False)):
        assert SettingsOff.of([axis]).around(np.array([[0.3, 0.5]])).alike.tolist() == [alike]


def test_each_way_has_its_opposite() -> None:
    for axes, ways in ((1, FEW_WAYS), (5, MANY_WAYS)):
        off = SettingsOff.of([Off(i, 2.0, ENDS, PLACES) for i in range(axes)])
        assert off.ways.shape == (ways, axes)
        np.testing.assert_array_equal(off.ways[: ways // 2], -off.ways[ways // 2 :])


@pytest.mark.parametrize("count", [1, 3, 4, 20])
def test_the_average_of_a_quadratic_function_is_exact(count: int) -> None:
    off = SettingsOff.of([Off(i, 2.0, ENDS, PLACES) for i in range(count)])
    x = off.around(np.full((1, count), 0.5)).points[0] - 0.5
    np.testing.assert_allclose(x.T @ x / len(x), np.eye(count) * 0.2**2 / 3.0, atol=1e-15)


@pytest.mark.parametrize("axis", [LINEAR, LOGARITHMIC, DESCENDING])
def test_slopes_are_those_of_where_points_come_out(axis: Off) -> None:
    off, step = SettingsOff.of([axis]), 1e-7
    for place in (0.11, 0.43, 0.62):
        here = off.around(np.array([[0.2, place]]))
        ahead, behind = (off.around(np.array([[0.2, place + sign * step]])).points for sign in (1, -1))
        slopes = ((ahead - behind) / (2.0 * step))[0, :, 1]
        np.testing.assert_allclose(here.slopes[0, :, 1], slopes, rtol=1e-5, atol=1e-5)


def test_what_is_off_keeps_its_column_beside_categories() -> None:
    domain = Domain((Coordinate("categorical", (0.25, 0.75)), Coordinate()))
    (axis,) = SettingsOff.of([LINEAR]).embedded(domain).axes
    assert axis.coordinate == 2
