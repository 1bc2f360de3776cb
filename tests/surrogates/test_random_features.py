"""The random-feature posterior: recursions against the batch formulas of the paper, gradients, draws."""

import math

import numpy as np
import pytest

from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

KERNEL = Kernel(MATERN_52, np.array([0.3, 0.8, 0.5]), 1.7)


def features(count: int = 50, kernel: Kernel = KERNEL) -> FourierFeatures:
    return FourierFeatures(kernel.spectral_frequencies(count, np.random.default_rng(1)))


def data(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    X = rng.random((n, 3))
    return X, np.sin(4 * X.sum(1)) + 0.1 * rng.standard_normal(n), 0.05 * rng.random(n)


def prior(noise: float = 1e-4) -> RandomFeatureModel:
    return RandomFeatureModel.prior(features(), 1.7, noise)


def test_features_approach_the_kernel_as_their_number_grows():
    X = np.random.default_rng(0).random((8, 3))
    for family in (RBF, MATERN_52):
        kernel = Kernel(family, np.array([0.3, 0.8, 0.5]), 1.0)
        phi = features(200_000, kernel).values(X)
        assert np.allclose(phi @ phi.T, kernel.matrix(X), atol=0.02)


def test_after_two_thousand_updates_the_recursion_is_the_batch_of_equation_17():
    X, y, reported = data(2000)
    model = prior()
    for x, value, variance in zip(X, y, reported, strict=True):
        model, _ = model.condition(x, value, variance)
    batch = prior().condition_on_batch(X, y, reported)
    phi = features().values(X)
    weights = 1 / (1e-4 + reported)
    precision = (phi.T * weights) @ phi + np.eye(100) / 1.7
    mean = np.linalg.solve(precision, phi.T @ (weights * y))
    X_new = np.random.default_rng(5).random((20, 3))
    phi_new = features().values(X_new)
    variance = np.einsum("ij,ji->i", phi_new, np.linalg.solve(precision, phi_new.T))
    for posterior in (model, batch):
        assert np.allclose(posterior.mean_weights, mean, atol=1e-8)
        got_mean, got_variance = posterior.mean_and_variance(X_new)
        assert np.allclose(got_mean, phi_new @ mean, atol=1e-8)
        assert np.allclose(got_variance, variance, rtol=1e-8)
    assert model.log_evidence == pytest.approx(batch.log_evidence, abs=1e-6)


def test_the_evidence_is_that_of_the_gaussian_it_describes_and_the_sum_of_predictive_densities():
    X, y, reported = data(40)
    phi = features().values(X)
    K = 1.7 * phi @ phi.T + np.diag(1e-4 + reported)
    dense = -0.5 * (y @ np.linalg.solve(K, y) + np.linalg.slogdet(2 * math.pi * K)[1])
    model, densities = prior(), 0.0
    for x, value, variance in zip(X, y, reported, strict=True):
        model, density = model.condition(x, value, variance)
        densities += density
    assert model.log_evidence == pytest.approx(dense, abs=1e-7)
    assert densities == pytest.approx(dense, abs=1e-7)


@pytest.mark.parametrize("count", [1, 3, 7])
def test_a_handful_of_features_learns_as_well(count: int):
    X, y, reported = data(5)
    start = RandomFeatureModel.prior(features(count), 1.7, 1e-4)
    model = start
    for x, value, variance in zip(X, y, reported, strict=True):
        model, _ = model.condition(x, value, variance)
    batch = start.condition_on_batch(X, y, reported)
    assert np.allclose(model.mean_weights, batch.mean_weights, atol=1e-8)


def test_tiny_noise_and_duplicated_inputs_leave_the_recursion_sound():
    X, y, _ = data(300)
    X[1::2] = X[::2]
    y[1::2] = y[::2]
    model = prior(1e-10)
    for x, value in zip(X, y, strict=True):
        model, density = model.condition(x, value)
        assert math.isfinite(density)
    batch = prior(1e-10).condition_on_batch(X, y)
    assert np.allclose(model.mean_and_variance(X)[0], batch.mean_and_variance(X)[0], atol=1e-6)


def test_gradients_agree_with_finite_differences():
    X, y, _ = data(25)
    model = prior(1e-2).condition_on_batch(X, y)
    drawn = model.draw(np.random.default_rng(0))
    points = np.random.default_rng(3).random((6, 3))
    at = model.value_gradients(points)
    values, slopes = drawn.values_and_gradients(points)
    assert np.allclose(values, drawn.values(points), atol=1e-12)
    for e in range(3):
        step = np.zeros(3)
        step[e] = 1e-6
        up, down = model.mean_and_variance(points + step), model.mean_and_variance(points - step)
        assert np.allclose(at.mean_gradient[:, e], (up[0] - down[0]) / 2e-6, atol=1e-5)
        assert np.allclose(at.variance_gradient[:, e], (up[1] - down[1]) / 2e-6, atol=1e-5)
        rise = (drawn.values(points + step) - drawn.values(points - step)) / 2e-6
        assert np.allclose(slopes[:, e], rise, atol=1e-5)
    mean, variance = model.mean_and_variance(points)
    assert np.allclose(at.mean, mean, atol=1e-10)
    assert np.allclose(at.variance, variance, atol=1e-10)


def test_drawn_functions_have_the_posteriors_mean_and_variance():
    X, y, _ = data(15)
    model = prior(1e-2).condition_on_batch(X, y)
    points = np.random.default_rng(4).random((5, 3))
    rng = np.random.default_rng(0)
    draws = np.array([model.draw(rng).values(points) for _ in range(4000)])
    mean, variance = model.mean_and_variance(points)
    assert np.allclose(draws.mean(axis=0), mean, atol=4 * np.sqrt(variance / 4000))
    assert np.allclose(draws.var(axis=0), variance, rtol=0.15)


def test_a_hallucinated_point_shrinks_the_variance_there_and_moves_no_mean():
    X, y, _ = data(15)
    model = prior(1e-2).condition_on_batch(X, y)
    pending = np.array([[0.9, 0.1, 0.9], [0.2, 0.2, 0.2]])
    believed = model.hallucinated(pending)
    points = np.vstack([pending, np.random.default_rng(4).random((5, 3))])
    before, after = model.mean_and_variance(points), believed.mean_and_variance(points)
    assert np.allclose(before[0], after[0], atol=1e-9)
    assert np.all(after[1] <= before[1] + 1e-12)
    assert np.all(after[1][:2] < 0.5 * before[1][:2])


def test_a_point_hallucinated_with_noise_of_its_own_is_known_as_far_as_a_value_with_it_would_tell():
    X, y, _ = data(15)
    model = prior(1e-2).condition_on_batch(X, y)
    x = np.array([[0.9, 0.1, 0.9]])
    mean, variance = model.mean_and_variance(x)
    there_mean, there_variance = model.hallucinated(x, extra_noise=0.3).mean_and_variance(x)
    assert there_mean == pytest.approx(mean, abs=1e-9)
    assert there_variance == pytest.approx(variance * 0.31 / (variance + 0.31))


def test_conditioning_leaves_the_model_it_started_from_alone():
    X, y, _ = data(5)
    model = prior().condition_on_batch(X[:4], y[:4])
    triangle = model.triangle.copy()
    model.condition(X[4], y[4])
    model.hallucinated(X)
    assert np.array_equal(model.triangle, triangle)


def test_what_was_learned_comes_back_from_bytes_to_the_bit():
    X, y, reported = data(40)
    model = prior().condition_on_batch(X[:30], y[:30], reported[:30])
    again = prior().restored(model.to_bytes())
    assert again.log_evidence == model.log_evidence
    for x, value in zip(X[30:], y[30:], strict=True):
        (model, density), (again, same) = model.condition(x, value), again.condition(x, value)
        assert density == same
    assert np.array_equal(model.mean_weights, again.mean_weights)
    with pytest.raises(ValueError, match="bytes of a model with 100 features, got 3"):
        prior().restored(b"123")
