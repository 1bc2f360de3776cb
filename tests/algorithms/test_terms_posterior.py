"""Factors learned from their own outputs."""

import numpy as np
import pytest

from orchestrator.algorithms.additive.terms_posterior import TermModel, TermsPosterior, fit_terms
from orchestrator.maximisers.factors.gaussian_factor import gaussian_factors
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.scales.factor_scale import FactorScale
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain.continuous(3)
FACTORS = ((0, 1), (1, 2))
TOGETHER = ((0, 1),)
MODELS = (
    TermModel(AdditiveHyperparameters(TOGETHER, (0.3, 0.4), (1.3,), 1e-3), FactorScale(2.0, 3.0)),
    TermModel(AdditiveHyperparameters(TOGETHER, (0.5, 0.6), (0.7,), 1e-3), FactorScale(-1.0, 0.5)),
)


def terms(X: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(5 * X[:, 0] * X[:, 1]), 100 * np.cos(4 * X[:, 1] - X[:, 2])], axis=1)


def told() -> TermsPosterior:
    gp = TermsPosterior(DOMAIN, FACTORS, RBF, MODELS)
    X = np.random.default_rng(0).random((20, 3))
    gp.append(X, terms(X))
    return gp


def factor_parts(gp: TermsPosterior, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(G, m) means and variances of the finest factors at (m, D) points, as their nodes see them."""
    functions = gp.functions(np.ones(gp.graph.size), coupled=False)
    parts = [f.parts(X[:, v]) for f, v in zip(functions, gp.graph.indices, strict=True)]
    return np.array([p.plain for p in parts]), np.array([p.shared for p in parts])


def test_means_and_variances_of_the_factors_sum_to_the_totals() -> None:
    gp, X = told(), np.random.default_rng(1).random((9, 3))
    means, variances = factor_parts(gp, X)
    mean, variance = gp.mean_and_variance(X)
    np.testing.assert_allclose(means.sum(axis=0), mean, rtol=1e-9)
    np.testing.assert_allclose(variances.sum(axis=0), variance, rtol=1e-6)


def test_told_one_by_one_or_at_once_the_posterior_is_the_same() -> None:
    whole, gp = told(), TermsPosterior(DOMAIN, FACTORS, RBF, MODELS)
    for x in np.random.default_rng(0).random((20, 3)):
        gp.append(x[None], terms(x[None]))
    points = np.random.default_rng(2).random((6, 3))
    np.testing.assert_allclose(gp.mean_and_variance(points), whole.mean_and_variance(points), atol=1e-8)


def test_hallucinating_leaves_no_trace() -> None:
    gp, points = told(), np.random.default_rng(2).random((6, 3))
    before = gp.mean_and_variance(points)
    with gp.hallucinating(points[:2]):
        mean, variance = gp.mean_and_variance(points)
        np.testing.assert_allclose(mean, before[0], rtol=1e-6, atol=1e-6)
        assert (variance[:2] < before[1][:2]).all()
    np.testing.assert_array_equal(gp.mean_and_variance(points), before)


def test_seeing_the_terms_tells_more_than_seeing_their_sum() -> None:
    rng = np.random.default_rng(0)
    X, points = rng.random((25, 3)), rng.random((50, 3))
    Y = terms(X)
    fitted = TermsPosterior(DOMAIN, FACTORS, MATERN_52, fit_terms(DOMAIN, FACTORS, MATERN_52, (X, Y)))
    fitted.append(X, Y)
    assert fitted.graph.factors == FACTORS
    error = factor_parts(fitted, points)[0][0] - terms(points)[:, 0]
    # A term a hundred times smaller than the other is still learned, as each has its own units.
    assert np.sqrt(np.mean(error**2)) < 0.05
    noise = 1e-4
    graph = FactorGraph(FACTORS, 3)
    summed = AdditiveGP(
        DOMAIN, graph, RBF, AdditiveHyperparameters(FACTORS, (0.4, 0.4, 0.4), (1.0, 1.0), noise)
    )
    model = TermModel(AdditiveHyperparameters(TOGETHER, (0.4, 0.4), (1.0,), noise), FactorScale())
    apart = TermsPosterior(DOMAIN, FACTORS, RBF, (model, model))
    summed.append(X, Y.sum(axis=1))
    apart.append(X, Y)
    _, known = factor_parts(apart, points)
    from_the_sum = gaussian_factors(summed, [1.0, 1.0], coupled=False)
    for variance, factor, own in zip(known, from_the_sum, graph.indices, strict=True):
        assert (variance <= factor.parts(points[:, own]).shared + 1e-9).all()


def test_a_factor_that_is_a_sum_over_its_parameters_is_split() -> None:
    X = np.random.default_rng(0).random((25, 3))
    Y = np.stack([np.sin(6 * X[:, 0]) + np.cos(5 * X[:, 1]), np.sin(6 * X[:, 1] * X[:, 2])], axis=1)
    gp = TermsPosterior(DOMAIN, FACTORS, MATERN_52, fit_terms(DOMAIN, FACTORS, MATERN_52, (X, Y)))
    assert gp.graph.factors == ((0,), (1,), (1, 2))


def test_rows_of_the_wrong_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"outputs of shape \(4, 2\); got \(4, 3\)"):
        told().append(np.zeros((4, 3)), np.zeros((4, 3)))


def test_constant_terms_and_models_in_json_survive() -> None:
    X = np.random.default_rng(0).random((6, 3))
    Y = np.stack([np.zeros(6), np.full(6, 1e12)], axis=1)
    models = fit_terms(DOMAIN, FACTORS, RBF, (X, Y))
    assert [TermModel.from_json(model.to_json()) for model in models] == models
    gp = TermsPosterior(DOMAIN, FACTORS, RBF, models)
    gp.append(X, Y)
    assert gp.mean_and_variance(X)[0] == pytest.approx(1e12)


def test_a_factor_whose_outputs_are_next_to_nothing_has_next_to_no_part_in_the_sum() -> None:
    X = np.random.default_rng(0).random((12, 3))
    Y = terms(X) * [1.0, 1e-200]
    gp = TermsPosterior(DOMAIN, FACTORS, RBF, fit_terms(DOMAIN, FACTORS, RBF, (X, Y)))
    gp.append(X, Y)
    means, variances = factor_parts(gp, X)
    mean, variance = gp.mean_and_variance(X)
    np.testing.assert_allclose(means.sum(axis=0), mean, rtol=1e-9)
    np.testing.assert_allclose(variances.sum(axis=0), variance, rtol=1e-6)
    assert np.abs(means[-1]).max() < 1e-90
