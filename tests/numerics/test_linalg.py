"""The Cholesky factor against dense linear algebra, and its growth against factorising anew."""

import numpy as np
import pytest

from orchestrator.numerics import linalg
from orchestrator.numerics.growing_factor import GrowingFactor


def covariance(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.random((n, n + 3))
    return X @ X.T + 0.1 * np.eye(n)


def test_a_well_conditioned_matrix_is_factorised_without_jitter():
    A = covariance(300)
    factor = linalg.cholesky(A)
    assert factor.jitter == 0.0
    assert np.allclose(factor.lower @ factor.lower.T, A, atol=1e-9)
    assert np.array_equal(factor.lower, np.tril(factor.lower))
    assert factor.lower.flags.c_contiguous


def test_solves_inverse_and_determinant_agree_with_dense_algebra():
    A = covariance(150)
    B = np.random.default_rng(1).random((150, 4))
    factor = linalg.cholesky(A)
    assert np.allclose(factor.solve(B), np.linalg.solve(A, B), atol=1e-9)
    assert np.allclose(factor.solve(B[:, 0]), np.linalg.solve(A, B[:, 0]), atol=1e-9)
    assert np.allclose(factor.half_solve(B).T @ factor.half_solve(B), B.T @ np.linalg.solve(A, B))
    assert np.allclose(factor.inverse() @ A, np.eye(150), atol=1e-9)
    assert np.array_equal(factor.inverse_above(), np.triu(factor.inverse()))
    assert factor.log_determinant == pytest.approx(np.linalg.slogdet(A)[1])


def test_a_singular_matrix_gets_the_least_jitter_that_works_and_says_so():
    A = 4.0 * np.ones((6, 6))
    factor = linalg.cholesky(A)
    assert factor.jitter == pytest.approx(linalg.FIRST_JITTER * 4.0)
    assert np.allclose(factor.lower @ factor.lower.T, A + factor.jitter * np.eye(6))


def test_jitter_grows_by_tens_for_a_matrix_further_from_positive_definite():
    eigenvectors = np.linalg.qr(np.random.default_rng(2).standard_normal((5, 5)))[0]
    A = eigenvectors @ np.diag([1.0, 1.0, 1.0, 1.0, -3e-6]) @ eigenvectors.T
    assert linalg.cholesky(A, scale=1.0).jitter == pytest.approx(1e-5)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.array([[1.0, 2.0], [2.0, 1.0]]), "not positive definite"),
        (np.array([[1.0, np.nan], [np.nan, 1.0]]), "expected a finite"),
        (np.array([[np.inf, 0.0], [0.0, 1.0]]), "expected a finite"),
        (np.zeros((3, 3)), "not positive definite"),
    ],
)
def test_what_is_no_covariance_is_refused_in_words(matrix, words):
    with pytest.raises(linalg.FactorisationError, match=words):
        linalg.cholesky(matrix)


def test_nothing_can_be_factorised_and_solved():
    factor = linalg.cholesky(np.zeros((0, 0)))
    assert factor.log_determinant == 0.0
    assert factor.solve(np.zeros((0, 3))).shape == (0, 3)
    assert factor.inverse().shape == (0, 0)


def test_appended_rows_equal_factorising_anew():
    A = covariance(60)
    whole = linalg.cholesky(A).lower
    part = linalg.cholesky(A[:50, :50]).lower
    rows = linalg.append_rows(part, A[:50, 50:], A[50:, 50:])
    assert rows is not None
    assert np.allclose(rows, whole[50:], atol=1e-10)


def test_a_factor_grown_row_by_row_solves_like_one_made_at_once():
    A = covariance(400)
    growing = GrowingFactor(linalg.cholesky(A[:3, :3]), scale=float(np.diagonal(A).mean()))
    for n in range(3, 400):
        assert growing.append(A[:n, n : n + 1], A[n : n + 1, n : n + 1])
    whole = linalg.cholesky(A)
    B = np.random.default_rng(5).random((400, 3))
    assert np.allclose(growing.lower, whole.lower, atol=1e-9)
    assert np.allclose(growing.half_solve_transposed(growing.half_solve(B)), whole.solve(B), atol=1e-8)


