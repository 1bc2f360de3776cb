"""The slice sampler visits hyperparameters in proportion to their posterior."""

import math

import numpy as np
import pytest

from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import log_evidence
from orchestrator.surrogates.fits.samples import (
    HyperparameterPosterior,
    UniformPriors,
    slice_sweep,
)
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters


def data(n=12):
    X = np.random.default_rng(0).random((n, 2))
    return Data(X, np.sin(6 * X[:, 0]), np.arange(2))


def test_a_density_with_two_humps_is_sampled_in_proportion():
    def log_density(theta):
        return float(
            np.logaddexp(-0.5 * (theta[0] / 0.5) ** 2, math.log(3) - 0.5 * ((theta[0] - 2.5) / 0.5) ** 2)
        )

    rng, theta, seen = np.random.default_rng(0), np.zeros(1), []
    for _ in range(6000):
        theta = slice_sweep(log_density, theta, rng)
        seen.append(theta[0])
    right = np.array(seen) > 1.25
    assert right.mean() == pytest.approx(0.75, abs=0.05)
    assert np.std(np.array(seen)[right]) == pytest.approx(0.5, abs=0.05)


def test_without_results_the_draws_are_uniform_in_the_intervals():
    priors = UniformPriors((0.1, 2.0), (1.0, 5.0), (0.1, 0.3))
    nothing = Data(np.zeros((0, 2)), np.zeros(0), np.arange(2))
    drawn = HyperparameterPosterior(RBF, nothing, priors).sample(800, np.random.default_rng(0))
    for values, (low, high) in (
        ([d.length_scales[0] for d in drawn], priors.length_scale),
        ([d.variance for d in drawn], priors.variance),
        ([d.noise_variance for d in drawn], priors.noise_variance),
    ):
        assert low <= min(values) <= max(values) <= high
        np.testing.assert_allclose(
            np.quantile(values, [0.25, 0.5, 0.75]),
            low + (high - low) * np.array([0.25, 0.5, 0.75]),
            rtol=0.12,
        )


def test_draws_given_results_agree_with_the_posterior_on_a_grid():
    told, priors = data(), UniformPriors((0.05, 3.0), (1.0, 1.0001), (0.05, 0.0501))
    grid = np.linspace(0.051, 2.99, 300)
    logs = np.array([log_evidence(Kernel(RBF, np.full(2, s), 1.00005), told, 0.05005) for s in grid])
    weights = np.exp(logs - logs.max())
    exact = np.cumsum(weights) / weights.sum()
    drawn = HyperparameterPosterior(RBF, told, priors).sample(500, np.random.default_rng(1))
    scales = np.array([d.length_scales[0] for d in drawn])
    for q in (0.2, 0.5, 0.8):
        assert np.mean(scales <= grid[np.searchsorted(exact, q)]) == pytest.approx(q, abs=0.08)


def test_noise_that_is_known_is_not_sampled_and_a_warm_chain_goes_on_from_its_start():
    posterior = HyperparameterPosterior(RBF, data(), UniformPriors(), noise_variance=0.0)
    warm = Hyperparameters((0.4, 0.4), 2.0, 0.0)
    drawn = posterior.sample(5, np.random.default_rng(2), warm)
    assert all(d.noise_variance == 0.0 for d in drawn)
    assert all(len(d.length_scales) == 2 and d.length_scales[0] == d.length_scales[1] for d in drawn)
    again = posterior.sample(5, np.random.default_rng(2), warm)
    assert again == drawn
