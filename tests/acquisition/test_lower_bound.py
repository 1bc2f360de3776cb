"""Lower bounds, beside the posterior that they are of; gradients, against differences."""

from __future__ import annotations

import numpy as np

from orchestrator.acquisition.lower_bound import LowerBound
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP

POINTS = np.array([[0.2, 0.7], [0.5, 0.4]])


def bound() -> LowerBound:
    posterior = ExactGP(Kernel(MATERN_52, np.array([0.3, 0.4]), 1.0), 1e-4)
    posterior.append(np.random.default_rng(0).random((6, 2)), np.array([1.0, -0.5, 0.3, 0.8, -1.0, 0.1]))
    return LowerBound(posterior, deviations=0.7)


def test_it_lies_so_many_deviations_below_the_mean_and_so_do_its_gradients() -> None:
    lower = bound()
    mean, variance = lower.posterior.mean_and_variance(POINTS)
    values, gradients = lower.values_and_gradients(POINTS)
    np.testing.assert_allclose(values, mean - 0.7 * np.sqrt(variance))
    np.testing.assert_allclose(lower.values(POINTS), values)
    for column, step in enumerate(1e-6 * np.eye(2)):
        slope = (lower.values(POINTS + step) - lower.values(POINTS - step)) / 2e-6
        np.testing.assert_allclose(gradients[:, column], slope, atol=1e-6)


def test_a_share_of_it_is_what_is_not_known() -> None:
    mean, variance = bound().posterior.mean_and_variance(POINTS)
    unknown = 0.7 * np.sqrt(variance)
    np.testing.assert_allclose(bound().exploration(POINTS), unknown / (unknown + np.abs(mean)))
