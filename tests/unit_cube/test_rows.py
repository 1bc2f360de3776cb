"""Domains of which some coordinates have a row of a list together."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint
from orchestrator.unit_cube.row_region import RowTies
from orchestrator.unit_cube.rows import Rows

ROWS = np.array([[0.0, 0.1], [0.5, 0.9], [1.0, 0.2], [0.45, 0.85]])


def listed(free: int = 0, positions: np.ndarray = ROWS) -> Domain:
    rows = Rows(np.arange(2), positions, np.zeros(2, dtype=bool))
    return Domain((Coordinate(),) * (2 + free), RowTies(rows, 2 + free))


def test_its_points_are_the_rows_and_each_point_is_moved_to_the_nearest() -> None:
    domain = listed()
    assert domain.size == 4.0
    assert domain.listed is not None
    assert (domain.listed == ROWS).all()
    assert (domain.snap(np.array([[0.1, 0.0], [0.9, 0.5]])) == ROWS[[0, 2]]).all()
    assert domain.feasible(ROWS).all()
    assert not domain.feasible(np.array([[0.0, 0.9]]))[0]


def test_what_is_drawn_is_of_a_row_and_free_beside_it() -> None:
    domain = listed(free=1)
    points = domain.sample(200, np.random.default_rng(0))
    assert {tuple(point) for point in points[:, :2].tolist()} == {tuple(row) for row in ROWS.tolist()}
    assert points[:, 2].std() > 0.2
    assert domain.listed is None
    assert domain.size == np.inf


def test_from_a_row_a_search_goes_to_those_next_to_it_and_keeps_what_is_free() -> None:
    neighbours = listed(free=1).neighbours(np.array([0.5, 0.9, 0.3]))
    assert (neighbours[0] == [0.45, 0.85, 0.3]).all()
    assert len(neighbours) == 3


def test_another_category_is_as_far_as_the_whole_range() -> None:
    positions = np.array([[0.1, 0.25], [0.1, 0.75], [0.9, 0.25]])
    kind = Coordinate("categorical", (0.25, 0.75))
    rows = Rows(np.arange(2), positions, np.array([False, True]))
    domain = Domain((Coordinate(), kind), RowTies(rows, 2))
    assert rows.near(np.array([0.1, 0.25]), 3).tolist() == [0, 2, 1]
    assert (domain.snap(np.array([0.3, 0.75])) == positions[1]).all()


def test_a_point_is_of_a_row_as_far_as_floats_tell_and_of_none_a_little_farther_off() -> None:
    rows = Rows(np.arange(2), ROWS, np.zeros(2, dtype=bool))
    assert rows.numbers(ROWS + 1e-12).tolist() == [0, 1, 2, 3]
    assert rows.numbers(ROWS[[2, 0]] + np.array([[0.0, 1e-6], [0.0, 0.0]])).tolist() == [-1, 0]


def test_rows_that_cannot_be_told_apart_are_found() -> None:
    positions = np.vstack([ROWS, ROWS[1] + 1e-11])
    assert Rows(np.arange(2), positions, np.zeros(2, dtype=bool)).too_near() == (1, 4)
    assert Rows(np.arange(2), ROWS, np.zeros(2, dtype=bool)).too_near() is None


def test_without_rows_there_is_no_point() -> None:
    with pytest.raises(NoFeasiblePoint):
        listed(positions=np.empty((0, 2))).require_feasible_points()
