"""Fitting finds what made the data, uses what is known, and survives data that says nothing."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import log_evidence
from orchestrator.surrogates.evidence.thinning import subsample
from orchestrator.surrogates.fits.one_kernel import Search, fit
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, KernelTemplate

ARD = KernelTemplate("rbf-ard", RBF)
SHARED = KernelTemplate("rbf", RBF, shared=True)


def rng() -> np.random.Generator:
    return np.random.default_rng(9)


def drawn_from(scales: list[float], noise: float, n: int, seed: int = 0) -> Data:
    generator = np.random.default_rng(seed)
    X = generator.random((n, len(scales)))
    K = Kernel(RBF, np.array(scales)).matrix(X) + (noise + 1e-10) * np.eye(n)
    return Data(X, np.linalg.cholesky(K) @ generator.standard_normal(n), np.arange(len(scales)))


def fitted(template: KernelTemplate, data: Data, **options) -> Hyperparameters:
    return fit(template, data, Prior.for_dimension(data.dimension), rng(), **options)


def log_posterior(h: Hyperparameters, data: Data) -> float:
    """Of an RBF with all length-scales and the noise free, up to a constant."""
    prior, D = Prior.for_dimension(data.dimension), data.dimension
    beliefs = [prior.length_scale] * D + [prior.variance, prior.noise_variance]
    logs = np.log([*h.length_scales, h.variance, h.noise_variance])
    density = sum(float(belief.log_density(log)) for belief, log in zip(beliefs, logs, strict=True))
    return log_evidence(h.kernel(RBF, data.embedded_parameter), data, h.noise_variance) + density


def test_the_length_scales_and_noise_that_made_the_data_are_found():
    found = fitted(ARD, drawn_from([0.2, 1.0], 0.01, 150))
    assert found.length_scales[0] == pytest.approx(0.2, rel=0.3)
    assert found.length_scales[1] == pytest.approx(1.0, rel=0.4)
    assert found.noise_variance == pytest.approx(0.01, rel=0.4)


def test_an_irrelevant_parameter_gets_a_long_length_scale():
    data = drawn_from([0.2, 0.2], 1e-4, 80)
    found = fitted(ARD, Data(np.hstack([data.X, rng().random((80, 1))]), data.y, np.arange(3)))
    assert found.length_scales[2] > 3 * found.length_scales[0]


def test_no_other_hyperparameters_nearby_are_likelier():
    data = drawn_from([0.3, 0.6], 0.01, 60)
    found = fitted(ARD, data)
    best = np.array([*found.length_scales, found.variance, found.noise_variance])
    for i in range(4):
        for step in (-0.1, 0.1):
            moved = best.copy()
            moved[i] *= np.exp(step)
            nearby = Hyperparameters(tuple(moved[:2]), moved[2], moved[3])
            assert log_posterior(nearby, data) < log_posterior(found, data)


def test_a_shared_length_scale_is_one_and_a_fixed_one_stays():
    data = drawn_from([0.3, 0.5, 0.4], 0.01, 50)
    assert len(set(fitted(SHARED, data).length_scales)) == 1
    fixed = KernelTemplate("rbf-0.1", RBF, fixed_length_scale=0.1)
    assert fitted(fixed, data).length_scales == (0.1, 0.1, 0.1)


def test_the_columns_of_a_category_share_a_length_scale():
    data = drawn_from([0.3, 0.5, 0.4], 0.01, 40)
    found = fitted(ARD, Data(data.X, data.y, np.array([0, 1, 1])))
    assert len(found.length_scales) == 2


def test_known_noise_is_held_and_reported_noise_is_used():
    data = drawn_from([0.3], 0.09, 60)
    assert fitted(ARD, data, noise_variance=0.09).noise_variance == 0.09
    reported = Data(data.X, data.y, data.embedded_parameter, np.full(60, 0.09))
    one, other = fitted(ARD, data, noise_variance=0.09), fitted(ARD, reported, noise_variance=0.0)
    assert one.length_scales == pytest.approx(other.length_scales, rel=1e-6)
    assert other.noise_variance == 0.0


def test_a_deterministic_function_is_not_taken_for_noise():
    X = np.random.default_rng(0).random((40, 2))
    y = np.sin(6 * X[:, 0]) * np.cos(3 * X[:, 1])
    found = fitted(ARD, Data(X, (y - y.mean()) / y.std(), np.arange(2)))
    assert found.noise_variance < 1e-5


def test_the_same_stream_finds_the_same_answer_to_the_bit():
    data = drawn_from([0.3, 0.6], 0.01, 40)
    assert fitted(ARD, data) == fitted(ARD, data)


def test_a_warm_start_alone_is_enough_to_stay_where_it_was_good():
    data = drawn_from([0.3, 0.6], 0.01, 60)
    whole = fitted(ARD, data)
    again = fitted(ARD, data, search=Search(starts=1, iterations=5, warm=whole))
    assert log_posterior(again, data) >= log_posterior(whole, data) - 1e-6


@pytest.mark.parametrize("n", [0, 1, 2, 20])
@pytest.mark.parametrize("noise", [None, 0.0])
def test_constant_values_and_few_of_them_are_survived(n, noise):
    data = Data(np.random.default_rng(0).random((n, 3)), np.zeros(n), np.arange(3))
    found = fitted(ARD, data, noise_variance=noise)
    assert math.isfinite(found.variance)
    assert all(0 < scale < 1e4 for scale in found.length_scales)


@pytest.mark.parametrize("noise", [None, 0.0])
def test_duplicated_inputs_are_survived(noise):
    X = np.repeat(np.random.default_rng(0).random((5, 2)), 4, axis=0)
    y = np.sin(X[:, 0]) + 0.1 * np.random.default_rng(1).standard_normal(20)
    data = Data(X, y, np.arange(2))
    found = fitted(ARD, data, noise_variance=noise)
    kernel = found.kernel(RBF, data.embedded_parameter)
    assert math.isfinite(log_evidence(kernel, data, found.noise_variance))


def test_a_hundred_dimensions_do_not_collapse():
    generator = np.random.default_rng(0)
    X = generator.random((60, 100))
    y = X[:, 0] - 2 * X[:, 1] + 0.5 * X[:, 2]
    data = Data(X, (y - y.mean()) / y.std(), np.arange(100))
    scales = np.array(fitted(ARD, data, search=Search(starts=2, iterations=40)).length_scales)
    # Points are sqrt(100 / 6) = 4 apart: with scales of a tenth of that every point would be an island.
    assert np.median(scales) > 1.0
    kernel = Kernel(RBF, scales)
    assert np.median(kernel.matrix(X, X[::-1])) > 0.05


def test_large_data_is_fitted_on_a_part():
    data = drawn_from([0.3], 0.04, 500)
    found = fitted(SHARED, data, search=Search(starts=1, largest=80))
    assert found == fitted(SHARED, subsample(data, 80, rng()), search=Search(starts=1))
    assert found.noise_variance == pytest.approx(0.04, rel=0.8)


def test_the_prior_draws_a_length_scale_that_data_leaves_open():
    prior = Prior(LogNormal(0.7, 0.01))
    data = drawn_from([0.1], 0.01, 10)
    assert fit(ARD, data, prior, rng()).length_scales[0] == pytest.approx(0.7, rel=0.1)


@pytest.mark.parametrize("D", [1, 6])
def test_length_scales_are_believed_as_in_the_paper(D):
    theirs = stats.lognorm(math.sqrt(3.0), scale=math.exp(math.sqrt(2.0)) * math.sqrt(D))
    scales = np.array([0.1, 1.0, 9.0])
    ours = Prior.for_dimension(D).length_scale.log_density(np.log(scales))
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs.logpdf(scales)), rtol=1e-12)


def test_a_prior_has_the_density_of_a_normal_logarithm_and_its_slopes():
    belief = LogNormal(0.3, 1.7)
    t = np.linspace(-3, 3, 7)
    np.testing.assert_allclose(belief.log_density(t), stats.norm(math.log(0.3), 1.7).logpdf(t))
    numeric = (belief.log_density(t + 1e-6) - belief.log_density(t - 1e-6)) / 2e-6
    assert np.allclose(belief.log_density_slope(t), numeric, atol=1e-8)


def test_hyperparameters_survive_json_to_the_bit():
    h = Hyperparameters((0.1, 1 / 3, 1e-7), 2 / 7, 1e-12)
    assert Hyperparameters.from_json(json.loads(json.dumps(h.to_json()))) == h
    assert np.array_equal(
        h.kernel(MATERN_52, np.array([0, 1, 1, 2])).length_scales, [0.1, 1 / 3, 1 / 3, 1e-7]
    )
