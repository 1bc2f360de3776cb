"""What was told is remembered, and neither that nor what runs is suggested while there is anything else."""

import numpy as np
import pytest

from orchestrator.algorithms import history
from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.exclusion import Exclusion, keys, untried
from orchestrator.algorithms.history import LEADERS, History
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

GRID = Domain((Coordinate("ordinal", (0.25, 0.75)), Coordinate("categorical", (0.25, 0.75))))
ALL = np.array([[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75]])


def told(domain: Domain, points, values) -> History:
    history = History(domain)
    for i, (point, value) in enumerate(zip(points, values, strict=True)):
        history.tell(Observation(i, np.asarray(point, dtype=float), value))
    return history


def test_results_are_kept_in_order_and_failures_are_no_numbers():
    points = np.random.default_rng(0).random((100, 2))
    values = [None if i % 7 == 0 else float(i) for i in range(100)]
    history = told(Domain.continuous(2), points, values)
    assert len(history) == 100
    assert history.successes == 85
    assert np.array_equal(history.points, points)
    assert np.array_equal(history.values, np.array(values, dtype=float), equal_nan=True)
    assert np.array_equal(history.best(3), points[[99, 97, 96]])


def test_there_are_no_best_among_failures():
    history = told(Domain.continuous(1), [[0.1], [0.2], [0.3]], [None, 1.0, None])
    assert history.best(3).tolist() == [[0.2]]
    assert len(told(Domain.continuous(1), [[0.1]], [None]).best(3)) == 0


def test_the_best_of_equals_are_the_first_told():
    points = np.random.default_rng(0).random((30, 1))
    history = told(Domain.continuous(1), points, [1.0] * 30)
    assert np.array_equal(history.best(4), points[:4])


@pytest.mark.parametrize("count", [1, 10, LEADERS, LEADERS + 1, 300])
def test_the_best_are_those_of_a_sort_however_many_are_asked_for(count):
    rng = np.random.default_rng(1)
    points = rng.random((400, 2))
    values = [None if v < 1 else float(v) for v in rng.integers(0, 90, 400)]
    ranked = sorted((-v, i) for i, v in enumerate(values) if v is not None)
    best = told(Domain.continuous(2), points, values).best(count)
    assert np.array_equal(best, points[[i for _, i in ranked[:count]]])


class Untouchable(set[bytes]):
    """A set that may be asked what it holds and how much, and not be gone through."""

    def __iter__(self):
        raise AssertionError("it was gone through")

    __or__ = __ror__ = union = copy = __sub__ = __iter__


def test_what_may_be_suggested_is_decided_without_going_through_all_that_was_told():
    exclusion = Exclusion(GRID, Untouchable(keys(ALL[:2])), [ALL[1], ALL[2]])
    assert exclusion.allows(ALL).tolist() == [False, False, False, True]
    exclusion.add(ALL[3])
    assert exclusion.allows(ALL).tolist() == [True, False, False, False]


def test_told_failed_and_pending_points_are_refused_and_others_are_not():
    history = told(Domain.continuous(2), [[0.1, 0.2], [0.3, 0.4]], [1.0, None])
    exclusion = history.exclusion([np.array([0.5, 0.6])])
    points = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.1, 0.2001]])
    assert exclusion.allows(points).tolist() == [False, False, False, True]
    exclusion.add(points[3])
    assert not exclusion.allows(points).any()


def test_a_hair_before_a_whole_turn_is_the_point_that_was_told_at_its_beginning():
    domain = Domain((Coordinate(periodic=True), Coordinate()))
    exclusion = told(domain, np.array([[0.0, 0.5], [0.5, 0.0]]), [1.0, 2.0]).exclusion([])
    points = np.array([[1.0 - 1e-9, 0.5], [1.0 - 1e-4, 0.5], [0.5, 1.0]])
    assert exclusion.allows(points).tolist() == [False, True, True]


def test_the_last_point_of_a_finite_domain_is_found():
    exclusion = told(GRID, ALL[:2], [1.0, 2.0]).exclusion([ALL[3]])
    assert np.array_equal(untried(GRID, exclusion, np.random.default_rng(0)), ALL[2])


def test_a_finite_domain_that_is_used_up_may_be_repeated_but_not_what_runs():
    exclusion = told(GRID, ALL[:3], [1.0, 2.0, None]).exclusion([ALL[3]])
    assert exclusion.allows(ALL).tolist() == [True, True, True, False]
    for point in ALL[:3]:
        exclusion.add(point)
    assert exclusion.allows(ALL).all()


@pytest.mark.parametrize("taken", range(4))
def test_asking_for_more_than_there_is_uses_up_the_untold_first(taken):
    exclusion = told(GRID, ALL[:taken], [0.0] * taken).exclusion([])
    seen = []
    for i in range(4 - taken):
        point = untried(GRID, exclusion, np.random.default_rng(i))
        seen.append(point.tolist())
        exclusion.add(point)
    assert sorted(seen) == ALL[taken:].tolist()


def test_algorithms_that_were_written_by_the_document_as_it_was_still_find_what_they_need():
    assert history.untried is untried


def test_what_is_set_aside_has_no_value_and_is_no_failure_until_it_is_not():
    points = np.random.default_rng(1).random((5, 2))
    history = told(Domain.continuous(2), points, [1.0, 9.0, None, 3.0, 2.0])
    history.set_aside([1])
    assert (history.successes, history.highest) == (3, 3.0)
    assert history.best_rows(9).tolist() == [3, 4, 0]
    assert history.aside.tolist() == [False, True, False, False, False]
    assert history.failed.tolist() == [False, False, True, False, False]
    assert history.told_values[1] == 9.0
    history.set_aside([3])
    assert history.best_rows(9).tolist() == [1, 4, 0]
    history.count_as_failed(1.5)
    history.set_aside([])
    assert history.best_rows(9).tolist() == [1, 3, 4]
    assert (history.successes, history.penalties) == (3, 1)
    assert not history.aside.any()


def test_what_was_set_aside_may_turn_out_to_be_a_penalty():
    history = told(Domain.continuous(2), np.random.default_rng(1).random((3, 2)), [1.0, 9.0, 2.0])
    history.set_aside([0])
    history.count_as_failed(1.5)
    assert history.penalties == 0
    history.set_aside([])
    assert (history.successes, history.penalties) == (2, 1)


def test_the_first_result_known_from_elsewhere_counts_once_beside_a_trial_at_its_point_as_the_others_do():
    history = History(Domain.continuous(1))
    # A run that knew nothing numbers results that it learns of on its way from 0 downwards.
    for trial in (1, 2, 0, -1):
        history.tell(Observation(trial, np.array([0.5 if trial != 2 else 0.25]), 1.0))
    assert history.designed() == 2
    assert history.designed([0, 2, 3]) == 1
