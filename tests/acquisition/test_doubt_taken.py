"""How much less doubt there is expected to be of which side of a threshold values lie on: held against what
comes of evaluations, drawn one by one.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import owens_t
from scipy.stats import norm

from orchestrator.acquisition.doubt_taken import DoubtTaken, doubt_less
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP

NOISE, THRESHOLD = 1e-2, 0.4
RNG = np.random.default_rng(0)
X, Y = RNG.random((12, 3)), RNG.standard_normal(12)
PLACES, WEIGHTS = RNG.random((40, 3)), RNG.random(40)
POINTS = RNG.random((6, 3))


def process() -> ExactGP:
    posterior = ExactGP(Kernel(MATERN_52, np.full(3, 0.4), 1.7), NOISE)
    posterior.append(X, Y)
    return posterior


def chances(posterior: ExactGP) -> np.ndarray:
    mean, variance = posterior.mean_and_variance(PLACES)
    return np.asarray(norm.cdf((mean - THRESHOLD) / np.sqrt(variance)))


def doubt(posterior: ExactGP) -> float:
    above = chances(posterior)
    return float(WEIGHTS @ (above * (1.0 - above)))


def taken(posterior: ExactGP, noise: float = NOISE) -> DoubtTaken:
    mean, variance = posterior.mean_and_variance(PLACES)
    deviations = np.sqrt(variance)
    above = (mean - THRESHOLD) / deviations
    return DoubtTaken(posterior, covariances_with(posterior, PLACES), above, deviations, WEIGHTS, noise)


def test_it_is_what_is_left_on_average_over_all_that_may_come_of_an_evaluation() -> None:
    posterior = process()
    before, promised = doubt(posterior), taken(posterior).values(POINTS)
    nodes = np.linspace(-6.0, 6.0, 81)
    weights = norm.pdf(nodes)
    for point, promise in zip(POINTS, promised, strict=True):
        mean, variance = posterior.mean_and_variance(point[None, :])
        left = 0.0
        for node, weight in zip(nodes, weights / weights.sum(), strict=True):
            after = process()
            after.append(point[None, :], mean + node * np.sqrt(variance + NOISE))
            left += weight * doubt(after)
        assert before - left == pytest.approx(promise, rel=1e-4)


def test_so_it_is_by_owens_function_however_far_the_mean_is_from_the_threshold() -> None:
    above = np.array([0.0, 0.3, -1.0, 2.5, -6.0])
    for part in (1e-6, 0.01, 0.3, 0.9, 0.999999):
        left = 2.0 * owens_t(above, np.sqrt((1.0 - part) / (1.0 + part)))
        doubted = norm.cdf(above) * norm.cdf(-above)
        less = doubt_less(above, np.full((1, len(above)), part))[0]
        assert less == pytest.approx(doubted - left, rel=1e-4, abs=1e-12)


def test_its_slopes_are_those_of_its_values() -> None:
    acquisition = taken(process())
    _, slopes = acquisition.values_and_gradients(POINTS)
    for point, slope in zip(POINTS, slopes, strict=True):
        numerical = approx_fprime(point, lambda x: float(acquisition.values(x[None, :])[0]), 1e-7)
        assert slope == pytest.approx(numerical, rel=1e-3, abs=1e-6)


def test_noise_leaves_more_doubt_and_none_is_taken_where_nothing_is_doubted() -> None:
    posterior = process()
    assert (taken(posterior, noise=1.0).values(POINTS) < taken(posterior).values(POINTS)).all()
    assert doubt_less(np.array([40.0, -40.0]), np.full((1, 2), 0.5)) == pytest.approx(0.0, abs=1e-300)


def test_what_is_at_the_threshold_and_known_whole_is_doubted_no_longer() -> None:
    assert doubt_less(np.zeros(1), np.full((1, 1), 1.0 - 1e-9))[0, 0] == pytest.approx(0.25, rel=1e-4)


def test_an_exact_evaluation_leaves_no_doubt_of_its_own_place_and_slopes_there_are_numbers() -> None:
    posterior = process()
    exact, above = taken(posterior, noise=0.0), chances(posterior)
    values, slopes = exact.values_and_gradients(PLACES)
    assert (values >= WEIGHTS * above * (1.0 - above) * (1.0 - 1e-4)).all()
    assert np.isfinite(slopes).all()
