"""Waves along each parameter: the kernel, what it costs to believe in them, and seeing them in values."""

import numpy as np
import pytest
from evidence_stories import require_exact, require_gradient, told
from scipy.optimize import approx_fprime

from orchestrator.surrogates.covariances.covariance import LARGEST_ROW_BY_ROW
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.wave import WaveKernel, Waves, wave_columns
from orchestrator.surrogates.draws.drawn_functions import FeatureFunctions
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.likely_waves import likely_waves
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.fits.pair_model import fit_kernel
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.hyperparameters.trend import TrendHyperparameters, TrendModel
from orchestrator.surrogates.hyperparameters.wave import WaveHyperparameters, WaveModel

# Three parameters, the second a category in two columns, along which there are no waves.
OWNERS = np.array([0, 1, 1, 2])
RNG = np.random.default_rng(0)
A, B = RNG.random((6, 4)), RNG.random((5, 4))
SURFACE = TrendHyperparameters(Hyperparameters((0.3, 0.7, 1.5), 0.6, 1e-4), 4.0, 2.5)
HYPERPARAMETERS = WaveHyperparameters(SURFACE, Waves(3.2, 0.8), Waves(0.4, 1.3))


def kernel(family=MATERN_52):
    return HYPERPARAMETERS.kernel(family, OWNERS)


def hills(x):
    """A bowl with seven hills and a half along every parameter, wherever its middle is."""
    u = x - np.linspace(0.3, 0.7, len(x))
    return -float((10.0 * u**2 - np.cos(2.0 * np.pi * 7.5 * u)).sum())


def bowl(x):
    return -float(((x - 0.4) ** 2).sum())


def model(data, noise=0.0, family=RBF, starts=(), shared=True):
    pairs = PairwiseData.of(data)
    surface = TrendModel(pairs.squared, family, shared, noise)
    return KernelEvidence(pairs, WaveModel(surface, data.X, starts))


def surface_of(data):
    pairs = PairwiseData.of(data)
    fitted = fit_kernel(KernelEvidence(pairs, TrendModel(pairs.squared, RBF, True, 0.0)), None, 2, 60)
    return fitted.hyperparameters, fitted.log_marginal


def test_it_is_the_surface_and_cosines_of_the_differences():
    gaps = (A[:, None] - B[None])[:, :, [0, 3]]
    waves = 0.8 * np.cos(2.0 * np.pi * 3.2 * gaps).mean(axis=2)
    waves += 1.3 * np.cos(2.0 * np.pi * 0.4 * gaps).mean(axis=2)
    surface = SURFACE.kernel(MATERN_52, OWNERS).matrix(A, B)
    np.testing.assert_allclose(kernel().matrix(A, B), surface + waves, rtol=1e-12)
    np.testing.assert_allclose(kernel().cross(A, B).values, surface + waves, rtol=1e-12)
    np.testing.assert_allclose(np.diagonal(kernel().matrix(A)), kernel().diagonal(A), rtol=1e-12)


def test_a_matrix_built_row_by_row_is_the_same_to_the_bit():
    rows = np.vstack([kernel().matrix(a[None], B) for a in A])
    assert np.array_equal(rows, kernel().matrix(A, B))


def test_of_many_inputs_at_once_only_the_last_digits_differ():
    many = np.random.default_rng(1).random((2 * LARGEST_ROW_BY_ROW, 4))
    rows = np.vstack([kernel().matrix(A, x[None]).T for x in many])
    np.testing.assert_allclose(kernel().matrix(A, many), rows.T, rtol=0, atol=1e-14)


@pytest.mark.parametrize("stack", [False, True])
def test_its_gradient_agrees_with_finite_differences(stack):
    W = RNG.standard_normal((2, 6, 5) if stack else (6, 5))
    found = kernel().cross(A, B).weighted_gradient(W)
    for weights, gradients in zip(W.reshape(-1, 6, 5), found.reshape(-1, 6, 4), strict=True):
        for i in range(len(A)):
            numerical = approx_fprime(A[i], lambda a, w=weights[i]: kernel().matrix(a[None], B)[0] @ w, 1e-7)
            np.testing.assert_allclose(gradients[i], numerical, atol=1e-4)


