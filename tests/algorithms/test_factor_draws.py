"""Functions drawn of one factor are those that its posterior describes."""

import numpy as np
import pytest

from orchestrator.algorithms.additive.factor_draws import DrawnFactor
from orchestrator.algorithms.additive.factor_knowledge import anchored_at
from orchestrator.maximisers.factors.gaussian_factor import gaussian_factors
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.domain import Domain

PAIRS = ((0, 1), (2,))


def first_of_two(told: int, noise_variance: float = 0.01):
    rng = np.random.default_rng(5)
    hyperparameters = AdditiveHyperparameters(PAIRS, (0.5, 0.4, 0.3), (1.0, 0.7), noise_variance)
    posterior = AdditiveGP(Domain.continuous(3), FactorGraph(PAIRS, 3), MATERN_52, hyperparameters)
    X = rng.random((told, 3))
    posterior.append(X, np.sin(5 * X[:, 0]) * X[:, 1] + np.cos(7 * X[:, 2]))
    return gaussian_factors(posterior, [1.0, 1.0], coupled=False)[0], X


@pytest.mark.parametrize("noise_variance", [0.01, 0.0])
@pytest.mark.parametrize("told", [0, 9])
@pytest.mark.parametrize("anchored", [False, True])
def test_means_and_deviations_of_many_draws_are_the_factors(noise_variance, told, anchored):
    factor, X = first_of_two(told, noise_variance)
    if anchored and told:
        factor = anchored_at(factor, X[0, :2], 1e-4)
    rng = np.random.default_rng(0)
    places = np.vstack([X[:3, :2], rng.random((8, 2))])
    drawn = np.vstack([DrawnFactor.of(factor, 256, 100, rng).values(places) for _ in range(30)])
    mean, variance = factor.parts(places)
    error = np.sqrt(variance / len(drawn))
    assert (np.abs(drawn.mean(axis=0) - mean) < 5 * error + 1e-9).all()
    assert drawn.std(axis=0) == pytest.approx(np.sqrt(variance), rel=0.1, abs=1e-4)


def test_two_points_of_a_draw_are_as_alike_as_the_posterior_says():
    factor, _ = first_of_two(9)
    rng = np.random.default_rng(1)
    places = np.array([[0.2, 0.3], [0.3, 0.35], [0.9, 0.9]])
    drawn = np.vstack([DrawnFactor.of(factor, 256, 100, rng).values(places) for _ in range(40)])
    half = factor.inverse_lower @ factor.kernel.matrix(factor.inputs, places)
    assert np.cov(drawn.T) == pytest.approx(factor.kernel.matrix(places) - half.T @ half, abs=0.05)


def test_gradients_are_those_of_finite_differences():
    factor, _ = first_of_two(9)
    drawn = DrawnFactor.of(factor, 64, 4, np.random.default_rng(2))
    X, which = np.random.default_rng(3).random((6, 2)), np.array([0, 1, 2, 3, 1, 0])
    values, gradients = drawn.values_and_gradients(X, which)
    assert values == pytest.approx(drawn.values(X)[which, np.arange(6)], abs=1e-10)
    for column, step in enumerate(1e-6 * np.eye(2)):
        beyond, before = (drawn.values(X + sign * step)[which, np.arange(6)] for sign in (1, -1))
        assert gradients[:, column] == pytest.approx((beyond - before) / 2e-6, abs=1e-5)