def test_a_growing_factor_shrinks_back_to_the_bit():
    A = covariance(30)
    growing = GrowingFactor(linalg.cholesky(A[:20, :20]), scale=1.0)
    before = growing.lower.copy()
    growing.append(A[:20, 20:], A[20:, 20:])
    growing.drop(10)
    assert np.array_equal(growing.lower, before)
    with pytest.raises(ValueError, match="cannot drop"):
        growing.drop(21)


def test_a_growing_factor_solves_with_the_rows_it_has_now():
    A = covariance(30)
    other = A.copy()
    other[:20, 20:] *= 0.5
    other[20:, :20] *= 0.5
    growing = GrowingFactor(linalg.cholesky(A[:20, :20]), scale=1.0)
    for whole in (A, other, A):
        assert growing.append(whole[:20, 20:], whole[20:, 20:])
        solved = growing.half_solve_transposed(growing.half_solve(np.eye(30)))
        assert np.allclose(whole @ solved, np.eye(30), atol=1e-9)
        growing.drop(10)
        solved = growing.half_solve_transposed(growing.half_solve(np.eye(20)))
        assert np.allclose(A[:20, :20] @ solved, np.eye(20), atol=1e-9)


def test_a_row_that_would_need_jitter_is_declined_and_changes_nothing():
    growing = GrowingFactor(linalg.cholesky(np.eye(2)), scale=1.0)
    assert not growing.append(np.array([[1.0], [0.0]]), np.array([[1.0]]))
    assert not growing.append(np.array([[2.0], [0.0]]), np.array([[1.0]]))
    assert np.array_equal(growing.lower, np.eye(2))


@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_rows_are_taken_where_every_pivot_is_more_than_rounding_leaves_at_that_scale(scale):
    growing = GrowingFactor(linalg.cholesky(scale * np.eye(2)), scale)
    floor = linalg.PIVOT_FLOOR * scale
    assert not growing.append(np.zeros((2, 2)), np.diag([scale, 0.1 * floor]))
    assert len(growing) == 2
    assert growing.append(np.zeros((2, 2)), np.diag([scale, 10.0 * floor]))
    assert len(growing) == 4


def test_what_a_factor_grows_by_gets_the_jitter_that_it_was_begun_with():
    A = np.diag([1.0, 1.0, -3e-6, 1.0])
    growing = GrowingFactor(linalg.cholesky(A[:3, :3], scale=1.0), scale=1.0)
    assert growing.append(A[:3, 3:], A[3:, 3:])
    assert np.allclose(growing.lower @ growing.lower.T, A + 1e-5 * np.eye(4), rtol=0, atol=1e-12)


def test_a_right_hand_side_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="right-hand side"):
        linalg.solve_lower(np.eye(3), np.zeros(4))


def test_many_are_factorised_at_once_as_each_would_be_by_itself():
    matrices = np.array([covariance(20, seed) for seed in range(5)])
    found = linalg.cholesky_each(matrices, 1.0)
    for lower, matrix in zip(found, matrices, strict=True):
        assert np.array_equal(lower, np.tril(lower))
        assert np.allclose(lower @ lower.T, matrix, atol=1e-8)
        assert np.allclose(lower, linalg.cholesky(matrix).lower, atol=1e-8)


def test_one_that_rounding_left_a_little_negative_has_all_of_them_jittered_a_little():
    off = np.diag([4.0, 4.0, -1e-7])
    found = linalg.cholesky_each(np.array([4.0 * np.eye(3), off]), 4.0)
    assert np.isfinite(found).all()
    for lower, matrix in zip(found, (4.0 * np.eye(3), off), strict=True):
        assert np.allclose(lower @ lower.T, matrix, atol=1e-6)


def test_one_that_is_no_covariance_matrix_is_refused_among_others():
    for wrong in (np.diag([1.0, -1.0]), np.full((2, 2), np.nan)):
        with pytest.raises(linalg.FactorisationError):
            linalg.cholesky_each(np.array([np.eye(2), wrong]), 1.0)
    assert linalg.cholesky_each(np.zeros((0, 3, 3)), 1.0).shape == (0, 3, 3)
