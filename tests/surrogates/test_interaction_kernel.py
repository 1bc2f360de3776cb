"""A sum over all parameters and all pairs: the kernel, what it costs to believe in it, and when to."""

from itertools import combinations

import numpy as np
import pytest
from evidence_stories import require_exact, require_gradient
from scipy.optimize import approx_fprime

from orchestrator.surrogates.covariances.interaction import InteractionKernel
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.fits.pair_model import fit_kernel
from orchestrator.surrogates.hyperparameters.beliefs import Prior
from orchestrator.surrogates.hyperparameters.interaction import InteractionHyperparameters, InteractionModel

RNG = np.random.default_rng(0)
# Three parameters, the second a category in two columns.
OWNERS = np.array([0, 1, 1, 2])
SCALES = np.array([0.3, 0.7, 1.5])
A, B = RNG.random((6, 4)), RNG.random((5, 4))


def kernel(family=RBF):
    return InteractionKernel(family, SCALES, (0.6, 1.7), OWNERS)


@pytest.mark.parametrize("family", [RBF, MATERN_52])
def test_it_is_the_mean_over_parameters_and_the_mean_over_pairs(family):
    alone = []
    for p, scale in enumerate(SCALES):
        own = p == OWNERS
        squared = ((A[:, None, own] - B[None, :, own]) ** 2).sum(axis=2) / scale**2
        alone.append(family.correlation(squared))
    pairs = [a * b for a, b in combinations(alone, 2)]
    expected = 0.6 * np.mean(alone, axis=0) + 1.7 * np.mean(pairs, axis=0)
    np.testing.assert_allclose(kernel(family).matrix(A, B), expected, rtol=1e-12)
    np.testing.assert_allclose(np.diagonal(kernel(family).matrix(A)), kernel(family).diagonal(A), rtol=1e-12)


@pytest.mark.parametrize("family", [RBF, MATERN_52])
def test_its_gradient_agrees_with_finite_differences(family):
    W = RNG.standard_normal((6, 5))
    found = kernel(family).cross(A, B).weighted_gradient(W)
    for i in range(len(A)):
        numerical = approx_fprime(A[i], lambda a, i=i: kernel(family).matrix(a[None], B)[0] @ W[i], 1e-7)
        np.testing.assert_allclose(found[i], numerical, atol=1e-5)


def test_functions_drawn_by_its_spectrum_have_its_covariance():
    frequencies = kernel().spectral_frequencies(200_000, np.random.default_rng(1))
    difference = (A[0] - B[0])[None, :]
    estimated = kernel().variance * np.cos(frequencies @ difference.T).mean()
    assert estimated == pytest.approx(kernel().matrix(A[:1], B[:1])[0, 0], abs=0.02)


def test_one_parameter_alone_has_nothing_to_interact_with():
    with pytest.raises(ValueError, match="two parameters"):
        InteractionKernel(RBF, np.array([1.0]), (1.0, 1.0), np.array([0]))


def evidence_of(pairs, family, shared, noise=None):
    return KernelEvidence(pairs, InteractionModel(pairs.squared, family, shared, noise))


def data(function, n=60, dimension=6):
    X = np.random.default_rng(2).random((n, dimension))
    y = np.array([function(x) for x in X])
    return Data(X, (y - y.mean()) / y.std(), np.arange(dimension))


def separable(x):
    return float(np.sum(np.sin((3.0 + np.arange(len(x))) * x)))


def chained(x):
    return float(np.sum(np.sin(4.0 * x[1:] * x[:-1])))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("noise", [None, 1e-4])
def test_the_evidence_has_the_gradient_that_finite_differences_see(shared, noise):
    require_gradient(evidence_of(PairwiseData.of(data(chained, 20)), MATERN_52, shared, noise))


def test_the_evidence_is_that_of_an_exact_process():
    told = data(chained, 15)
    require_exact(evidence_of(PairwiseData.of(told), RBF, False, 1e-3), told, RBF, 1e-3)


def test_both_orders_are_believed_to_vary_alike_and_together_as_one_kernel():
    beliefs = evidence_of(PairwiseData.of(data(separable)), RBF, shared=True).model.beliefs
    first, second = (belief.median for belief in beliefs[1:3])
    assert first == second
    assert first + second == Prior.for_dimension(6).variance.median


def test_a_function_without_interactions_is_seen_to_have_none():
    def orders(function):
        fit = fit_kernel(evidence_of(PairwiseData.of(data(function)), RBF, False, 0.0), None, 2, 60)
        return fit.hyperparameters.variances

    single, double = orders(separable)
    assert single > 10.0 * double
    single, double = orders(chained)
    assert double > single


def test_one_length_scale_for_all_is_likelier_where_parameters_are_alike_and_values_few():
    def log_marginal(function, shared):
        pairs = PairwiseData.of(data(function, 40, 8))
        return fit_kernel(evidence_of(pairs, RBF, shared, 0.0), None, 2, 60).log_marginal

    def alike(x):
        return float(np.sum(np.sin(5.0 * x)))

    def unlike(x):
        return float(np.sin(7.0 * x[0]) + np.sin(6.0 * x[1]))

    assert log_marginal(alike, True) > log_marginal(alike, False)
    assert log_marginal(unlike, False) > log_marginal(unlike, True)


def test_a_warm_start_is_where_the_last_fit_ended():
    evidence = evidence_of(PairwiseData.of(data(chained)), RBF, False)
    cold = fit_kernel(evidence, None, 2, 100)
    warm = fit_kernel(evidence, cold.hyperparameters, 1, 5)
    assert warm.log_marginal == pytest.approx(cold.log_marginal, abs=0.1)
    payload = cold.hyperparameters.to_json()
    assert InteractionHyperparameters.from_json(payload) == cold.hyperparameters
