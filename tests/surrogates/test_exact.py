"""The exact posterior against dense algebra, told by rows against told at once, and under bad inputs."""

import math

import numpy as np
import pytest
from process_oracles import log_evidence

from orchestrator.numerics.linalg import FIRST_JITTER, FactorisationError
from orchestrator.surrogates.covariances.covariance import CrossCovariance
from orchestrator.surrogates.covariances.kernel_families import MATERN_12, MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP

KERNEL = Kernel(MATERN_52, np.array([0.4, 0.9]), variance=1.3)
NOISE = 0.01


def observations(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    return X, np.sin(5 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(n), 0.02 * rng.random(n)


def told(n: int) -> ExactGP:
    X, y, noise = observations(n)
    gp = ExactGP(KERNEL, NOISE)
    gp.append(X, y, noise)
    return gp


def test_the_posterior_agrees_with_dense_algebra():
    X, y, noise = observations(40)
    gp = told(40)
    X_new = np.random.default_rng(1).random((6, 2))
    K = KERNEL.matrix(X) + np.diag(NOISE + noise)
    cross = KERNEL.matrix(X, X_new)
    mean, variance = gp.mean_and_variance(X_new)
    assert np.allclose(mean, cross.T @ np.linalg.solve(K, y), atol=1e-9)
    assert np.allclose(variance, 1.3 - np.diagonal(cross.T @ np.linalg.solve(K, cross)), atol=1e-9)


def test_one_by_one_and_at_once_are_the_same_to_1e_8():
    X, y, noise = observations(150)
    at_once, by_rows = told(150), ExactGP(KERNEL, NOISE)
    for i in range(len(y)):
        by_rows.append(X[i : i + 1], y[i : i + 1], noise[i : i + 1])
    X_new = np.random.default_rng(1).random((20, 2))
    for one, other in zip(at_once.mean_and_variance(X_new), by_rows.mean_and_variance(X_new), strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-8)
    assert np.allclose(at_once.alpha, by_rows.alpha, atol=1e-8)


def test_how_small_batches_arrive_cannot_be_told_from_the_bits_even_where_k_is_nearly_singular():
    X, y, _ = observations(80)
    X = np.vstack([X, X[10:14], np.random.default_rng(3).random((36, 2))])
    y = np.concatenate([y, y[10:14], np.sin(np.arange(36.0))])
    posteriors = []
    for sizes in ([1] * 120, [120], [7, 40, 73]):
        gp, start = ExactGP(Kernel(RBF, np.array([2.0, 2.0]), variance=400.0), 0.0), 0
        for size in sizes:
            gp.append(X[start : start + size], y[start : start + size])
            start += size
        posteriors.append(np.concatenate(gp.mean_and_variance(X + 0.01)))
        assert gp.jitter > 0
    assert np.array_equal(posteriors[0], posteriors[1])
    assert np.array_equal(posteriors[0], posteriors[2])


def test_large_batches_agree_with_small_ones_to_1e_8():
    X, y, noise = observations(300)
    by_rows = ExactGP(KERNEL, NOISE)
    for start in range(0, 300, 100):
        rows = slice(start, start + 100)
        by_rows.append(X[rows], y[rows], noise[rows])
    X_new = np.random.default_rng(1).random((20, 2))
    for one, other in zip(told(300).mean_and_variance(X_new), by_rows.mean_and_variance(X_new), strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-8)


class Flaw:
    """A covariance that stops being one where x exceeds 1."""

    def matrix(self, A: np.ndarray, B: np.ndarray | None = None) -> np.ndarray:
        K = KERNEL.matrix(A, B)
        K[(A > 1).any(axis=1)] = np.nan
        return K

    def diagonal(self, A: np.ndarray) -> np.ndarray:
        return KERNEL.diagonal(A)

    def cross(self, A: np.ndarray, B: np.ndarray) -> CrossCovariance:
        return KERNEL.cross(A, B)


def test_a_batch_that_cannot_be_factorised_is_refused_whole():
    X, y, _ = observations(6)
    gp = ExactGP(Flaw(), NOISE)
    gp.append(X, y)
    before = gp.mean_and_variance(X)
    with pytest.raises(FactorisationError, match="expected a finite"):
        gp.append(np.array([[0.5, 0.5], [2.0, 0.5]]), np.zeros(2))
    assert len(gp) == 6
    for one, other in zip(before, gp.mean_and_variance(X), strict=True):
        assert np.array_equal(one, other)


def test_what_is_predicted_of_values_one_after_another_adds_up_to_their_evidence():
    X, y, noise = observations(25)
    gp, total = ExactGP(KERNEL, NOISE), 0.0
    for i in range(25):
        one = slice(i, i + 1)
        total += float(gp.log_predictive(X[one], y[one], noise[one])[0])
        gp.append(X[one], y[one], noise[one])
    assert total == pytest.approx(log_evidence(gp), abs=1e-9)


def test_what_the_others_say_of_a_value_is_what_a_process_says_that_was_never_told_it():
    X, y, noise = observations(12)
    off, variance = told(12).left_out()
    for i in range(12):
        others = np.arange(12) != i
        gp = ExactGP(KERNEL, NOISE)
        gp.append(X[others], y[others], noise[others])
        mean, of_function = gp.mean_and_variance(X[i : i + 1])
        assert off[i] == pytest.approx(y[i] - mean[0], abs=1e-9)
        assert variance[i] == pytest.approx(of_function[0] + NOISE + noise[i], abs=1e-9)


def test_gradients_of_mean_variance_and_deviation_are_the_derivatives():
    gp = told(30)
    X_new = np.random.default_rng(1).random((8, 2))
    found = gp.value_gradients(X_new)
    mean, variance = gp.mean_and_variance(X_new)
    assert np.allclose(found.mean, mean, rtol=1e-13, atol=1e-13)
    assert np.allclose(found.variance, variance, rtol=1e-13, atol=1e-13)
    for e in range(2):
        step = np.zeros(2)
        step[e] = 1e-6
        (mean_up, variance_up) = gp.mean_and_variance(X_new + step)
        (mean_down, variance_down) = gp.mean_and_variance(X_new - step)
        assert np.allclose(found.mean_gradient[:, e], (mean_up - mean_down) / 2e-6, atol=1e-6)
        assert np.allclose(found.variance_gradient[:, e], (variance_up - variance_down) / 2e-6, atol=1e-6)
        numeric = (np.sqrt(variance_up) - np.sqrt(variance_down)) / 2e-6
        assert np.allclose(found.deviation_gradient[:, e], numeric, atol=1e-6)


def test_before_any_observation_it_is_the_prior():
    gp = ExactGP(KERNEL, NOISE)
    found = gp.value_gradients(np.zeros((3, 2)))
    assert not found.mean.any()
    assert np.array_equal(found.variance, np.full(3, 1.3))
    assert not found.mean_gradient.any()
    assert gp.log_predictive(np.zeros((1, 2)), np.zeros(1))[0] == pytest.approx(
        -0.5 * math.log(2 * math.pi * 1.31)
    )


def test_hallucinating_shrinks_the_variance_keeps_the_mean_and_is_undone_to_the_bit():
    gp = told(12)
    X_new = np.random.default_rng(1).random((9, 2))
    mean, variance = gp.mean_and_variance(X_new)
    with gp.hallucinating(X_new[:4]):
        assert len(gp) == 16
        mean_within, variance_within = gp.mean_and_variance(X_new)
        assert np.allclose(mean_within, mean, atol=1e-9)
        assert (variance_within < variance).all()
        assert (variance_within[:4] < 0.011).all()
    assert len(gp) == 12
    for one, other in zip((mean, variance), gp.mean_and_variance(X_new), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("by_rows", [False, True])
@pytest.mark.parametrize("n", [100, 150, 190, 256])
def test_however_many_results_there_are_hallucinating_leaves_no_trace(n: int, by_rows: bool):
    X, y, noise = observations(n)
    gp = ExactGP(KERNEL, NOISE)
    for part in np.array_split(np.arange(n), n if by_rows else 1):
        gp.append(X[part], y[part], noise[part])
    X_new = np.random.default_rng(1).random((20, 2))
    before = gp.mean_and_variance(X_new)
    with gp.hallucinating(X_new[:3]):
        gp.mean_and_variance(X_new)
    after = gp.mean_and_variance(X_new)
    assert np.array_equal(before[0], after[0])
    assert np.array_equal(before[1], after[1])


def test_hallucinated_with_noise_of_its_own_a_point_is_known_as_far_as_a_value_with_it_would_tell():
    gp = told(12)
    x = np.random.default_rng(1).random((1, 2))
    mean, variance = gp.mean_and_variance(x)
    with gp.hallucinating(x, extra_noise=0.3):
        there_mean, there_variance = gp.mean_and_variance(x)
    assert there_mean == pytest.approx(mean, abs=1e-9)
    assert there_variance == pytest.approx(variance * (NOISE + 0.3) / (variance + NOISE + 0.3))


def test_hallucinated_without_noise_points_count_as_known():
    gp = told(12)
    X_new = np.random.default_rng(1).random((9, 2))
    mean, variance = gp.mean_and_variance(X_new)
    with gp.hallucinating(X_new[:4], without_noise=True):
        mean_within, variance_within = gp.mean_and_variance(X_new)
        assert np.allclose(mean_within, mean, atol=1e-9)
        assert (variance_within[:4] < 1e-8).all()
        assert (gp.noise_variances[-4:] == 0.0).all()
    for one, other in zip((mean, variance), gp.mean_and_variance(X_new), strict=True):
        assert np.array_equal(one, other)


def test_hallucinations_that_need_jitter_take_it_with_them():
    X, y, _ = observations(10)
    gp = ExactGP(KERNEL, noise_variance=0.0)
    gp.append(X, y)
    before = gp.mean_and_variance(X + 0.05)
    with gp.hallucinating(X[:3]):
        assert gp.jitter > 0
    assert gp.jitter == 0
    for one, other in zip(before, gp.mean_and_variance(X + 0.05), strict=True):
        assert np.array_equal(one, other)


def test_an_error_within_a_hallucination_still_undoes_it():
    gp = told(5)
    with pytest.raises(RuntimeError, match="inside"), gp.hallucinating(np.zeros((1, 2))):
        raise RuntimeError("inside")
    assert len(gp) == 5


def test_nothing_pending_is_nothing_hallucinated():
    gp = told(5)
    with gp.hallucinating(np.zeros((0, 2))):
        assert len(gp) == 5


@pytest.mark.parametrize("kernel", [KERNEL, Kernel(RBF, np.array([2.0, 2.0])), Kernel(MATERN_12, np.ones(2))])
def test_duplicated_inputs_without_noise_survive_and_the_jitter_is_reported(kernel):
    X, y, _ = observations(15)
    X, y = np.vstack([X, X, X[:3]]), np.concatenate([y, y, y[:3]])
    at_once, by_rows = ExactGP(kernel, 0.0), ExactGP(kernel, 0.0)
    at_once.append(X, y)
    for i in range(len(y)):
        by_rows.append(X[i : i + 1], y[i : i + 1])
    assert at_once.jitter == by_rows.jitter >= FIRST_JITTER * kernel.variance
    mean, variance = by_rows.mean_and_variance(X)
    assert np.abs(mean - y).max() < 0.05
    assert (variance > 0).all()
    assert np.isfinite(by_rows.value_gradients(X).deviation_gradient).all()
    # Weights reach 1e7 here: means agree to what remains of sixteen digits.
    assert np.allclose(mean, at_once.mean_and_variance(X)[0], atol=1e-5)


@pytest.mark.parametrize(
    ("X", "y", "noise"),
    [
        (np.zeros((2, 2)), np.zeros(3), None),
        (np.zeros((2, 3)), np.zeros(2), None),
        (np.zeros((1, 2)), np.array([np.nan]), None),
        (np.array([[np.inf, 0.0]]), np.zeros(1), None),
        (np.zeros((1, 2)), np.zeros(1), np.array([-1.0])),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_learned(X, y, noise):
    gp = told(6)
    with pytest.raises(ValueError, match=r"go together|finite"):
        gp.append(X, y, noise)
    assert len(gp) == 6


@pytest.mark.parametrize("magnitude", [1e-12, 1e12])
def test_values_of_any_magnitude_are_carried(magnitude):
    X, y, _ = observations(20)
    gp = ExactGP(Kernel(RBF, np.array([0.3, 0.3]), variance=magnitude**2), NOISE * magnitude**2)
    gp.append(X, y * magnitude)
    assert gp.jitter == 0
    assert np.abs(gp.mean_and_variance(X)[0] / magnitude - y).max() < 1.0
