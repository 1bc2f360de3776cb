"""A wide trend with detail upon it: the kernel, what it costs to believe in it, and when to."""

import numpy as np
import pytest
from evidence_stories import require_exact, require_gradient
from scipy.optimize import approx_fprime

from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.fits.additive import AdditiveFitter, AdditiveSearch
from orchestrator.surrogates.fits.pair_model import fit_kernel
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, KernelTemplate
from orchestrator.surrogates.hyperparameters.trend import TrendHyperparameters, TrendModel

# Three parameters, the second a category in two columns.
OWNERS = np.array([0, 1, 1, 2])
RNG = np.random.default_rng(0)
A, B = RNG.random((6, 4)), RNG.random((5, 4))
HYPERPARAMETERS = TrendHyperparameters(Hyperparameters((0.3, 0.7, 1.5), 0.6, 1e-4), 4.0, 2.5)


def kernel(family=MATERN_52):
    return HYPERPARAMETERS.kernel(family, OWNERS)


def test_it_is_a_smooth_long_kernel_and_another_one():
    far = ((A[:, None] - B[None]) ** 2).sum(axis=2) / 4.0**2
    scales = np.array([0.3, 0.7, 0.7, 1.5])
    near = (((A[:, None] - B[None]) / scales) ** 2).sum(axis=2)
    expected = 2.5 * np.exp(-0.5 * far) + 0.6 * MATERN_52.correlation(near)
    np.testing.assert_allclose(kernel().matrix(A, B), expected, rtol=1e-12)
    np.testing.assert_allclose(np.diagonal(kernel().matrix(A)), kernel().diagonal(A), rtol=1e-12)


def test_where_both_see_all_parameters_alike_it_is_their_sum_as_well():
    alike = TrendHyperparameters(Hyperparameters((0.7, 0.7, 0.7), 0.6, 1e-4), 4.0, 2.5).kernel(RBF, OWNERS)
    apart = alike.trend.matrix(A, B) + alike.detail.matrix(A, B)
    np.testing.assert_allclose(alike.matrix(A, B), apart, rtol=1e-13)
    np.testing.assert_allclose(alike.cross(A, B).values, apart, rtol=1e-13)
    W = RNG.standard_normal((6, 5))
    sums = [part.cross(A, B).weighted_gradient(W) for part in (alike.trend, alike.detail)]
    np.testing.assert_allclose(alike.cross(A, B).weighted_gradient(W), sum(sums), atol=1e-12)


def test_its_gradient_agrees_with_finite_differences():
    W = RNG.standard_normal((6, 5))
    found = kernel().cross(A, B).weighted_gradient(W)
    for i in range(len(A)):
        numerical = approx_fprime(A[i], lambda a, i=i: kernel().matrix(a[None], B)[0] @ W[i], 1e-7)
        np.testing.assert_allclose(found[i], numerical, atol=1e-5)


def test_functions_drawn_by_its_spectrum_have_its_covariance():
    frequencies = kernel().spectral_frequencies(200_000, np.random.default_rng(1))
    estimated = kernel().variance * np.cos(frequencies @ (A[0] - B[0])).mean()
    assert estimated == pytest.approx(kernel().matrix(A[:1], B[:1])[0, 0], abs=0.03)


def data(function, n=60, dimension=3):
    X = np.random.default_rng(2).random((n, dimension))
    y = np.array([function(x) for x in X])
    return Data(X, (y - y.mean()) / y.std(), np.arange(dimension))


def bowl_with_ripples(x):
    return float(8.0 * ((x - 0.4) ** 2).sum() + 0.5 * np.cos(25.0 * np.linalg.norm(x - 0.4)))


def waves(x):
    return float(np.sin(9.0 * x[0]) * np.cos(8.0 * x[1]) + np.sin(7.0 * x[2]))


def evidence(told, shared, noise=0.0, family=RBF):
    pairs = PairwiseData.of(told)
    return KernelEvidence(pairs, TrendModel(pairs.squared, family, shared, noise))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("noise", [None, 1e-4])
def test_the_evidence_has_the_gradient_that_finite_differences_see(shared, noise):
    require_gradient(evidence(data(bowl_with_ripples, 20), shared, noise, MATERN_52))


def test_the_evidence_is_that_of_an_exact_process():
    told = data(bowl_with_ripples, 15)
    require_exact(evidence(told, False, 1e-3), told, RBF, 1e-3)


def test_it_is_likelier_than_one_kernel_for_a_bowl_with_ripples_and_not_for_waves_alone():
    def odds(function):
        told = data(function, 80)
        whole = FactorGraph((tuple(range(3)),), 3)
        template = KernelTemplate("joint", RBF, shared=True)
        joint = AdditiveFitter(told, template, noise_variance=0.0).fit(whole, AdditiveSearch(2, 60))
        return fit_kernel(evidence(told, True), None, 2, 60).log_marginal - joint.log_marginal

    assert odds(bowl_with_ripples) > 5.0
    assert odds(waves) < 2.0


def test_a_trend_is_looked_for_at_the_scale_of_the_points_even_where_two_are_the_same():
    told = data(bowl_with_ripples)
    told.X[1] = told.X[0]
    near = Data(0.01 * told.X, told.y, told.embedded_parameter)
    length, length_near = (evidence(these, True).model.beliefs[2].median for these in (told, near))
    assert length_near == pytest.approx(0.01 * length)


def test_a_warm_start_is_where_the_last_fit_ended():
    seen = evidence(data(bowl_with_ripples), False)
    cold = fit_kernel(seen, None, 2, 100)
    warm = fit_kernel(seen, cold.hyperparameters, 1, 5)
    assert warm.log_marginal == pytest.approx(cold.log_marginal, abs=0.1)
    assert TrendHyperparameters.from_json(cold.hyperparameters.to_json()) == cold.hyperparameters
