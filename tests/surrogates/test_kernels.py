"""Kernels against their definitions, gradients against differences, spectra against the kernels."""

import math
import tracemalloc

import numpy as np
import pytest
from scipy import special

from orchestrator.surrogates.covariances.kernel_families import (
    MATERN_12,
    MATERN_32,
    MATERN_52,
    RBF,
    KernelFamily,
)
from orchestrator.surrogates.covariances.kernels import Kernel

FAMILIES = [RBF, MATERN_12, MATERN_32, MATERN_52, KernelFamily(0.8), KernelFamily(1.2), KernelFamily(7.5)]
FAMILIES += [KernelFamily(4 + (D + 1) / 2) for D in (3, 40)]
each_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    return rng.random((7, 3)), rng.random((5, 3))


def a_kernel(family: KernelFamily) -> Kernel:
    return Kernel(family, np.array([0.3, 0.7, 2.0]), variance=1.7)


def test_the_closed_forms_are_the_textbook_ones():
    r = np.array([0.0, 0.01, 0.5, 1.0, 3.0])
    assert np.allclose(RBF.correlation(r**2), np.exp(-(r**2) / 2))
    assert np.allclose(MATERN_12.correlation(r**2), np.exp(-r))
    a, b = math.sqrt(3) * r, math.sqrt(5) * r
    assert np.allclose(MATERN_32.correlation(r**2), (1 + a) * np.exp(-a))
    assert np.allclose(MATERN_52.correlation(r**2), (1 + b + b**2 / 3) * np.exp(-b))


@pytest.mark.parametrize("nu", [0.2, 1.0, 2.5, 6.0, 9.5, 15.5])
def test_any_nu_agrees_with_the_bessel_formula(nu):
    r = np.array([0.05, 0.5, 1.0, 3.0])
    z = math.sqrt(2 * nu) * r
    expected = 2 ** (1 - nu) / math.gamma(nu) * z**nu * special.kv(nu, z)
    assert np.allclose(KernelFamily(nu).correlation(r**2), expected, rtol=1e-9)


@each_family
def test_correlation_and_slope_together_are_the_two_apart(family):
    squared = np.concatenate([[0.0], np.logspace(-12, 3, 200)])
    correlation, slope = family.correlation_and_slope(squared)
    np.testing.assert_allclose(correlation, family.correlation(squared), rtol=1e-14)
    np.testing.assert_allclose(slope, family.slope(squared), rtol=1e-14)


@pytest.mark.parametrize("nu", [0.1, 1.0, 3.0, 21.5, 54.5, 120.3, 300.0, 500.0])
def test_any_nu_is_stable_from_coincident_to_infinitely_far(nu):
    squared = np.concatenate([[0.0], np.logspace(-300, 12, 4000)])
    correlation, slope = KernelFamily(nu).correlation(squared), KernelFamily(nu).slope(squared)
    assert correlation[0] == 1.0
    assert correlation[-1] == 0.0
    assert np.isfinite(slope).all()
    assert (slope <= 0).all()
    assert np.all(np.diff(correlation) <= 1e-11)


def test_a_very_smooth_matern_is_nearly_the_rbf():
    squared = np.linspace(0, 9, 50)
    assert np.allclose(KernelFamily(500).correlation(squared), RBF.correlation(squared), atol=1e-3)


@pytest.mark.parametrize("nu", [0.0, -1.0, 501.0, math.nan])
def test_a_nu_that_makes_no_kernel_is_refused(nu):
    with pytest.raises(ValueError, match="nu must lie in"):
        KernelFamily(nu)


@pytest.mark.parametrize("scales", [np.array([1.0, 0.0]), np.array([np.nan]), np.array(1.0)])
def test_length_scales_must_be_a_positive_vector(scales):
    with pytest.raises(ValueError, match="length-scales"):
        Kernel(RBF, scales)


@each_family
def test_the_matrix_is_a_covariance(family, points):
    A, B = points
    kernel = a_kernel(family)
    K = kernel.matrix(A)
    assert np.allclose(K, K.T)
    assert np.array_equal(np.diagonal(K), kernel.diagonal(A))
    assert np.linalg.eigvalsh(K).min() > -1e-10
    assert np.array_equal(kernel.matrix(A, B)[2:4], kernel.matrix(A[2:4], B))


