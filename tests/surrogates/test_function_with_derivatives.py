"""A function's values and derivatives together, against finite differences and dense algebra."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import MATERN_32, MATERN_52, RBF, KernelFamily
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.with_derivatives import (
    WithDerivatives,
    rows_of_derivatives,
    rows_of_values,
)
from orchestrator.surrogates.evidence.with_derivatives import (
    DerivativeData,
    evidence_with_derivatives,
    values_foretold,
)
from orchestrator.surrogates.posteriors.with_derivatives import DerivativeGP

E = 3
SCALES = np.array([0.3, 0.7, 1.2])
FAMILIES = pytest.mark.parametrize("family", [RBF, MATERN_52], ids=lambda one: one.name)


def rows_at(X: FloatArray) -> FloatArray:
    each = [[rows_of_values(x[None, :]), rows_of_derivatives(x, np.arange(E))] for x in X]
    return np.vstack([row for pair in each for row in pair])


def data_of(points: int) -> DerivativeData:
    rng = np.random.default_rng(points)
    rows = rows_at(rng.random((points, E)))
    y, results = rng.standard_normal(len(rows)), np.repeat(np.arange(points), 1 + E)
    return DerivativeData(rows, y, results, np.zeros(len(rows)), np.arange(E))


def differenced(kernel: Kernel, one: FloatArray, other: FloatArray, step: float = 1e-4) -> float:
    """The covariance of two rows, by differences of that of values."""
    a, b = [row[None, :-1] for row in (one, other)]

    def by_first(there: FloatArray) -> float:
        if one[-1] < 0:
            return float(kernel.matrix(a, there)[0, 0])
        h = step * np.eye(E)[int(one[-1])]
        return float((kernel.matrix(a + h, there) - kernel.matrix(a - h, there))[0, 0] / (2.0 * step))

    if other[-1] < 0:
        return by_first(b)
    h = step * np.eye(E)[int(other[-1])]
    return (by_first(b + h) - by_first(b - h)) / (2.0 * step)


@FAMILIES
def test_covariances_of_derivatives_are_those_of_differences(family: KernelFamily) -> None:
    rows = data_of(3).rows
    kernel = WithDerivatives(family, SCALES, 1.7)
    expected = [[differenced(Kernel(family, SCALES, 1.7), a, b) for b in rows] for a in rows]
    assert np.allclose(kernel.matrix(rows), expected, atol=1e-4)
    assert np.allclose(np.diagonal(kernel.matrix(rows)), kernel.diagonal(rows), rtol=1e-12)


def test_a_rough_kernel_has_no_derivatives_to_observe() -> None:
    with pytest.raises(ValueError, match="Matern 5/2 or an RBF"):
        WithDerivatives(MATERN_32, SCALES).matrix(data_of(1).rows)


@FAMILIES
def test_the_evidence_has_the_gradient_of_its_differences(family: KernelFamily) -> None:
    data, theta = data_of(4), np.log([*SCALES, 1.7, 0.1, 0.05])

    def at(theta: FloatArray) -> tuple[float, list[float]]:
        kernel = WithDerivatives(family, np.exp(theta[:E]), float(np.exp(theta[E])))
        found = evidence_with_derivatives(kernel, data, *np.exp(theta[E + 1 :]))
        slopes = [*found.by_length_scale, found.by_variance, found.by_noise, found.by_ratio]
        return found.value, slopes

    steps = 1e-5 * np.eye(len(theta))
    differences = [(at(theta + h)[0] - at(theta - h)[0]) / 2e-5 for h in steps]
    assert np.allclose(at(theta)[1], differences, rtol=1e-5, atol=1e-6)


@FAMILIES
def test_what_is_believed_is_dense_algebra_and_has_its_gradients(family: KernelFamily) -> None:
    data, kernel = data_of(5), WithDerivatives(family, SCALES, 1.7)
    noise = data.noise_variances(kernel, 1e-3, 1e-2)
    process = DerivativeGP(kernel)
    process.append(data.rows, data.y, noise)
    X = np.random.default_rng(9).random((4, E))
    cross = kernel.matrix(rows_of_values(X), data.rows)
    inverse = np.linalg.inv(kernel.matrix(data.rows) + np.diag(noise))
    mean, variance = process.mean_and_variance(X)
    assert np.allclose(mean, cross @ inverse @ data.y, atol=1e-8)
    assert np.allclose(variance, 1.7 - np.einsum("ij,jk,ik->i", cross, inverse, cross), atol=1e-8)
    at = process.value_gradients(X)
    for e in range(E):
        h = 1e-6 * np.eye(E)[e]
        above, below = process.mean_and_variance(X + h), process.mean_and_variance(X - h)
        assert np.allclose(at.mean_gradient[:, e], (above[0] - below[0]) / 2e-6, atol=1e-4)
        assert np.allclose(at.variance_gradient[:, e], (above[1] - below[1]) / 2e-6, atol=1e-4)


def test_learned_one_by_one_and_together_it_is_the_same() -> None:
    data, kernel = data_of(40), WithDerivatives(MATERN_52, SCALES)
    noise = data.noise_variances(kernel, 1e-4, 1e-4)
    together, each = DerivativeGP(kernel), DerivativeGP(kernel)
    together.append(data.rows, data.y, noise)
    for i in range(0, len(data.y), 7):
        each.append(data.rows[i : i + 7], data.y[i : i + 7], noise[i : i + 7])
    X = np.random.default_rng(1).random((5, E))
    for one, other in zip(together.mean_and_variance(X), each.mean_and_variance(X), strict=True):
        assert np.allclose(one, other, atol=1e-8, rtol=1e-8)


def test_points_believed_to_come_out_as_expected_leave_the_mean_and_make_it_surer() -> None:
    data, kernel = data_of(4), WithDerivatives(RBF, SCALES)
    process = DerivativeGP(kernel)
    process.append(data.rows, data.y, data.noise_variances(kernel, 1e-3, 1e-2))
    X = np.random.default_rng(2).random((3, E))
    beside = process.believing(X[:1], np.arange(E), 1e-3, 1e-2)
    assert np.allclose(beside.mean_and_variance(X)[0], process.mean_and_variance(X)[0], atol=1e-7)
    assert (beside.mean_and_variance(X)[1] < process.mean_and_variance(X)[1]).all()
    assert len(process) == len(data.y)


def test_how_well_values_are_foretold_is_what_leaving_each_result_out_says() -> None:
    data, kernel = data_of(4), WithDerivatives(RBF, SCALES)
    noise, total = data.noise_variances(kernel, 0.05, 0.1), 0.0
    for result in range(4):
        others = data.results != result
        process = DerivativeGP(kernel)
        process.append(data.rows[others], data.y[others], noise[others])
        first = np.flatnonzero(~others)[0]
        mean, variance = process.mean_and_variance(data.rows[first : first + 1, :-1])
        spread = float(variance[0]) + 0.05
        total -= 0.5 * ((data.y[first] - mean[0]) ** 2 / spread + np.log(2.0 * np.pi * spread))
    assert values_foretold(kernel, data, 0.05, 0.1) == pytest.approx(total, rel=1e-8)
