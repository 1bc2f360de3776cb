"""The box that `auto` looks closely into, and how much of the search goes there."""

import numpy as np
import pytest

from orchestrator.algorithms.mixture.local_credit import LARGEST_SHARE, LEAST_SHARE, LocalCredit
from orchestrator.algorithms.mixture.search_region import (
    ALONE,
    BESIDE_OTHERS,
    FIRST_LENGTH,
    LONGEST,
    SearchRegion,
    next_centre,
    proportions,
)
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

CENTRE = np.array([0.5, 0.5])
DIALS = Domain((Coordinate("categorical", (0.0, 0.25, 0.5, 0.75, 1.0)),) * 8)


def region(**changes):
    told = {"best": 1.0, "spread": 1.0, "proportions": np.ones(2), **changes}
    return SearchRegion(Domain.continuous(2), CENTRE, **told)


def test_three_successes_in_a_row_double_it_up_to_a_limit():
    grown = region()
    for step in range(1, 4):
        assert grown.length == FIRST_LENGTH
        grown = grown.after(CENTRE + 0.01 * step, 1.0 + step)
    assert grown.length == 2 * FIRST_LENGTH
    for step in range(30):
        grown = grown.after(CENTRE, 10.0 + step)
    assert grown.length == LONGEST


def test_failures_in_a_row_halve_it_until_it_is_exhausted():
    shrunk = region()
    results = 0
    while not shrunk.exhausted:
        shrunk = shrunk.after(CENTRE, 0.5)
        results += 1
        assert results < 100
    assert results == 3 * 8


def test_where_several_run_at_a_time_it_closes_in_sooner_and_is_exhausted_at_a_shorter_length():
    told = {"best": 1.0, "spread": 1.0, "proportions": np.ones(8)}
    centre = np.full(8, 0.5)
    lengths = {}
    for pace in (ALONE, BESIDE_OTHERS):
        shrunk = SearchRegion(Domain.continuous(8), centre, **told, pace=pace)
        lengths[pace] = []
        while not shrunk.exhausted:
            shrunk = shrunk.after(centre, 0.5)
            lengths[pace].append(shrunk.length)
    failures_to_halve = {pace: found.index(0.5 * FIRST_LENGTH) + 1 for pace, found in lengths.items()}
    assert failures_to_halve == {ALONE: 8, BESIDE_OTHERS: 6}
    assert min(lengths[BESIDE_OTHERS]) == min(lengths[ALONE]) / 8


def test_among_categories_it_is_exhausted_when_one_change_at_a_time_has_failed():
    centre = np.full(8, 0.5)
    shrunk = SearchRegion(DIALS, centre, best=1.0, spread=1.0, proportions=np.ones(8))
    changes = []
    while not shrunk.exhausted:
        if shrunk.box.changes not in changes:
            changes.append(shrunk.box.changes)
        shrunk = shrunk.after(centre, 0.5)
    assert changes == [None, 4, 2, 1]


def test_a_grid_is_exhausted_when_its_neighbours_have_failed():
    grid = Domain((Coordinate("ordinal", tuple(np.linspace(0.0, 1.0, 9))),) * 2)
    shrunk = SearchRegion(grid, CENTRE, best=1.0, spread=1.0, proportions=np.ones(2))
    sizes = []
    while not shrunk.exhausted:
        sizes.append(shrunk.box.size)
        shrunk = shrunk.after(CENTRE, 0.5)
    assert sizes == [9.0] * 8


def test_an_evaluation_that_fails_is_a_failure_there():
    shrunk = region()
    for _ in range(3):
        shrunk = shrunk.after(CENTRE, None)
    assert shrunk.length == 0.5 * FIRST_LENGTH


def test_a_result_elsewhere_counts_only_if_it_is_better_and_then_the_region_moves_there():
    far = np.array([0.05, 0.95])
    before = region()
    assert before.after(far, 0.9) is before
    moved = region().after(far, 2.0)
    assert np.array_equal(moved.centre, far)
    assert moved.best == 2.0
    assert moved.successes == 1


def test_a_hair_better_moves_it_but_is_no_success():
    moved = region().after(CENTRE + 0.01, 1.0 + 1e-6)
    assert moved.best > 1.0
    assert (moved.successes, moved.failures) == (0, 1)


@pytest.mark.parametrize(("offset", "scale"), [(1e6, 1.0), (-3.0, 1e-9), (0.0, 1e9)])
def test_what_counts_as_a_gain_does_not_depend_on_the_units(offset, scale):
    told = region(best=offset + scale, spread=scale)
    assert told.is_gain(offset + 1.1 * scale)
    assert not told.is_gain(offset + 1.0001 * scale)


def test_its_sides_follow_the_length_scales_within_reason():
    sides = proportions([0.1, 1.0, 10.0])
    np.testing.assert_allclose(sides, [0.1, 1.0, 10.0])
    sides = proportions([1e-6, 1.0, 1e6])
    np.testing.assert_allclose(sides, [0.1, 1.0, 10.0])


def test_the_next_one_opens_about_the_best_point_away_from_exhausted_ones():
    points = np.array([[0.5, 0.5], [0.52, 0.5], [0.9, 0.9], [0.1, 0.1]])
    values = np.array([5.0, 4.0, 3.0, np.nan])
    plane = Domain.continuous(2)
    assert next_centre(plane, points, values, []) == 0
    assert next_centre(plane, points, values, [points[0]]) == 2
    assert next_centre(plane, points, values, [points[0], points[2]]) is None


def test_at_the_seam_of_what_comes_round_it_lies_to_either_side():
    ring = Domain((Coordinate(periodic=True), Coordinate()))
    near = SearchRegion(ring, np.array([0.02, 0.5]), best=1.0, spread=1.0, proportions=np.ones(2))
    assert near.contains(np.array([0.9, 0.5]))
    assert not near.contains(np.array([0.7, 0.5]))
    moved = near.after(np.array([0.97, 0.5]), 2.0)
    assert moved.contains(np.array([0.1, 0.5]))
    points = np.array([[0.02, 0.5], [0.98, 0.5], [0.8, 0.5]])
    assert next_centre(ring, points, np.array([3.0, 2.0, 1.0]), [points[0]]) == 2


def test_among_categories_alone_it_opens_where_more_than_a_quarter_of_them_differ():
    points = np.full((4, 8), 0.5)
    for row, different in enumerate((0, 1, 2, 3)):
        points[row, :different] = 1.0
    values = np.array([5.0, 4.0, 3.0, 2.0])
    assert next_centre(DIALS, points, values, [points[0]]) == 3


def test_the_search_goes_where_it_has_succeeded():
    local, elsewhere = LocalCredit(), LocalCredit()
    for _ in range(40):
        local = local.after(inside=True, success=True).after(inside=False, success=False)
        elsewhere = elsewhere.after(inside=True, success=False).after(inside=False, success=True)
    assert local.share == LARGEST_SHARE
    assert elsewhere.share == LEAST_SHARE
    assert LocalCredit().share == 0.5


def test_old_successes_are_forgotten():
    credit = LocalCredit()
    for _ in range(50):
        credit = credit.after(inside=True, success=True)
    for _ in range(100):
        credit = credit.after(inside=True, success=False)
    assert credit.share < 0.5


@pytest.mark.parametrize("first", [0, 17, 1000])
def test_any_stretch_of_trials_is_shared_out_as_it_should(first):
    credit = LocalCredit(inside=10, inside_successes=5, outside=10, outside_successes=2)
    chosen = sum(credit.chooses_region(trial) for trial in range(first, first + 50))
    assert chosen / 50 == pytest.approx(credit.share, abs=0.05)
