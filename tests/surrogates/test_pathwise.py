"""Functions drawn pathwise follow the exact posterior, near the data to the letter."""

import numpy as np
import pytest
from process_oracles import joint_draws

from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.draws.pathwise import PathwisePosterior
from orchestrator.surrogates.posteriors.exact import ExactGP


def process(noise=1e-4, extra=None):
    rng = np.random.default_rng(0)
    gp = ExactGP(Kernel(MATERN_52, np.array([0.4, 0.7]), 1.5), noise)
    X = rng.random((12, 2))
    gp.append(X, np.sin(5 * X[:, 0]) + X[:, 1], extra)
    return gp


def draws(gp, X, count=400):
    rng = np.random.default_rng(1)
    posterior = PathwisePosterior(gp, 256)
    return np.array([posterior.draw(rng).values(X) for _ in range(count)])


@pytest.mark.parametrize("noise", [1e-6, 0.05])
def test_draws_have_the_posteriors_mean_and_covariance(noise):
    gp = process(noise)
    X = np.random.default_rng(2).random((6, 2))
    mean, variance = gp.mean_and_variance(X)
    drawn = draws(gp, X)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.12)
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.35, atol=0.01)
    exact = np.cov(joint_draws(gp, X, 4000, np.random.default_rng(3)).T)
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=0.12)


def test_without_noise_every_draw_passes_through_the_data():
    gp = process(0.0)
    np.testing.assert_allclose(draws(gp, gp.inputs, 5), np.tile(gp.values, (5, 1)), atol=1e-6)


def test_an_observation_with_noise_of_its_own_is_passed_at_a_distance():
    extra = np.zeros(12)
    extra[0] = 1.0
    spread = draws(process(1e-8, extra), process().inputs).std(axis=0)
    assert spread[0] > 20 * spread[1:].max()


def test_without_data_it_is_the_prior():
    gp = ExactGP(Kernel(MATERN_52, np.array([0.4]), 2.0), 0.1)
    drawn = draws(gp, np.array([[0.2], [0.9]]), 600)
    np.testing.assert_allclose(drawn.mean(axis=0), 0.0, atol=0.2)
    np.testing.assert_allclose(drawn.var(axis=0), 2.0, rtol=0.2)


def test_gradients_are_those_of_the_values():
    function = PathwisePosterior(process(), 64).draw(np.random.default_rng(4))
    X = np.random.default_rng(5).random((4, 2))
    values, gradients = function.values_and_gradients(X)
    np.testing.assert_allclose(values, function.values(X), atol=1e-10)
    h = 1e-6
    for j in range(2):
        step = h * np.eye(2)[j]
        slope = (function.values(X + step) - function.values(X - step)) / (2 * h)
        np.testing.assert_allclose(gradients[:, j], slope, atol=1e-5)


def test_it_serves_thompson_sampling_and_says_how_much_is_exploration():
    sample = ThompsonSample.draw(PathwisePosterior(process()), np.random.default_rng(0))
    shares = sample.exploration(np.random.default_rng(1).random((5, 2)))
    assert ((shares >= 0) & (shares <= 1)).all()


def test_only_a_single_stationary_kernel_can_be_drawn_from():
    class Other:
        pass

    with pytest.raises(TypeError, match="one stationary kernel"):
        PathwisePosterior(ExactGP(Other(), 0.1)).draw(np.random.default_rng(0))
