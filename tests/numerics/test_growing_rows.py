"""Rows are kept as they were appended, however often the array that holds them is made anew."""

import numpy as np

from orchestrator.numerics.growing_rows import FIRST_ROOM, GrowingRows


def test_rows_are_in_the_order_in_which_they_came_however_many():
    grown, told = GrowingRows(np.float64, 2), np.random.default_rng(0).random((5 * FIRST_ROOM, 2))
    for count, row in enumerate(told, start=1):
        grown.append(row)
        assert len(grown) == count
        assert np.array_equal(grown.rows, told[:count])


def test_what_is_written_to_the_rows_stays_when_more_come():
    grown = GrowingRows(np.bool_)
    for _ in range(FIRST_ROOM):
        grown.append(False)
    grown.rows[3] = True
    grown.append(False)
    assert np.flatnonzero(grown.rows).tolist() == [3]


def test_a_number_fills_a_row_and_a_row_may_have_no_columns():
    wide, empty = GrowingRows(np.float64, 3), GrowingRows(np.float64, 0)
    wide.append(np.nan)
    empty.append(np.nan)
    assert np.isnan(wide.rows).all()
    assert wide.rows.shape == (1, 3)
    assert empty.rows.shape == (1, 0)
