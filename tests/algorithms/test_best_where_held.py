"""What is known of a part of the domain where parameters are held: its own points, and others moved there."""

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.gaussian_process.best_where_held import MOST, BestWhereHeld
from orchestrator.algorithms.history import History
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

SQUARE = Domain.continuous(2)
PART = SQUARE.holding({1: 0.25})


def told(*results: tuple[tuple[float, float], float | None]) -> History:
    history = History(SQUARE)
    for trial, (point, value) in enumerate(results):
        history.tell(Observation(trial, np.array(point), value))
    return history


def x_of(points: np.ndarray) -> np.ndarray:
    return points[:, 0]


def test_points_told_elsewhere_are_moved_there_and_all_are_judged_there() -> None:
    history = told(((0.2, 0.25), 1.0), ((0.9, 0.8), 9.0), ((0.5, 0.1), 0.0), ((0.7, 0.25), None))
    best = BestWhereHeld.of(PART, history, x_of)
    assert best.points.tolist() == [[0.9, 0.25], [0.5, 0.25], [0.2, 0.25]]
    assert best.told.tolist() == [False, False, True]
    assert best.among(best.told).points.tolist() == [[0.2, 0.25]]


def test_one_that_is_moved_onto_another_counts_once_and_as_told() -> None:
    history = told(((0.2, 0.25), 1.0), ((0.2, 0.75), 5.0))
    best = BestWhereHeld.of(PART, history, x_of)
    assert best.points.tolist() == [[0.2, 0.25]]
    assert best.told.all()


def test_of_many_results_the_best_there_and_the_best_elsewhere_are_looked_at() -> None:
    rng = np.random.default_rng(0)
    results = [((float(x), 0.25 if i % 2 else 0.5), float(x)) for i, x in enumerate(rng.random(3 * MOST))]
    best = BestWhereHeld.of(PART, told(*results), x_of)
    assert len(best.points) == 2 * MOST
    assert np.count_nonzero(best.told) == MOST


def test_without_anything_held_it_is_the_points_told() -> None:
    history = told(((0.2, 0.25), 1.0), ((0.9, 0.8), 9.0))
    best = BestWhereHeld.of(SQUARE, history, x_of)
    assert best.points.tolist() == [[0.9, 0.8], [0.2, 0.25]]
    assert best.told.all()


def test_only_what_lies_there_is_excluded_there() -> None:
    grid = Domain((Coordinate("ordinal", (0.25, 0.5, 0.75)), Coordinate("ordinal", (0.25, 0.75))))
    history = History(grid)
    for trial, point in enumerate([(0.25, 0.25), (0.25, 0.75), (0.5, 0.75)]):
        history.tell(Observation(trial, np.array(point), 1.0))
    part = grid.holding({1: 0.25})
    exclusion = history.exclusion([np.array([0.75, 0.25]), np.array([0.75, 0.75])], part)
    assert exclusion.domain is part
    points = np.array([[0.25, 0.25], [0.5, 0.25], [0.75, 0.25]])
    assert exclusion.allows(points).tolist() == [False, True, False]
    exclusion.add(points[1])
    # All are told or run: what was told may be asked for again, what runs may not.
    assert exclusion.allows(points).tolist() == [True, False, False]
