"""Whether something succeeds, as a latent process sees it: held against integrals and differences."""

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr

from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.latent.probit import laplace
from orchestrator.surrogates.latent.probit_fit import base_rate, fit_success, typical
from orchestrator.surrogates.posteriors.exact import ExactGP

EVERY_COLUMN = np.arange(2)


def half_plane(n, seed=0):
    X = np.random.default_rng(seed).random((n, 2))
    return X, X[:, 0] + 0.3 * X[:, 1] > 0.6


def as_a_process(kernel, X, found):
    gp = ExactGP(kernel, 0.0)
    gp.append(X, found.targets, found.noise_variances)
    return gp


def test_the_mode_is_where_the_slope_of_the_posterior_is_nought():
    X, succeeded = half_plane(25)
    K = Kernel(MATERN_52, np.array([0.5, 0.8]), 3.0).matrix(X)
    found = laplace(K, 0.4, succeeded)
    y = np.where(succeeded, 1.0, -1.0)
    step = 1e-6
    for i in range(len(y)):
        moved = np.zeros(len(y))
        moved[i] = step
        above, below = (
            log_ndtr(y * (0.4 + f)).sum() - 0.5 * f @ np.linalg.solve(K, f)
            for f in (found.mode + moved, found.mode - moved)
        )
        assert (above - below) / (2 * step) == pytest.approx(0.0, abs=1e-5)


def test_an_exact_process_that_is_told_the_targets_has_its_mean_at_the_mode():
    X, succeeded = half_plane(25)
    kernel = Kernel(MATERN_52, np.array([0.5, 0.8]), 3.0)
    found = laplace(kernel.matrix(X), -0.3, succeeded)
    mean, variance = as_a_process(kernel, X, found).mean_and_variance(X)
    assert mean == pytest.approx(found.mode, abs=1e-8)
    # The curvature of the posterior there is K^-1 + W.
    exact = np.linalg.inv(np.linalg.inv(kernel.matrix(X)) + np.diag(found.curvature))
    assert variance == pytest.approx(np.diagonal(exact), rel=1e-5)


def test_what_is_predicted_and_the_evidence_are_near_those_of_draws_from_the_prior():
    X, succeeded = half_plane(4, seed=3)
    at = np.array([[0.9, 0.9], [0.1, 0.1], [0.5, 0.5]])
    kernel, m = Kernel(MATERN_52, np.array([0.6, 0.6]), 1.5), 0.2
    found = laplace(kernel.matrix(X), m, succeeded)
    mean, variance = as_a_process(kernel, X, found).mean_and_variance(at)
    both = np.vstack([X, at])
    factor = np.linalg.cholesky(kernel.matrix(both) + 1e-10 * np.eye(len(both)))
    drawn = m + np.random.default_rng(0).standard_normal((400_000, len(both))) @ factor.T
    likelihood = ndtr(np.where(succeeded, 1.0, -1.0) * drawn[:, :4]).prod(axis=1)
    chances = (likelihood[:, None] * ndtr(drawn[:, 4:])).sum(axis=0) / likelihood.sum()
    assert ndtr((m + mean) / np.sqrt(1 + variance)) == pytest.approx(chances, abs=0.03)
    assert found.log_evidence == pytest.approx(np.log(likelihood.mean()), abs=0.1)


def test_the_slope_of_the_evidence_is_that_of_finite_differences():
    X, succeeded = half_plane(30)

    def at(theta):
        kernel = Kernel(MATERN_52, np.exp(theta[:2]), float(np.exp(theta[2])))
        return kernel, laplace(kernel.matrix(X), 0.1, succeeded)

    theta = np.log([0.5, 0.9, 3.0])
    kernel, found = at(theta)
    V, squared = found.evidence_weights, kernel.squared_distances(X)
    slope = np.append(kernel.length_scale_gradient(X, V, squared), np.vdot(V, kernel.of_squared(squared)))
    for j, step in enumerate(1e-5 * np.eye(3)):
        difference = (at(theta + step)[1].log_evidence - at(theta - step)[1].log_evidence) / 2e-5
        assert slope[j] == pytest.approx(difference, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("succeeded", [[True], [False], [True] * 12, [False] * 12])
def test_labels_that_are_all_alike_are_no_certainty(succeeded):
    X = np.random.default_rng(1).random((len(succeeded), 2))
    told = np.array(succeeded)
    found = fit_success(X, told, base_rate(told), EVERY_COLUMN)
    kernel = found.kernel(MATERN_52, EVERY_COLUMN)
    latent = laplace(kernel.matrix(X), base_rate(told), told)
    mean, variance = as_a_process(kernel, X, latent).mean_and_variance(np.full((1, 2), 0.5))
    chance = float(ndtr((base_rate(told) + mean[0]) / np.sqrt(1 + variance[0])))
    assert 0.5 < (chance if succeeded[0] else 1 - chance) < 0.999


def test_where_an_edge_lies_is_learned_and_what_does_not_matter_is_told_from_what_does():
    X = np.random.default_rng(0).random((80, 2))
    told = X[:, 0] > 0.5
    found = fit_success(X, told, base_rate(told), EVERY_COLUMN)
    assert found.length_scales[1] > 2 * found.length_scales[0]
    kernel = found.kernel(MATERN_52, EVERY_COLUMN)
    gp = as_a_process(kernel, X, laplace(kernel.matrix(X), base_rate(told), told))
    at = np.random.default_rng(9).random((400, 2))
    mean, _ = gp.mean_and_variance(at)
    assert np.mean((mean + base_rate(told) > 0) == (at[:, 0] > 0.5)) > 0.93


def test_failures_by_chance_are_ascribed_to_no_place():
    rng = np.random.default_rng(5)
    X = rng.random((80, 2))
    told = rng.random(80) > 0.2
    found = fit_success(X, told, base_rate(told), EVERY_COLUMN)
    kernel = found.kernel(MATERN_52, EVERY_COLUMN)
    gp = as_a_process(kernel, X, laplace(kernel.matrix(X), base_rate(told), told))
    mean, variance = gp.mean_and_variance(rng.random((200, 2)))
    chances = ndtr((mean + base_rate(told)) / np.sqrt(1 + variance))
    assert chances.min() > 0.55
    assert chances.max() < 0.95


def test_copies_of_one_point_with_both_labels_can_be_told():
    X = np.full((20, 2), 0.3)
    told = np.arange(20) % 2 == 0
    found = fit_success(X, told, base_rate(told), EVERY_COLUMN)
    latent = laplace(found.kernel(MATERN_52, EVERY_COLUMN).matrix(X), base_rate(told), told)
    assert latent.mode == pytest.approx(np.zeros(20), abs=1e-6)


def test_length_scales_are_longer_beforehand_where_there_are_more_parameters():
    assert typical(np.arange(16)).length_scales[0] == pytest.approx(
        4 * typical(np.arange(1)).length_scales[0]
    )
