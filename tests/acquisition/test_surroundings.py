"""What a point tells of its surroundings: all of it inside, half at an edge, a quarter in a corner."""

import numpy as np
import pytest

from orchestrator.acquisition.surroundings import OfSurroundings


class Flat:
    """0 everywhere."""

    def values(self, X):
        return np.zeros(len(X))

    def values_and_gradients(self, X):
        return np.zeros(len(X)), np.zeros(X.shape)


class Tilted(Flat):
    """The sum of the coordinates."""

    def values(self, X):
        return X.sum(axis=1)

    def values_and_gradients(self, X):
        return X.sum(axis=1), np.ones(X.shape)


EVERY = np.arange(3)


def test_over_short_reaches_each_edge_halves_it_and_inside_nothing_is_lost():
    added = OfSurroundings(Flat(), np.full(3, 0.02), EVERY)
    X = np.array([[0.5, 0.5, 0.5], [0.3, 0.8, 0.6], [0.0, 0.3, 0.6], [0.0, 1.0, 0.6], [1.0, 1.0, 0.0]])
    assert np.exp(added.values(X)) == pytest.approx([1.0, 1.0, 0.5, 0.25, 0.125])


def test_where_the_function_hardly_changes_an_edge_is_as_good_as_the_middle():
    added = OfSurroundings(Flat(), np.full(3, 20.0), EVERY)
    assert added.values(np.array([[0.0, 1.0, 1.0]])) == pytest.approx([0.0], abs=1e-3)


def test_only_the_coordinates_that_count_are_looked_at():
    added = OfSurroundings(Tilted(), np.array([0.1]), np.array([1]))
    values = added.values(np.array([[0.0, 0.5, 1.0], [1.0, 0.5, 1.0]]))
    assert values == pytest.approx([1.5, 2.5])


def test_its_gradients_are_those_of_its_values():
    function = OfSurroundings(Tilted(), np.array([0.1, 0.7]), np.array([0, 2]))
    X = np.random.default_rng(0).random((20, 3))
    values, gradients = function.values_and_gradients(X)
    assert values == pytest.approx(function.values(X))
    for j in range(3):
        step = np.zeros(3)
        step[j] = 1e-6
        slope = (function.values(X + step) - function.values(X - step)) / 2e-6
        assert gradients[:, j] == pytest.approx(slope, rel=1e-5, abs=1e-6)
