"""Max-value entropy search: the information gained, its gradient, and draws of the maximum."""

import math

import numpy as np
import pytest
from scipy import stats

from orchestrator.acquisition.max_value_entropy import MaxValueEntropy, gumbel_maxima
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP


def process():
    gp = ExactGP(Kernel(MATERN_52, np.array([0.3, 0.5])), 1e-3)
    X = np.random.default_rng(0).random((8, 2))
    gp.append(X, np.sin(6 * X[:, 0]) + X[:, 1])
    return gp


def test_the_gain_is_the_entropy_that_truncation_at_the_maximum_takes_away():
    gp, highest = process(), 1.8
    X = np.random.default_rng(1).random((5, 2))
    gain = MaxValueEntropy(gp, np.array([highest])).values(X)
    for x, found in zip(X, gain, strict=True):
        mean, variance = (float(v[0]) for v in gp.mean_and_variance(x[None, :]))
        s = math.sqrt(variance)
        truncated = stats.truncnorm(-40.0, (highest - mean) / s, mean, s)
        assert found == pytest.approx(stats.norm(mean, s).entropy() - truncated.entropy(), abs=1e-6)


def test_gradients_against_finite_differences():
    gain = MaxValueEntropy(process(), np.array([1.6, 1.9, 2.4]))
    X = np.random.default_rng(2).random((5, 2))
    values, gradients = gain.values_and_gradients(X)
    np.testing.assert_allclose(values, gain.values(X), rtol=1e-10)
    h = 1e-6
    for j in range(2):
        step = h * np.eye(2)[j]
        slope = (gain.values(X + step) - gain.values(X - step)) / (2 * h)
        np.testing.assert_allclose(gradients[:, j], slope, rtol=1e-4, atol=1e-5)


def test_a_point_far_below_the_maximum_tells_nothing_and_stays_finite():
    gain = MaxValueEntropy(process(), np.array([50.0]))
    values, gradients = gain.values_and_gradients(np.array([[0.1, 0.1], [0.9, 0.9]]))
    assert np.isfinite(gradients).all()
    np.testing.assert_allclose(values, 0.0, atol=1e-12)


def test_drawn_maxima_are_distributed_as_the_maximum_of_independent_values():
    rng = np.random.default_rng(3)
    mean, deviation = rng.normal(size=200), rng.uniform(0.2, 1.0, size=200)
    drawn = gumbel_maxima(mean, deviation, 4000, rng)
    true = (mean + deviation * rng.standard_normal((4000, 200))).max(axis=1)
    np.testing.assert_allclose(
        np.quantile(drawn, [0.25, 0.5, 0.75]), np.quantile(true, [0.25, 0.5, 0.75]), atol=0.06
    )
    assert drawn.min() >= mean.max()


def test_maxima_of_values_that_are_all_but_known_are_the_highest_of_them():
    drawn = gumbel_maxima(np.array([0.0, 1.0]), np.array([1e-6, 1e-6]), 5, np.random.default_rng(0))
    np.testing.assert_allclose(drawn, 1.0, atol=1e-4)
