"""What comparisons say of a utility: held against integrals, finite differences and what cannot matter."""

import numpy as np
import pytest
from scipy.special import ndtr

from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.hyperparameters.beliefs import LogNormals
from orchestrator.surrogates.latent.comparisons import ComparisonLikelihood, threshold
from orchestrator.surrogates.latent.likeliest_kernel import LogPosterior
from orchestrator.surrogates.latent.utility import Compared, UtilityPosterior
from orchestrator.surrogates.latent.utility_fit import fit_utility

KERNEL = Kernel(MATERN_52, np.array([0.4, 0.7]), 2.0)
FLAT = Kernel(MATERN_52, np.array([0.4, 0.7]), 0.4)
"""Of which what is learned is nearly normal, as Laplace's method has it."""
EVERY_COLUMN = np.arange(2)


def compared(pairs, alike=None, n=None, seed=0):
    pairs = np.array(pairs)
    X = np.random.default_rng(seed).random((n or pairs.max() + 1, 2))
    return Compared(X, pairs, np.zeros(len(pairs), dtype=bool) if alike is None else np.array(alike))


def some_comparisons():
    rng = np.random.default_rng(4)
    pairs = np.array([rng.choice(9, 2, replace=False) for _ in range(15)])
    return compared(pairs, rng.random(15) < 0.3, n=9)


def integrated(told, at):
    """Means of the utility at two points, the variance of its difference, and p(told), over draws from the
    prior.
    """
    both = np.vstack([told.X, at])
    factor = np.linalg.cholesky(FLAT.matrix(both) + 1e-10 * np.eye(len(both)))
    f = np.random.default_rng(0).standard_normal((200_000, len(both))) @ factor.T
    d = told.differences(f[:, : len(told.X)])
    tau = told.likelihood.tau
    p = np.where(told.alike, ndtr(d + tau) - ndtr(d - tau), ndtr(d - tau)).prod(axis=1)
    q = f[:, len(told.X) :]
    mean = p @ q / p.sum()
    return mean, p @ (q[:, 0] - q[:, 1] - mean[0] + mean[1]) ** 2 / p.sum(), p.mean()


@pytest.mark.parametrize(
    ("pairs", "alike"),
    [
        ([[0, 1]], [False]),
        ([[0, 1], [2, 0]], [False, False]),
        ([[0, 1], [1, 2], [0, 2]], [False, True, False]),
    ],
)
def test_two_and_three_points_are_believed_as_their_integrals_say(pairs, alike):
    told, at = compared(pairs, alike), np.array([[0.2, 0.9], [0.8, 0.3]])
    mean, variance, evidence = integrated(told, at)
    posterior = UtilityPosterior.of(told, FLAT)
    assert posterior.mean(at) == pytest.approx(mean, abs=0.02)
    assert posterior.over(at[1]).mean_and_variance(at[:1])[1] == pytest.approx(variance, rel=0.02)
    assert posterior.found.log_evidence == pytest.approx(np.log(evidence), abs=0.02)


@pytest.mark.parametrize("tau", [0.3, 1.5])
def test_the_derivatives_of_the_likelihood_are_those_of_finite_differences(tau):
    d = np.array([-6.0, -1.0, 0.0, 0.5, 4.0] * 2)
    likelihood = ComparisonLikelihood(np.arange(10) >= 5, tau)
    first, second, third = likelihood.derivatives(d)
    for i, step in enumerate(1e-5 * np.eye(10)):
        above, below = likelihood.derivatives(d + step), likelihood.derivatives(d - step)
        slope = (likelihood.log_probability(d + step) - likelihood.log_probability(d - step)) / 2e-5
        assert first[i] == pytest.approx(slope, rel=1e-6, abs=1e-8)
        assert second[i] == pytest.approx((below[0][i] - above[0][i]) / 2e-5, rel=1e-6)
        assert third[i] == pytest.approx((below[1][i] - above[1][i]) / 2e-5, rel=1e-5, abs=1e-7)


def test_differences_that_nobody_would_believe_can_be_told():
    likelihood = ComparisonLikelihood(np.array([True, True, False]), 0.2)
    assert all(np.isfinite(one).all() for one in likelihood.derivatives(np.array([60.0, -60.0, -60.0])))


def test_the_slope_of_the_posterior_of_hyperparameters_is_that_of_finite_differences():
    told, beforehand = some_comparisons(), LogNormals(np.zeros(3), np.ones(3))
    log_posterior = LogPosterior(told.evidence, told.X, EVERY_COLUMN, beforehand)
    theta = np.log([0.5, 0.9, 3.0])
    slope = log_posterior(theta)[1]
    for j, step in enumerate(1e-5 * np.eye(3)):
        difference = (log_posterior(theta + step)[0] - log_posterior(theta - step)[0]) / 2e-5
        assert slope[j] == pytest.approx(difference, rel=1e-4, abs=1e-6)


def test_the_gradients_of_an_advantage_are_those_of_finite_differences():
    told = some_comparisons()
    advantage = UtilityPosterior.of(told, KERNEL).over(told.X[2])
    X = np.random.default_rng(7).random((4, 2))
    at = advantage.value_gradients(X)
    assert np.stack([at.mean, at.variance]) == pytest.approx(np.stack(advantage.mean_and_variance(X)))
    for j, step in enumerate(1e-6 * np.eye(2)):
        above, below = advantage.mean_and_variance(X + step), advantage.mean_and_variance(X - step)
        assert at.mean_gradient[:, j] == pytest.approx((above[0] - below[0]) / 2e-6, rel=1e-4, abs=1e-7)
        assert at.variance_gradient[:, j] == pytest.approx((above[1] - below[1]) / 2e-6, rel=1e-4, abs=1e-7)


def test_nothing_is_said_of_the_level_of_a_utility():
    told = some_comparisons()
    raised = told.covariance(KERNEL.matrix(told.X) + 5.0)
    assert raised == pytest.approx(told.covariance(KERNEL.matrix(told.X)))


def test_who_says_it_the_other_way_round_says_the_opposite():
    told = some_comparisons()
    turned = Compared(told.X, told.pairs[:, ::-1], told.alike)
    means = [UtilityPosterior.of(one, KERNEL).mean(told.X) for one in (told, turned)]
    assert means[0] == pytest.approx(-means[1], abs=1e-6)


def test_the_more_pairs_are_alike_the_less_is_told_apart():
    assert threshold(np.zeros(5, dtype=bool)) == 0.0
    assert 0.0 < threshold(np.arange(8) < 2) < threshold(np.arange(8) < 6) < threshold(np.ones(8, dtype=bool))


def test_what_matters_is_told_from_what_does_not():
    X = np.random.default_rng(0).random((40, 2))
    best_first = np.where(X[:-1, :1] > X[1:, :1], [[0, 1]], [[1, 0]]) + np.arange(39)[:, None]
    told = Compared(X, best_first, np.zeros(39, dtype=bool))
    found = fit_utility(told, EVERY_COLUMN)
    assert found.length_scales[1] > found.length_scales[0]
    mean = UtilityPosterior.of(told, found.kernel(MATERN_52, EVERY_COLUMN)).mean(X)
    assert np.corrcoef(mean, X[:, 0])[0, 1] > 0.9
