"""Multiples of a known function with detail besides: kernel, evidence, functions drawn."""

import numpy as np
import pytest
from drawn_gradients import require_drawn_gradients
from evidence_stories import require_exact, require_gradient
from scipy.optimize import approx_fprime

from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.draws.related_functions import RelatedFunctions
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.fits.pair_model import fit_kernel
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.hyperparameters.related import RelatedHyperparameters, RelatedModel
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs
from orchestrator.surrogates.posteriors.exact import ExactGP

OWNERS = np.arange(3)
RNG = np.random.default_rng(0)
A, B = RNG.random((6, 3)), RNG.random((5, 3))
DETAIL = Hyperparameters((0.3, 0.7, 1.5), 0.2, 1e-4)


def known_function(seed, columns=(0, 1, 2), n=40):
    """The mean of a process that was told waves of a few parameters."""
    rng, columns = np.random.default_rng(seed), np.array(columns)
    inputs = rng.random((n, len(columns)))
    gp = ExactGP(Kernel(RBF, np.full(len(columns), 0.4)), 1e-3)
    gp.append(inputs, np.sin(6.0 * inputs[:, 0] + seed))
    return PosteriorMean(gp.covariance, inputs, gp.alpha, columns)


KNOWN = (known_function(1), known_function(2, (0, 2)))


def kernel():
    return RelatedHyperparameters(DETAIL, (1.3, 0.4)).kernel(MATERN_52, OWNERS, KNOWN)


def evidence(y, X, known=KNOWN, noise=1e-4, shared=True):
    pairs = PairwiseData.of(Data(X, y, OWNERS))
    scaled = ScaledPairs(pairs.squared, RBF, shared, noise)
    return KernelEvidence(pairs, RelatedModel(scaled, np.array([m.values(X) for m in known])))


def test_a_known_function_is_the_mean_of_its_process_and_0_far_from_what_that_was_told():
    gp = ExactGP(Kernel(RBF, np.full(2, 0.2)), 1e-3)
    gp.append(B[:, :2], np.sin(B[:, 0]) + 3.0)
    known = PosteriorMean(gp.covariance, B[:, :2], gp.alpha, np.array([0, 1]))
    np.testing.assert_allclose(known.values(A), gp.mean_at(A[:, :2]), rtol=1e-10)
    assert known.values(A + 50.0) == pytest.approx(0.0)


def test_its_covariances_are_of_multiples_and_levels_and_of_the_detail():
    expected = DETAIL.kernel(MATERN_52, OWNERS).matrix(A, B)
    for known, variance in zip(KNOWN, (1.3, 0.4), strict=True):
        expected = expected + variance * (1.0 + np.outer(known.values(A), known.values(B)))
    np.testing.assert_allclose(kernel().matrix(A, B), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel().cross(A, B).values, expected, rtol=1e-12)
    np.testing.assert_allclose(np.diagonal(kernel().matrix(A)), kernel().diagonal(A), rtol=1e-12)


def test_a_matrix_built_row_by_row_is_the_same_to_the_bit():
    own = kernel()
    assert np.array_equal(np.vstack([own.matrix(a[None], B) for a in A]), own.matrix(A, B))
    assert np.array_equal(own.matrix(A), own.matrix(A, A))


def test_its_gradients_agree_with_finite_differences():
    own, W = kernel(), RNG.standard_normal((2, 6, 5))
    found, along = own.cross(A, B).weighted_gradient(W), own.diagonal_gradient(A)
    for i, a in enumerate(A):
        for weights, gradients in zip(W, found, strict=True):
            slope = approx_fprime(a, lambda x, w=weights[i]: own.matrix(x[None], B)[0] @ w, 1e-7)
            np.testing.assert_allclose(gradients[i], slope, atol=1e-4)
        slope = approx_fprime(a, lambda x: own.diagonal(x[None])[0], 1e-7)
        np.testing.assert_allclose(along[i], slope, atol=1e-4)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("noise", [None, 1e-4])
def test_the_evidence_has_the_gradient_that_finite_differences_see(shared, noise):
    X = RNG.random((15, 3))
    require_gradient(evidence(np.cos(5.0 * X[:, 0]), X, noise=noise, shared=shared))


def test_the_evidence_is_that_of_an_exact_process():
    X = RNG.random((15, 3))
    y = np.cos(5.0 * X[:, 0])
    require_exact(evidence(y, X), Data(X, y, OWNERS), RBF, 1e-4, KNOWN)


def test_what_hyperparameters_write_is_read_to_the_bit():
    own = RelatedHyperparameters(DETAIL, (1.3, 0.1 + 0.2))
    assert RelatedHyperparameters.from_json(own.to_json()) == own


def test_hyperparameters_are_laid_out_as_the_search_has_them_and_read_back():
    scaled = ScaledPairs(PairwiseData.of(Data(A, A[:, 0], OWNERS)).squared, RBF, False, None)
    model = RelatedModel(scaled, np.array([m.values(A) for m in KNOWN]))
    own = RelatedHyperparameters(DETAIL, (1.3, 0.4))
    np.testing.assert_allclose(np.exp(model.theta(own)), [0.3, 0.7, 1.5, 0.2, 1.3, 0.4, 1e-4])
    assert model.hyperparameters(model.theta(own)).variances == pytest.approx((1.3, 0.4))


def test_a_multiple_of_either_sign_has_more_evidence_than_what_knows_nothing():
    X = np.random.default_rng(5).random((12, 3))
    for multiple in (2.0, -2.0):
        y = multiple * KNOWN[0].values(X) + 0.1 * X[:, 1]
        y = (y - y.mean()) / y.std()
        told = fit_kernel(evidence(y, X, KNOWN[:1]), None, 2, 40)
        other = fit_kernel(evidence(y, X, (known_function(9),)), None, 2, 40)
        assert told.log_marginal > other.log_marginal + 5.0
        assert told.hyperparameters.detail.variance < 0.1


def test_functions_drawn_from_the_prior_have_its_covariance_and_their_gradients():
    drawn = np.concatenate(
        [RelatedFunctions.from_prior(kernel(), 3, 64, 20, RNG).values(A) for _ in range(300)]
    )
    exact = kernel().matrix(A)
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=0.1 * np.abs(exact).max())
    functions = RelatedFunctions.from_prior(kernel(), 3, 32, 3, RNG)
    require_drawn_gradients(functions, A, np.array([0, 1, 2, 0, 1, 2]))


def test_functions_drawn_from_the_posterior_follow_it():
    gp = ExactGP(kernel(), 1e-4)
    gp.append(B, np.sin(5.0 * B[:, 0]) + B[:, 1])
    drawn = np.concatenate([PathwiseFunctions.from_posterior(gp, 64, 10, RNG).values(A) for _ in range(200)])
    np.testing.assert_allclose(drawn.mean(axis=0), gp.mean_and_variance(A)[0], atol=0.15)
