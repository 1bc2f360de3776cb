"""Factors learned from their own values."""

import numpy as np
import pytest

from orchestrator.domain import Domain
from orchestrator.surrogates.additive import AdditiveGP
from orchestrator.surrogates.additive_hyperparameters import AdditiveHyperparameters
from orchestrator.surrogates.decomposed_outputs import DecomposedGP, FactorModel, FactorScale, fit_decomposed
from orchestrator.surrogates.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters import Hyperparameters, KernelTemplate
from orchestrator.surrogates.kernels import MATERN_52, RBF

DOMAIN = Domain.continuous(3)
GRAPH = FactorGraph(((0, 1), (1, 2)), 3)
MODELS = (
    FactorModel(Hyperparameters((0.3, 0.4), 1.3, 1e-3), FactorScale(2.0, 3.0)),
    FactorModel(Hyperparameters((0.5, 0.6), 0.7, 1e-3), FactorScale(-1.0, 0.5)),
)


def terms(X: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(5 * X[:, 0] * X[:, 1]), 100 * np.cos(4 * X[:, 1] - X[:, 2])], axis=1)


def told() -> DecomposedGP:
    gp = DecomposedGP(DOMAIN, GRAPH, RBF, MODELS)
    X = np.random.default_rng(0).random((20, 3))
    gp.append(X, terms(X))
    return gp


def test_means_and_variances_of_the_factors_sum_to_the_totals() -> None:
    gp, X = told(), np.random.default_rng(1).random((9, 3))
    parts = np.array([gp.factor_mean_and_variance(j, X[:, own]) for j, own in enumerate(GRAPH.indices)])
    np.testing.assert_allclose(parts.sum(axis=0), gp.mean_and_variance(X), rtol=1e-12)


def test_gradients_agree_with_finite_differences() -> None:
    gp, X, step = told(), np.random.default_rng(1).random((5, 2)), 1e-6
    for j in range(2):
        at = gp.factor_gradients(j, X)
        for a in range(2):
            shift = step * np.eye(2)[a]
            above = gp.factor_mean_and_variance(j, X + shift)
            below = gp.factor_mean_and_variance(j, X - shift)
            slopes = (np.array(above) - np.array(below)) / (2 * step)
            np.testing.assert_allclose(at.mean_gradient[:, a], slopes[0], rtol=1e-4, atol=1e-3)
            np.testing.assert_allclose(at.variance_gradient[:, a], slopes[1], rtol=1e-4, atol=1e-3)


def test_predictive_densities_chain_up_to_the_evidence_one_by_one() -> None:
    whole, gp, chained = told(), DecomposedGP(DOMAIN, GRAPH, RBF, MODELS), 0.0
    X = np.random.default_rng(0).random((20, 3))
    for x in X:
        chained += float(gp.log_predictive(x, terms(x[None]))[0])
        gp.append(x, terms(x[None]))
    assert chained == pytest.approx(whole.log_evidence(), abs=1e-6)
    points = np.random.default_rng(2).random((6, 3))
    np.testing.assert_allclose(gp.mean_and_variance(points), whole.mean_and_variance(points), atol=1e-8)


def test_hallucinating_and_withdrawing_leave_no_trace() -> None:
    gp, points = told(), np.random.default_rng(2).random((6, 3))
    before = gp.mean_and_variance(points)
    with gp.hallucinating(points[:2]):
        mean, variance = gp.mean_and_variance(points)
        np.testing.assert_allclose(mean, before[0], rtol=1e-6, atol=1e-6)
        assert (variance[:2] < before[1][:2]).all()
    gp.append(points, terms(points))
    gp.withdraw(6)
    np.testing.assert_array_equal(gp.mean_and_variance(points), before)


def test_seeing_the_terms_tells_more_than_seeing_their_sum() -> None:
    rng = np.random.default_rng(0)
    X, points = rng.random((25, 3)), rng.random((50, 3))
    Y = terms(X)
    decomposed = DecomposedGP(
        DOMAIN,
        GRAPH,
        MATERN_52,
        fit_decomposed(DOMAIN, GRAPH, KernelTemplate("m", MATERN_52), (X, Y), np.random.default_rng(0)),
    )
    decomposed.append(X, Y)
    error = decomposed.factor_mean_and_variance(0, points[:, [0, 1]])[0] - terms(points)[:, 0]
    # A term a hundred times smaller than the other is still learned, as each has its own units.
    assert np.sqrt(np.mean(error**2)) < 0.05
    scales, noise = (0.4, 0.4, 0.4), 1e-4
    summed = AdditiveGP(DOMAIN, GRAPH, RBF, AdditiveHyperparameters(GRAPH.factors, scales, (1.0, 1.0), noise))
    models = tuple(FactorModel(Hyperparameters((0.4, 0.4), 1.0, noise), FactorScale()) for _ in range(2))
    apart = DecomposedGP(DOMAIN, GRAPH, RBF, models)
    summed.append(X, Y.sum(axis=1))
    apart.append(X, Y)
    for j, own in enumerate(GRAPH.indices):
        known, blurred = (gp.factor_mean_and_variance(j, points[:, own])[1] for gp in (apart, summed))
        assert (known <= blurred + 1e-9).all()


def test_rows_of_the_wrong_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"values of shape \(4, 2\); got \(4, 3\)"):
        told().append(np.zeros((4, 3)), np.zeros((4, 3)))


def test_constant_terms_and_models_in_json_survive() -> None:
    X = np.random.default_rng(0).random((6, 3))
    Y = np.stack([np.zeros(6), np.full(6, 1e12)], axis=1)
    models = fit_decomposed(DOMAIN, GRAPH, KernelTemplate("m", RBF), (X, Y), np.random.default_rng(0))
    assert tuple(FactorModel.from_json(model.to_json()) for model in models) == models
    gp = DecomposedGP(DOMAIN, GRAPH, RBF, models)
    gp.append(X, Y)
    assert gp.mean_and_variance(X)[0] == pytest.approx(1e12)
