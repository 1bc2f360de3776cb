"""On which side of a bound points were drawn that were told where they lie in the cube."""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.evolution.bound_folding import MARGIN, folded, unfolded
from orchestrator.algorithms.evolution.search_distribution import SearchDistribution
from orchestrator.algorithms.evolution.sides_of_folds import PASSES, on_sides_drawn
from orchestrator.arrays import FloatArray

DRAWS = 40_000


def drawn_and_told(distribution: SearchDistribution, folds: list[bool]) -> tuple[FloatArray, FloatArray]:
    """Places as they were drawn, and as they are taken to have been from where they lie in the cube."""
    rng = np.random.default_rng(0)
    drawn = distribution.draw(DRAWS, rng)
    told = np.where(folds, unfolded(folded(drawn)), drawn)
    chances = rng.random((DRAWS, PASSES, drawn.shape[1]))
    return drawn, on_sides_drawn(told, np.array(folds), distribution, chances)


def about(mean: list[float], covariance: list[list[float]], step: float) -> SearchDistribution:
    none = np.zeros(len(mean))
    return SearchDistribution(np.array(mean), step, np.array(covariance), none, none)


def test_what_was_drawn_within_stays_where_it_is() -> None:
    inside = about([0.4, 0.6], [[1.0, 0.3], [0.3, 1.0]], 0.05)
    drawn, taken = drawn_and_told(inside, [True, True])
    np.testing.assert_allclose(taken, drawn, atol=1e-9)


def test_in_a_corner_the_mean_and_the_spread_are_those_of_what_was_drawn() -> None:
    corner = about([-MARGIN, 1.0 + MARGIN, 0.5], [[1.0, 0.7, 0.2], [0.7, 1.5, 0.0], [0.2, 0.0, 0.5]], 0.02)
    drawn, taken = drawn_and_told(corner, [True, True, False])
    np.testing.assert_allclose(taken.mean(axis=0), drawn.mean(axis=0), atol=6e-4)
    np.testing.assert_allclose(np.cov(taken.T), np.cov(drawn.T), atol=3e-5)
    one_sided = np.where([True, True, False], unfolded(folded(drawn)), drawn)
    assert one_sided[:, 0].mean() > drawn[:, 0].mean() + 0.01, "else the mean moves away from the bound"


def test_a_mean_beyond_a_bound_is_where_its_points_are_taken_to_be() -> None:
    beyond = about([-MARGIN - 0.03, 0.5], [[1.0, 0.0], [0.0, 1.0]], 0.02)
    drawn, taken = drawn_and_told(beyond, [True, True])
    np.testing.assert_allclose(taken.mean(axis=0), drawn.mean(axis=0), atol=1e-3)
    np.testing.assert_allclose(np.cov(taken.T), np.cov(drawn.T), atol=3e-5)


def test_the_precision_is_the_inverse_of_the_covariance_of_what_is_drawn() -> None:
    one = about([0.5, 0.5], [[2.0, 0.5], [0.5, 1.0]], 0.3)
    np.testing.assert_allclose(one.precision @ (0.09 * one.covariance), np.eye(2), atol=1e-12)
