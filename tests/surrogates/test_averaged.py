"""What a process believes of averages, against all of its covariances; its gradients, against differences."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Covariance
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.averaged import AveragedPosterior
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.settings_off import Off, SettingsOff

PLACES = np.array([0.0, 1.0])
OFF = SettingsOff.of(
    [Off(0, 0.1, PLACES, PLACES), Off(2, 3.0, np.array([1.0, 100.0]), PLACES, logarithmic=True)]
)
EVEN = SettingsOff.of([Off(0, 0.1, PLACES, PLACES)])
SMOOTH = Kernel(MATERN_52, np.array([0.3, 0.4, 0.5]), 2.0)
# Inside, at both ends of what is off, and so near to one that some of it comes out beyond.
POINTS = np.array([[0.4, 0.2, 0.5], [0.6, 0.9, 0.3], [0.0, 0.5, 1.0], [0.97, 0.1, 0.02]])


def process(covariance: Covariance, results: int = 12) -> ExactGP:
    rng = np.random.default_rng(0)
    posterior = ExactGP(covariance, 1e-6)
    if results:
        posterior.append(rng.random((results, 3)), rng.standard_normal(results))
    return posterior


def densely(posterior: ExactGP, off: SettingsOff, x: FloatArray) -> tuple[float, float]:
    """The mean of all means, and of all covariances, of where one point comes out."""
    out = off.around(x[None, :]).points[0]
    prior = posterior.covariance.matrix(out)
    if not len(posterior):
        return 0.0, float(prior.mean())
    cross = posterior.covariance.matrix(posterior.inputs, out)
    half = posterior.half_solve(cross)
    return float((posterior.alpha @ cross).mean()), float((prior - half.T @ half).mean())


@pytest.mark.parametrize("off", [OFF, EVEN])
@pytest.mark.parametrize("results", [0, 12])
def test_mean_and_variance_are_those_of_all_covariances(off: SettingsOff, results: int) -> None:
    posterior = process(SMOOTH, results)
    averaged = AveragedPosterior(posterior, off)
    mean, variance = averaged.mean_and_variance(POINTS)
    expected = np.array([densely(posterior, off, x) for x in POINTS])
    np.testing.assert_allclose(mean, expected[:, 0], atol=1e-12)
    np.testing.assert_allclose(variance, expected[:, 1], atol=1e-12)
    np.testing.assert_allclose(averaged.mean_at(POINTS), mean, atol=1e-12)


@pytest.mark.parametrize("off", [OFF, EVEN])
@pytest.mark.parametrize("results", [0, 12])
def test_gradients_are_those_of_the_averages(off: SettingsOff, results: int) -> None:
    averaged = AveragedPosterior(process(SMOOTH, results), off)
    inside, step = POINTS[[0, 1, 3]], 1e-6
    at = averaged.value_gradients(inside)
    np.testing.assert_allclose(at.variance, averaged.mean_and_variance(inside)[1], atol=1e-12)
    for j in range(3):
        ahead, behind = (averaged.mean_and_variance(inside + s * step * np.eye(3)[j]) for s in (1, -1))
        np.testing.assert_allclose(at.mean_gradient[:, j], (ahead[0] - behind[0]) / 2e-6, atol=1e-6)
        np.testing.assert_allclose(at.variance_gradient[:, j], (ahead[1] - behind[1]) / 2e-6, atol=1e-6)


def test_what_would_be_told_beside_a_point_leaves_less_unknown_of_its_average_than_it_again() -> None:
    posterior = process(SMOOTH)
    averaged, x = AveragedPosterior(posterior, EVEN), posterior.inputs[:1]
    before, mean = averaged.mean_and_variance(x)[1], averaged.mean_at(x)
    with averaged.hallucinating(x):
        again = averaged.mean_and_variance(x)[1]
    with averaged.hallucinating(x + np.array([0.05, 0.0, 0.0])):
        beside = averaged.mean_and_variance(x)[1]
        np.testing.assert_allclose(averaged.mean_at(x), mean, atol=1e-9)
    assert beside < 0.9 * before
    assert again > 0.99 * before
