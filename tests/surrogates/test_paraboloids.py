"""Paraboloids with detail upon them, even or growing from a point: kernel, evidence, functions drawn."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from drawn_gradients import require_drawn_gradients
from evidence_stories import require_exact, require_gradient, told
from process_oracles import joint_draws
from scipy.optimize import approx_fprime

from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.draws.paraboloid_functions import ParaboloidFunctions
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.fits.pair_model import fit_kernel
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.hyperparameters.paraboloid import ParaboloidHyperparameters, ParaboloidModel
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs
from orchestrator.surrogates.hyperparameters.trend import TrendModel
from orchestrator.surrogates.posteriors.exact import ExactGP

# Three parameters, the second a category in two columns.
OWNERS = np.array([0, 1, 1, 2])
RNG = np.random.default_rng(0)
A, B = RNG.random((6, 4)), RNG.random((5, 4))
CENTRE = (0.5, 0.4, 0.6, 0.3)
DETAIL = Hyperparameters((0.3, 0.7, 1.5), 0.6, 1e-4)
CROSSING = 0.4
EVEN_OR_EXPANDED = pytest.mark.parametrize("expanded", [False, True])


def kernel(expanded=False):
    own = ParaboloidHyperparameters(DETAIL, CENTRE, 0.8, 1.7, 0.9, CROSSING if expanded else 1.0, expanded)
    return own.kernel(MATERN_52, OWNERS)


def valley(x):
    """A narrow one, along none of the axes."""
    turned = np.linalg.qr(np.random.default_rng(5).standard_normal((len(x), len(x))))[0] @ (x - 0.4)
    return -float((turned**2 * np.logspace(0, 4, len(x))).sum())


def evidence(data, expanded=False, noise=0.0, family=RBF, shared=True):
    pairs = PairwiseData.of(data)
    detail = ScaledPairs(pairs.squared, family, shared, noise)
    about = data.X[np.argmax(data.y)] if expanded else None
    return KernelEvidence(pairs, ParaboloidModel(detail, data.X, about, crossed=expanded))


@EVEN_OR_EXPANDED
def test_it_is_the_square_of_inner_products_about_a_centre_and_another_kernel(expanded):
    first, second = ((X - CENTRE) / 0.8 for X in (A, B))
    products = first @ second.T
    detail = DETAIL.kernel(MATERN_52, OWNERS).matrix(A, B)
    if expanded:
        detail *= np.outer(*(np.linalg.norm(u, axis=1) ** 3 for u in (first, second)))
    crossed = products**2 - first**2 @ (second**2).T
    lacking = (1.0 - CROSSING) * 0.9**2 * crossed if expanded else 0.0
    expected = 1.7 * ((1.0 + 0.9 * products) ** 2 - lacking) + detail
    np.testing.assert_allclose(kernel(expanded).matrix(A, B), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel(expanded).cross(A, B).values, expected, rtol=1e-12)
    np.testing.assert_allclose(
        np.diagonal(kernel(expanded).matrix(A)), kernel(expanded).diagonal(A), rtol=1e-12
    )


@EVEN_OR_EXPANDED
def test_a_matrix_built_row_by_row_is_the_same_to_the_bit(expanded):
    rows = np.vstack([kernel(expanded).matrix(a[None], B) for a in A])
    assert np.array_equal(rows, kernel(expanded).matrix(A, B))


@EVEN_OR_EXPANDED
def test_its_gradients_agree_with_finite_differences(expanded):
    own, W = kernel(expanded), RNG.standard_normal((2, 6, 5))
    found, along = own.cross(A, B).weighted_gradient(W), own.diagonal_gradient(A)
    for i, a in enumerate(A):
        for weights, gradients in zip(W, found, strict=True):
            slope = approx_fprime(a, lambda x, w=weights[i]: own.matrix(x[None], B)[0] @ w, 1e-7)
            np.testing.assert_allclose(gradients[i], slope, atol=1e-4)
        slope = approx_fprime(a, lambda x: own.diagonal(x[None])[0], 1e-7)
        np.testing.assert_allclose(along[i], slope, atol=1e-4)


@EVEN_OR_EXPANDED
def test_a_posterior_has_the_gradients_that_finite_differences_see_though_its_prior_grows_outwards(expanded):
    gp = ExactGP(kernel(expanded), 1e-4)
    for told_already in (0, 5):
        if told_already:
            gp.append(B, RNG.standard_normal(told_already))
        at = gp.value_gradients(A)
        for i, a in enumerate(A):
            for place, gradient in ((0, at.mean_gradient), (1, at.variance_gradient)):
                slope = approx_fprime(a, lambda x, p=place: gp.mean_and_variance(x[None])[p][0], 1e-6)
                np.testing.assert_allclose(gradient[i], slope, atol=1e-3)


@EVEN_OR_EXPANDED
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("noise", [None, 1e-4])
def test_the_evidence_has_the_gradient_that_finite_differences_see(expanded, shared, noise):
    require_gradient(evidence(told(valley, 20, 3), expanded, noise, MATERN_52, shared))


@EVEN_OR_EXPANDED
def test_the_evidence_is_that_of_an_exact_process(expanded):
    data = told(valley, 15, 3)
    require_exact(evidence(data, expanded, 1e-3), data, RBF, 1e-3)


@EVEN_OR_EXPANDED
def test_functions_drawn_from_the_prior_have_its_covariance(expanded):
    drawn = np.concatenate(
        [ParaboloidFunctions.from_prior(kernel(expanded), 64, 20, RNG).values(A) for _ in range(400)]
    )
    exact = kernel(expanded).matrix(A)
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=0.1 * np.abs(exact).max())


@EVEN_OR_EXPANDED
def test_drawn_functions_have_the_gradients_that_finite_differences_see(expanded):
    functions = ParaboloidFunctions.from_prior(kernel(expanded), 32, 3, RNG)
    require_drawn_gradients(functions, A, np.array([0, 1, 2, 0, 1, 2]))


def test_of_hundreds_of_categories_drawn_functions_are_evaluated_in_the_memory_that_the_points_take():
    """A point for each category in each function, as where the top of every one is looked for."""
    categories, points = 200, 2000
    detail = Hyperparameters((1.0,), 0.6, 1e-4)
    own = ParaboloidHyperparameters(detail, (0.5,) * categories, 0.8, 1.7, 0.9, 1.0, False)
    covariance = own.kernel(MATERN_52, np.zeros(categories, dtype=int))
    functions = ParaboloidFunctions.from_prior(covariance, 16, 4, np.random.default_rng(0))
    X, which = np.eye(categories)[np.arange(points) % categories], np.arange(points) % 4
    tracemalloc.start()
    try:
        functions.values_and_gradients(X, which)
        assert tracemalloc.get_traced_memory()[1] < 20 * X.nbytes
    finally:
        tracemalloc.stop()


@EVEN_OR_EXPANDED
def test_functions_drawn_from_the_posterior_follow_it(expanded):
    gp = ExactGP(kernel(expanded), 1e-4)
    gp.append(B, np.sin(5.0 * B[:, 0]) + B[:, 1])
    drawn = np.concatenate([PathwiseFunctions.from_posterior(gp, 64, 10, RNG).values(A) for _ in range(300)])
    np.testing.assert_allclose(drawn.mean(axis=0), gp.mean_and_variance(A)[0], atol=0.15)
    exact = np.cov(joint_draws(gp, A, 4000, np.random.default_rng(3)).T)
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=0.1 * exact.max())


def test_a_narrow_valley_along_no_axis_is_known_once_there_are_as_many_values_as_coefficients():
    data = told(valley, 45, 6)
    fit = fit_kernel(evidence(data), None, 2, 60)
    wide = KernelEvidence(PairwiseData.of(data), TrendModel(PairwiseData.of(data).squared, RBF, False, 0.0))
    assert fit.log_marginal > fit_kernel(wide, None, 2, 60).log_marginal + 20.0
    gp = ExactGP(fit.hyperparameters.kernel(RBF, data.embedded_parameter), 0.0)
    gp.append(data.X, data.y)
    later = told(valley, 200, 6, seed=7)
    shift, scale = np.polyfit([valley(x) for x in data.X], data.y, 1)[::-1]
    expected = shift + scale * np.array([valley(x) for x in later.X])
    np.testing.assert_allclose(gp.mean_and_variance(later.X)[0], expected, atol=0.02)


def test_near_enough_an_expansion_is_right_whatever_the_function_does_elsewhere():
    def cliff(x):
        return valley(x) - 1e9 * float(np.linalg.norm(x - 0.5)) ** 9

    rng = np.random.default_rng(4)
    near, far = 0.5 + 0.02 * rng.standard_normal((30, 3)), rng.random((30, 3))
    X = np.vstack([near, far])
    y = np.array([cliff(x) for x in X])
    data = Data(X, (y - y.mean()) / y.std(), np.arange(3))
    later = 0.5 + 0.02 * rng.standard_normal((50, 3))
    expected = (np.array([cliff(x) for x in later]) - y.mean()) / y.std()
    errors = []
    for expanded in (False, True):
        own = fit_kernel(evidence(data, expanded), None, 2, 60).hyperparameters
        gp = ExactGP(own.kernel(RBF, data.embedded_parameter), 0.0)
        gp.append(data.X, data.y)
        errors.append(np.abs(gp.mean_and_variance(later)[0] - expected).max())
    assert errors[1] < 0.1 * errors[0]


def test_what_hardly_crosses_is_seen_to_and_known_from_fewer_values_than_there_are_coefficients():
    """Twelve parameters, so 91 coefficients; of a sum over single ones only 25 are not zero."""

    def added(x):
        return -float(((x - 0.4) ** 2 * np.logspace(0, 2, len(x))).sum())

    data, later = told(added, 60, 12), told(added, 100, 12, seed=7)
    shift, scale = np.polyfit([added(x) for x in data.X], data.y, 1)[::-1]
    expected = shift + scale * np.array([added(x) for x in later.X])
    seen = evidence(data, expanded=True)
    own = fit_kernel(seen, None, 2, 60).hyperparameters
    errors = []
    for crossing in (own.crossing, 1.0):
        gp = ExactGP(replace(own, crossing=crossing).kernel(RBF, data.embedded_parameter), 0.0)
        gp.append(data.X, data.y)
        errors.append(np.abs(gp.mean_and_variance(later.X)[0] - expected).mean())
    assert own.crossing < 0.1
    assert errors[0] < 0.2 * errors[1]


def test_a_valley_along_no_axis_is_seen_to_cross():
    own = fit_kernel(evidence(told(valley, 60, 6), expanded=True), None, 2, 60).hyperparameters
    assert own.crossing > 0.3


def test_what_a_run_of_before_believed_in_was_alike_in_all_directions():
    told_before = ParaboloidHyperparameters(DETAIL, CENTRE, 0.8, 1.7, 0.9, 1.0, True).to_json()
    del told_before["crossing"]
    assert ParaboloidHyperparameters.from_json(told_before).crossing == 1.0


def test_where_the_points_are_close_together_their_own_distances_are_the_unit():
    data = told(valley, 20, 3)
    near = Data(0.3 + 0.01 * data.X, data.y, data.embedded_parameter)
    theta = np.log([belief.median for belief in evidence(data).model.beliefs])
    far, close = (evidence(these).model.hyperparameters(theta) for these in (data, near))
    assert close.radius == pytest.approx(0.01 * far.radius)
    np.testing.assert_allclose(close.centre, 0.3 + 0.01 * np.array(far.centre))


@EVEN_OR_EXPANDED
@pytest.mark.parametrize("noise", [None, 1e-4])
def test_hyperparameters_are_laid_out_as_the_search_has_them_and_read_back(expanded, noise):
    model = evidence(told(valley, 20, 3), expanded, noise=noise).model
    theta = np.log([belief.median * (2 + i) for i, belief in enumerate(model.beliefs)])
    np.testing.assert_allclose(model.theta(model.hyperparameters(theta)), theta)


def test_a_warm_start_is_where_the_last_fit_ended():
    seen = evidence(told(valley, 30, 3), noise=None)
    cold = fit_kernel(seen, None, 2, 100)
    warm = fit_kernel(seen, cold.hyperparameters, 1, 5)
    assert warm.log_marginal == pytest.approx(cold.log_marginal, abs=0.1)
    assert ParaboloidHyperparameters.from_json(cold.hyperparameters.to_json()) == cold.hyperparameters