def test_functions_drawn_by_its_spectrum_have_its_covariance():
    frequencies = kernel().spectral_frequencies(200_000, np.random.default_rng(1))
    estimated = kernel().variance * np.cos(frequencies @ (A[0] - B[0])).mean()
    assert estimated == pytest.approx(kernel().matrix(A[:1], B[:1])[0, 0], abs=0.03)
    assert FeatureFunctions.from_prior(kernel(), 4, 50, 3, RNG).values(A).shape == (3, 6)


def test_categories_have_no_waves():
    assert wave_columns(OWNERS).tolist() == [0, 3]
    categories = Data(RNG.random((5, 4)), RNG.standard_normal(5), np.array([0, 0, 1, 1]))
    assert likely_waves(categories, SURFACE.kernel(RBF, categories.embedded_parameter), 0.0, 2) == []


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("noise", [None, 1e-4])
def test_the_evidence_has_the_gradient_that_finite_differences_see(shared, noise):
    require_gradient(model(told(hills, 20, 3), noise, MATERN_52, shared=shared))


def test_the_evidence_is_that_of_an_exact_process():
    data = told(hills, 15, 3)
    require_exact(model(data, 1e-3), data, RBF, 1e-3)


def test_the_score_is_the_slope_of_the_evidence_where_there_are_no_waves_yet():
    data = told(hills, 40, 4)
    surface, _ = surface_of(data)
    below = surface.kernel(RBF, data.embedded_parameter)
    (likeliest, *_) = likely_waves(data, below, 1e-6, 3)

    def log_evidence(variance):
        waves = (Waves(likeliest.waves.frequency, variance),)
        K = WaveKernel(below, np.arange(4), waves).matrix(data.X) + 1e-6 * np.eye(40)
        return -0.5 * (data.y @ np.linalg.solve(K, data.y) + np.linalg.slogdet(K)[1])

    slope = (log_evidence(1e-7) - log_evidence(1e-12)) / 1e-7
    # score = deviations^2 / variance: both are quotients of the score and its information.
    assert likeliest.deviations**2 / likeliest.waves.variance == pytest.approx(slope, rel=1e-2)


def test_in_thirty_parameters_the_frequency_is_seen_before_there_are_five_results_for_each():
    data = told(hills, 120, 30)
    surface, without = surface_of(data)
    covariance = surface.kernel(RBF, data.embedded_parameter)
    likeliest, second = likely_waves(data, covariance, surface.noise_variance, 2)
    assert likeliest.waves.frequency == pytest.approx(7.5, abs=0.5)
    assert likeliest.deviations > 2.0 * second.deviations > 0.0
    start = WaveHyperparameters(surface, likeliest.waves)
    fit = fit_kernel(model(data, starts=[start]), None, 1, 40)
    assert fit.hyperparameters.fast.frequency == pytest.approx(7.5, abs=0.05)
    assert fit.log_marginal > without + 5.0
    assert WaveHyperparameters.from_json(fit.hyperparameters.to_json()) == fit.hyperparameters


def test_where_there_are_no_waves_no_frequency_stands_out():
    for seed in range(5):
        data = told(bowl, 60, 6, seed)
        noisy = Data(data.X, data.y + 0.1 * RNG.standard_normal(60), data.embedded_parameter)
        pairs = PairwiseData.of(noisy)
        trend = fit_kernel(KernelEvidence(pairs, TrendModel(pairs.squared, RBF, True, None)), None, 2, 60)
        own = trend.hyperparameters
        seen = likely_waves(noisy, own.kernel(RBF, noisy.embedded_parameter), own.noise_variance, 1)
        assert seen[0].deviations < 4.0
