"""Up a smooth function while others stay at or above 0: to the best point that they allow, at once."""

from dataclasses import dataclass

import numpy as np
import pytest

from orchestrator.maximisers.climbs.constrained_ascent import constrained_ascent

UNIT = (np.zeros(3), np.ones(3))
ALL = np.ones(3, dtype=bool)


@dataclass
class Linear:
    """a . x + b."""

    slopes: tuple
    offset: float = 0.0
    asked: int = 0

    def values(self, X):
        return X @ np.array(self.slopes) + self.offset

    def values_and_gradients(self, X):
        self.asked += 1
        return self.values(X), np.tile(np.array(self.slopes, dtype=float), (len(X), 1))


class Ball:
    """1/4 less the squared distance from the middle: at least 0 within."""

    def values(self, X):
        return 0.25 - ((X - 0.5) ** 2).sum(axis=1)

    def values_and_gradients(self, X):
        return self.values(X), -2.0 * (X - 0.5)


def test_it_ends_where_the_boundary_allows_no_more():
    top = constrained_ascent(Linear((1, 1, 1)), [Ball()], np.full(3, 0.4), UNIT, ALL)
    assert top == pytest.approx(np.full(3, 0.5 + 0.5 / np.sqrt(3)), abs=1e-6)


def test_it_follows_two_boundaries_to_where_they_meet():
    slacks = [Linear((-1, -2, 0), 1.0), Linear((-2, -1, 0), 1.0)]
    top = constrained_ascent(Linear((1, 1, 0.5)), slacks, np.array([0.1, 0.9, 0.2]), UNIT, ALL)
    assert top == pytest.approx([1 / 3, 1 / 3, 1.0], abs=1e-6)


def test_it_comes_back_from_where_nothing_is_allowed():
    top = constrained_ascent(Linear((0, -1, 0)), [Linear((0, 1, 0), -0.7)], np.full(3, 0.1), UNIT, ALL)
    assert top[1] == pytest.approx(0.7, abs=1e-6)


def test_it_stays_within_its_bounds_and_leaves_alone_what_is_not_free():
    bounds = np.array([0.2, 0.2, 0.2]), np.array([0.6, 0.6, 0.6])
    free = np.array([True, False, True])
    top = constrained_ascent(Linear((1, 1, 1)), [], np.array([0.3, 0.3, 0.3]), bounds, free)
    assert top == pytest.approx([0.6, 0.3, 0.6], abs=1e-9)
    nothing = np.zeros(3, dtype=bool)
    assert constrained_ascent(Linear((1, 1, 1)), [], np.full(3, 0.3), bounds, nothing).tolist() == [0.3] * 3


def test_each_point_is_computed_once():
    objective, slack = Linear((1, 1, 1)), Linear((-1, -1, -1), 2.0)
    constrained_ascent(objective, [slack], np.full(3, 0.1), UNIT, ALL)
    assert objective.asked == slack.asked
    assert objective.asked < 30


def test_where_arithmetic_leaves_the_real_numbers_it_stays():
    start = np.full(3, 0.4)
    broken = Linear((np.nan, 0, 0))
    assert constrained_ascent(broken, [Ball()], start, UNIT, ALL).tolist() == start.tolist()
    assert constrained_ascent(Linear((1, 0, 0)), [broken], start, UNIT, ALL).tolist() == start.tolist()
