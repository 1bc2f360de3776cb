"""Outputs that share a kernel and one factor: each has the means that it would have alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import invwishart, matrix_normal, multivariate_t

from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import evidence
from orchestrator.surrogates.evidence.shared_kernel import (
    independent,
    log_evidence_together,
    shared_evidence,
    shared_log_evidence,
)
from orchestrator.surrogates.fits.shared_kernel import SharedKernelPosterior, fit_shared
from orchestrator.surrogates.hyperparameters.beliefs import Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP

COLUMNS = np.arange(2)
KERNEL = Hyperparameters((0.4, 0.7), 1.3, 0.0).kernel(MATERN_52, COLUMNS)


@pytest.fixture
def told() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    X = rng.random((12, 2))
    return X, np.stack([np.sin(4 * X[:, 0]), X[:, 1] ** 2, X.sum(axis=1) - 1.0], axis=1)


def test_means_and_deviations_are_those_of_each_alone(told: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = told
    at = np.random.default_rng(1).random((6, 2))
    shared = SharedKernelGP(KERNEL, 1e-4, X, Y)
    means, deviations = shared.beliefs(at)
    for j in range(3):
        alone = ExactGP(KERNEL, 1e-4)
        alone.append(X, Y[:, j])
        mean, variance = alone.mean_and_variance(at)
        assert means[:, j] == pytest.approx(mean, abs=1e-10)
        assert deviations == pytest.approx(np.sqrt(variance), abs=1e-10)


def test_what_is_left_out_and_what_covaries_is_as_of_each_alone(told: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = told
    at = np.random.default_rng(1).random((6, 2))
    shared = SharedKernelGP(KERNEL, 1e-4, X, Y)
    (off, unsure), (means, covariances) = shared.left_out(), shared.together(at)
    assert means == pytest.approx(shared.means(at), abs=1e-12)
    for j in range(3):
        alone = ExactGP(KERNEL, 1e-4)
        alone.append(X, Y[:, j])
        off_alone, variance = alone.left_out()
        assert off[:, j] == pytest.approx(off_alone, abs=1e-9)
        assert unsure == pytest.approx(np.sqrt(variance), abs=1e-9)
        assert covariances == pytest.approx(covariances_with(alone, at).matrix(at), abs=1e-10)


def test_gradients_are_what_small_steps_show_beside_what_runs_too(
    told: tuple[np.ndarray, np.ndarray],
) -> None:
    shared = SharedKernelGP(KERNEL, 1e-4, *told)
    at, step = np.array([[0.31, 0.62], [0.8, 0.1]]), 1e-6
    before, _ = shared.beliefs(at)
    with shared.hallucinating(np.array([[0.5, 0.5], [0.7, 0.2]])):
        found = shared.gradients(at)
        assert shared.beliefs(at)[0] == pytest.approx(before, abs=1e-12)
        for e in range(2):
            moved = step * np.eye(2)[e]
            (high, wider), (low, narrower) = shared.beliefs(at + moved), shared.beliefs(at - moved)
            assert found.mean_gradient[:, :, e] == pytest.approx((high - low) / (2 * step), rel=1e-5)
            assert found.deviation_gradient[:, e] == pytest.approx((wider - narrower) / (2 * step), rel=1e-4)
    assert (shared.beliefs(at)[1] > found.deviation).all()


def test_the_root_knows_which_outputs_vary_together() -> None:
    X = np.random.default_rng(2).random((20, 2))
    wave = np.sin(5 * X[:, 0])
    root = SharedKernelGP(KERNEL, 1e-6, X, np.stack([wave, -wave, X[:, 1]], axis=1)).root
    among = root @ root.T
    scale = np.sqrt(np.diagonal(among))
    correlation = among / np.outer(scale, scale)
    assert correlation[0, 1] < -0.95
    assert abs(correlation[0, 2]) < 0.6


def test_the_root_says_something_of_an_output_that_has_not_varied_yet_and_is_one_of_one_alone() -> None:
    X = np.random.default_rng(2).random((20, 2))
    root = SharedKernelGP(KERNEL, 1e-6, X, np.stack([np.sin(5 * X[:, 0]), np.zeros(20)], axis=1)).root
    first, second = np.diagonal(root @ root.T)
    assert 0.0 < second < 0.01 < first
    assert SharedKernelGP(KERNEL, 1e-6, X, X[:, :1]).root == np.ones((1, 1))


def test_evidence_of_one_output_is_the_usual_and_its_slopes_are_what_small_steps_show(
    told: tuple[np.ndarray, np.ndarray],
) -> None:
    X, Y = told
    one = evidence(KERNEL, Data(X, Y[:, 0], COLUMNS), 1e-3)
    same = shared_evidence(KERNEL, Data(X, Y[:, 0], COLUMNS), Y[:, :1], 1e-3)
    assert same.value == pytest.approx(one.value)
    assert same.by_length_scale == pytest.approx(one.by_length_scale)
    found = shared_evidence(KERNEL, Data(X, Y[:, 0], COLUMNS), Y, 1e-3, share=0.5)

    def value(scale: float, variance: float, noise: float) -> float:
        kernel = Hyperparameters((0.4 * scale, 0.7), 1.3 * variance, 0.0).kernel(MATERN_52, COLUMNS)
        return shared_evidence(kernel, Data(X, Y[:, 0], COLUMNS), Y, 1e-3 * noise, share=0.5).value

    up, down = np.exp(1e-5), np.exp(-1e-5)
    assert (value(up, 1, 1) - value(down, 1, 1)) / 2e-5 == pytest.approx(found.by_length_scale[0], rel=1e-4)
    assert (value(1, up, 1) - value(1, down, 1)) / 2e-5 == pytest.approx(found.by_variance, rel=1e-4)
    assert (value(1, 1, up) - value(1, 1, down)) / 2e-5 == pytest.approx(found.by_noise, rel=1e-4)


def test_outputs_that_say_the_same_count_once() -> None:
    wave = np.sin(np.arange(30.0))
    assert independent(np.stack([wave, 2 * wave, -wave], axis=1)) == pytest.approx(1.0)
    assert independent(np.eye(4)) == pytest.approx(4.0)
    assert independent(np.zeros((3, 2))) == 1.0


def test_a_fit_finds_the_column_that_matters_and_the_likelier_family() -> None:
    X = np.random.default_rng(4).random((18, 2))
    Y = np.stack([np.sin(5 * X[:, 0]), np.cos(5 * X[:, 0])], axis=1)
    data, prior = Data(X, Y[:, 0], COLUMNS), Prior.for_dimension(2)
    smooth, of_smooth = fit_shared(RBF, data, Y, prior, np.random.default_rng(0), 1e-8)
    _, of_rough = fit_shared(MATERN_52, data, Y, prior, np.random.default_rng(0), 1e-8)
    assert smooth.length_scales[1] > 5 * smooth.length_scales[0]
    assert of_smooth > of_rough


def test_what_evidence_comes_to_is_the_same_without_its_slopes(told: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = told
    data = Data(X, Y[:, 0], COLUMNS)
    with_slopes = shared_evidence(KERNEL, data, Y, 1e-3, share=0.5).value
    assert shared_log_evidence(KERNEL, data, Y, 1e-3, share=0.5) == pytest.approx(with_slopes, rel=1e-12)


def test_evidence_of_outputs_together_is_that_of_all_covariances_that_they_may_have() -> None:
    rng = np.random.default_rng(4)
    X = rng.random((3, 2))
    K = KERNEL.matrix(X, X) + 1e-2 * np.eye(3)
    y, data = rng.standard_normal((3, 1)), Data(X, np.zeros(3), COLUMNS)
    alone = multivariate_t.logpdf(y[:, 0], shape=K / 3.0, df=3.0)
    assert log_evidence_together(KERNEL, data, y, 1e-2) == pytest.approx(alone)
    Y = np.hstack([y, 0.8 * y + 0.3])
    among = invwishart.rvs(df=4, scale=np.eye(2), size=4000, random_state=rng)
    each = [matrix_normal.pdf(Y, rowcov=K, colcov=one) for one in among]
    assert log_evidence_together(KERNEL, data, Y, 1e-2) == pytest.approx(np.log(np.mean(each)), abs=0.1)


def test_hyperparameters_drawn_differ_by_as_much_as_results_leave_open() -> None:
    rng = np.random.default_rng(6)

    def apart(count: int) -> float:
        X = rng.random((count, 1))
        Y = np.sin(6.0 * X) - np.sin(6.0 * X).mean()
        data, prior = Data(X, Y[:, 0], np.arange(1)), Prior.for_dimension(1)
        likeliest, _ = fit_shared(MATERN_52, data, Y, prior, rng, 1e-6)
        posterior = SharedKernelPosterior(MATERN_52, data, Y, prior, 1e-6)
        drawn = posterior.drawn(likeliest, 30, rng)
        assert all(one.noise_variance == 1e-6 for one in drawn)
        return float(np.std(np.log([one.length_scales[0] for one in drawn])))

    assert apart(25) < 0.5 < apart(3)
