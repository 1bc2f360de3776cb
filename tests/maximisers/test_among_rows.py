"""Maximising where points have a row of a list: all of them are looked at."""

from __future__ import annotations

import numpy as np

from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.maximisers.climbs.multistart import anything, maximise
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.row_region import RowTies
from orchestrator.unit_cube.rows import Rows
from orchestrator.values.candidates import Candidates


class Needle:
    """Flat but for one row, and a hill along the free coordinate."""

    def __init__(self, row: np.ndarray, free: int = 0) -> None:
        self.row = row
        self.free = free
        self.asked = 0

    def values(self, X: np.ndarray) -> np.ndarray:
        self.asked += len(X)
        hit = (np.abs(X[:, :2] - self.row) < 1e-12).all(axis=1)
        hill = -np.square(X[:, 2] - 0.37) if self.free else 0.0
        return np.asarray(np.where(hit, 1.0, 0.0) + hill)

    def values_and_gradients(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gradients = np.zeros(X.shape)
        if self.free:
            gradients[:, 2] = -2.0 * (X[:, 2] - 0.37)
        return self.values(X), gradients


def among(count: int, free: int = 0) -> tuple[Domain, np.ndarray]:
    positions = np.random.default_rng(1).random((count, 2))
    rows = Rows(np.arange(2), positions, np.zeros(2, dtype=bool))
    return Domain((Coordinate(),) * (2 + free), RowTies(rows, 2 + free)), positions


def test_a_needle_among_thousands_of_rows_is_found_by_a_look_at_each() -> None:
    domain, positions = among(5000)
    needle = Needle(positions[3210])
    found = maximise(needle, domain, domain.snap(np.full((1, 2), 0.5)), anything, np.random.default_rng(0))
    assert found is not None
    assert (found.point == positions[3210]).all()
    assert needle.asked == 5000


def test_what_is_not_allowed_is_passed_over_and_of_nothing_there_is_no_best() -> None:
    domain, positions = among(50)
    rng, needle = np.random.default_rng(0), Needle(positions[7])
    none = np.empty((0, 2))
    found = maximise(needle, domain, none, lambda X: (positions[7] != X).any(axis=1), rng)
    assert found is not None
    assert found.value == 0.0
    assert maximise(needle, domain, none, lambda X: np.zeros(len(X), dtype=bool), rng) is None


def test_beside_a_row_what_is_free_is_climbed() -> None:
    domain, positions = among(300, free=1)
    start = domain.sample(1, np.random.default_rng(2))
    found = maximise(Needle(positions[42], 1), domain, start, anything, np.random.default_rng(0))
    assert found is not None
    assert (found.point[:2] == positions[42]).all()
    assert abs(found.point[2] - 0.37) < 1e-3


def test_beside_a_row_what_a_constraint_binds_is_climbed_to_where_it_does() -> None:
    rows = Candidates.of({"mass": [0.0, 10.0, 20.0, 60.0, 80.0]})
    ranges = {"mass": (0.0, 80.0), "heat": (0.0, 100.0)}
    domain = Space.from_description(ranges, ["heat + mass <= 95"], rows).domain

    class Warm:
        """More with heat, and with mass still more."""

        def values(self, X: np.ndarray) -> np.ndarray:
            return np.asarray(X[:, 1] + 3.0 * X[:, 0])

        def values_and_gradients(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return self.values(X), np.tile([3.0, 1.0], (len(X), 1))

    found = maximise(Warm(), domain, np.empty((0, 2)), anything, np.random.default_rng(0))
    assert found is not None
    assert domain.feasible(found.point[None, :])[0]
    assert np.abs(found.point - [1.0, 0.15]).max() < 1e-6


def test_a_box_holds_the_nearest_rows_however_narrow_it_is() -> None:
    domain, positions = among(400)
    narrow = Box.about(domain, positions[5], np.full(2, 1e-4))
    apart = np.abs(positions - positions[5]).max(axis=1)
    assert narrow.size == 9.0
    assert narrow.is_least
    assert set(np.flatnonzero(narrow.contains(positions))) == set(np.argsort(apart)[:9])
    wide = Box.about(domain, positions[5], np.full(2, 0.3))
    assert wide.size > 9.0
    assert not wide.is_least
    point = wide.maximise(Needle(positions[5]), positions[5:6], anything, np.random.default_rng(0))
    assert point is not None
    assert (point == positions[5]).all()