def gradient_first(kernel: Kernel, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """(n, m, E): d k(A_i, B_j) / d A_ie, a weight of one on each column in turn."""
    each = np.broadcast_to(np.eye(len(B))[:, None], (len(B), len(A), len(B)))
    return kernel.cross(A, B).weighted_gradient(each).swapaxes(0, 1)


@each_family
def test_gradients_in_the_inputs_are_the_derivatives(family, points):
    A, B = points
    kernel = a_kernel(family)
    gradient = gradient_first(kernel, A, B)
    for e in range(3):
        step = np.zeros(3)
        step[e] = 1e-6
        numeric = (kernel.matrix(A + step, B) - kernel.matrix(A - step, B)) / 2e-6
        assert np.allclose(gradient[:, :, e], numeric, atol=1e-6)
    W = np.random.default_rng(1).standard_normal((7, 5))
    assert np.allclose(kernel.cross(A, B).weighted_gradient(W), np.einsum("nm,nme->ne", W, gradient))


@each_family
def test_gradients_in_the_length_scales_are_the_derivatives(family, points):
    A = np.vstack([points[0], points[0][:1]])
    W = np.random.default_rng(2).standard_normal((8, 8))
    kernel = a_kernel(family)
    by_scale = kernel.length_scale_gradient(A, W, kernel.squared_distances(A))

    def total(scales):
        return float(np.sum(W * Kernel(family, scales, kernel.variance).matrix(A)))

    for e in range(3):
        up, down = kernel.length_scales.copy(), kernel.length_scales.copy()
        up[e] *= math.exp(1e-5)
        down[e] *= math.exp(-1e-5)
        assert by_scale[e] == pytest.approx((total(up) - total(down)) / 2e-5, abs=1e-6)


@each_family
def test_random_features_approach_the_kernel_as_their_number_grows(family, points):
    A, _ = points
    kernel = a_kernel(family)
    K = kernel.matrix(A)
    errors = []
    for count in (200, 80_000):
        frequencies = kernel.spectral_frequencies(count, np.random.default_rng(3))
        assert frequencies.shape == (count, 3)
        phase = A @ frequencies.T
        features = np.hstack([np.cos(phase), np.sin(phase)]) * math.sqrt(kernel.variance / count)
        errors.append(np.abs(features @ features.T - K).max())
    assert errors[1] < 0.03
    assert errors[1] < errors[0]


@each_family
def test_duplicated_inputs_have_no_gradient_and_full_covariance(family):
    A = np.full((2, 3), 0.1) / 3.0
    kernel = a_kernel(family)
    assert np.array_equal(kernel.matrix(A), np.full((2, 2), 1.7))
    assert np.array_equal(gradient_first(kernel, A, A), np.zeros((2, 2, 3)))


def test_families_are_named_as_people_write_them():
    assert [family.name for family in (RBF, MATERN_12, MATERN_52, KernelFamily(1.2))] == [
        "rbf",
        "matern-1/2",
        "matern-5/2",
        "matern-1.2",
    ]


@each_family
def test_what_is_computed_of_distances_leaves_them_as_they_are(family):
    told = np.array([[0.0, 0.3], [1.0, 40.0]])
    squared = told.copy()
    for computed in (family.correlation, family.slope, family.correlation_and_slope):
        computed(squared)
        assert np.array_equal(squared, told)


@each_family
def test_a_single_distance_is_as_good_as_many(family):
    many = family.correlation(np.array([0.0, 0.3, 2.0]))
    assert [float(family.correlation(np.array(s))) for s in (0.0, 0.3, 2.0)] == list(many)


@pytest.mark.parametrize(("family", "arrays"), [(RBF, 1), (MATERN_12, 2), (MATERN_32, 3), (MATERN_52, 3)])
def test_covariances_take_room_for_few_arrays_at_once(family, arrays):
    """It was twice as many, and of large ones a third of the time went into having them."""
    squared = np.random.default_rng(0).random((300, 400))
    kernel = a_kernel(family)
    tracemalloc.start()
    kernel.of_squared(squared)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < (arrays + 0.2) * squared.nbytes
