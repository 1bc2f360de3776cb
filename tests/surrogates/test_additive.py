"""The posterior of each factor, and of their sum, from values of the sum alone."""

import numpy as np
import pytest
from process_oracles import log_evidence

from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor, gaussian_factors
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

CATEGORIES = Coordinate("categorical", (0.0, 0.5, 1.0))
MIXED = Domain(
    (Coordinate(), Coordinate(), CATEGORIES, Coordinate("ordinal", (0.0, 0.25, 0.5, 1.0)), Coordinate())
)
OVERLAPPING = ((1, 0), (1, 2, 3), (3, 4))


def process(domain: Domain, factors: Decomposition, noise: float = 1e-3, seed: int = 0) -> AdditiveGP:
    rng = np.random.default_rng(seed)
    graph = FactorGraph(factors, domain.dimension)
    hyperparameters = AdditiveHyperparameters(
        graph.factors,
        tuple(rng.uniform(0.2, 0.8, domain.dimension)),
        tuple(rng.uniform(0.5, 2.0, graph.size)),
        noise,
    )
    return AdditiveGP(domain, graph, MATERN_52, hyperparameters)


def told(gp: AdditiveGP, n: int = 30, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X, y = gp.domain.sample(n, rng), rng.standard_normal(n)
    gp.append(X, y)
    return X, y


def factor(gp: AdditiveGP, j: int) -> GaussianFactor:
    """Its mean and variance as plain and shared parts."""
    return gaussian_factors(gp, [1.0] * gp.graph.size, coupled=False)[j]


def test_factor_means_sum_to_the_total_mean() -> None:
    gp = process(MIXED, OVERLAPPING)
    told(gp)
    X = MIXED.sample(50, np.random.default_rng(2))
    parts = [factor(gp, j).parts(X[:, own]).plain for j, own in enumerate(gp.graph.indices)]
    np.testing.assert_allclose(np.sum(parts, axis=0), gp.mean_and_variance(X)[0], atol=1e-10)


def test_a_factors_posterior_is_the_normal_conditioning_formula() -> None:
    gp = process(Domain.continuous(3), ((0, 1), (2,)))
    X, y = told(gp, 12)
    points = np.random.default_rng(3).random((5, 2))
    h = gp.hyperparameters
    scales = np.array(h.length_scales)

    def correlation(a: np.ndarray, b: np.ndarray, own: list[int]) -> np.ndarray:
        r = np.sqrt((((a[:, None] - b[None]) / scales[own]) ** 2).sum(-1))
        return (1 + np.sqrt(5) * r + 5 * r**2 / 3) * np.exp(-np.sqrt(5) * r)

    K = h.variances[0] * correlation(X[:, :2], X[:, :2], [0, 1])
    K += h.variances[1] * correlation(X[:, 2:], X[:, 2:], [2]) + h.noise_variance * np.eye(12)
    k = h.variances[0] * correlation(points, X[:, :2], [0, 1])
    mean, variance = factor(gp, 0).parts(points)
    np.testing.assert_allclose(mean, k @ np.linalg.solve(K, y), atol=1e-9)
    np.testing.assert_allclose(variance, h.variances[0] - (k * np.linalg.solve(K, k.T).T).sum(1), atol=1e-9)


def test_all_factors_at_one_point_are_what_each_is_by_itself() -> None:
    gp = process(MIXED, OVERLAPPING)
    told(gp)
    x = MIXED.sample(1, np.random.default_rng(2))[0]
    each = [factor(gp, j).parts(x[None, own]) for j, own in enumerate(gp.graph.indices)]
    means, variances = gp.factor_moments(x)
    np.testing.assert_allclose(means, [parts.plain[0] for parts in each], atol=1e-10)
    np.testing.assert_allclose(variances, [parts.shared[0] for parts in each], atol=1e-9)


def test_one_factor_that_sees_all_is_the_total() -> None:
    gp = process(MIXED, ((0, 1, 2, 3, 4),))
    told(gp)
    X = MIXED.sample(20, np.random.default_rng(2))
    np.testing.assert_allclose(factor(gp, 0).parts(X), gp.mean_and_variance(X), atol=1e-10)


def test_told_one_by_one_or_at_once_is_the_same_posterior() -> None:
    at_once, one_by_one = process(MIXED, OVERLAPPING), process(MIXED, OVERLAPPING)
    X, y = told(at_once, 60)
    for i in range(60):
        one_by_one.append(X[i : i + 1], y[i : i + 1])
    points = MIXED.sample(40, np.random.default_rng(5))
    for j, own in enumerate(at_once.graph.indices):
        np.testing.assert_allclose(
            factor(one_by_one, j).parts(points[:, own]),
            factor(at_once, j).parts(points[:, own]),
            atol=1e-8,
        )


def test_predictive_densities_chain_up_to_the_evidence() -> None:
    gp = process(MIXED, OVERLAPPING)
    X, y = told(process(MIXED, OVERLAPPING), 25)
    chained = 0.0
    for i in range(25):
        chained += float(gp.log_predictive(X[i : i + 1], y[i : i + 1])[0])
        gp.append(X[i : i + 1], y[i : i + 1])
    assert chained == pytest.approx(log_evidence(gp.total), abs=1e-8)


def test_hallucinating_leaves_no_trace() -> None:
    gp = process(MIXED, OVERLAPPING)
    told(gp)
    points, pending = MIXED.sample(10, np.random.default_rng(5)), MIXED.sample(4, np.random.default_rng(6))
    own = gp.graph.indices[1]
    mean, variance = factor(gp, 1).parts(points[:, own])
    with gp.hallucinating(pending):
        there_mean, there_variance = factor(gp, 1).parts(points[:, own])
        assert len(gp) == 34
    np.testing.assert_allclose(there_mean, mean, atol=1e-8)
    assert (there_variance <= variance + 1e-12).all()
    assert there_variance.sum() < variance.sum()
    np.testing.assert_array_equal(factor(gp, 1).parts(points[:, own]), (mean, variance))


def test_gradients_agree_with_finite_differences() -> None:
    gp = process(MIXED, OVERLAPPING)
    told(gp)
    step = 1e-5
    for j, own in enumerate(gp.graph.indices):
        X = MIXED.sample(6, np.random.default_rng(j))[:, own]
        function = factor(gp, j)
        at, plainly = function.parts_and_gradients(X), function.parts(X)
        np.testing.assert_allclose((at.plain, at.shared), plainly, atol=1e-12)
        for a, parameter in enumerate(own):
            if MIXED.coordinates[parameter] is CATEGORIES:
                assert not at.plain_gradient[:, a].any()
                assert not at.shared_gradient[:, a].any()
                continue
            up, down = X.copy(), X.copy()
            up[:, a] += step
            down[:, a] -= step
            above, below = function.parts(up), function.parts(down)
            slope = (above.plain - below.plain) / (2 * step)
            np.testing.assert_allclose(at.plain_gradient[:, a], slope, atol=1e-5)
            slope = (above.shared - below.shared) / (2 * step)
            np.testing.assert_allclose(at.shared_gradient[:, a], slope, atol=1e-5)


def test_the_sums_gradient_is_the_sum_of_the_factors_gradients() -> None:
    domain = Domain.continuous(5)
    gp = process(domain, OVERLAPPING)
    told(gp)
    X = domain.sample(8, np.random.default_rng(2))
    summed = np.zeros(X.shape)
    for j, own in enumerate(gp.graph.indices):
        summed[:, own] += factor(gp, j).parts_and_gradients(X[:, own]).plain_gradient
    np.testing.assert_allclose(gp.total.value_gradients(X).mean_gradient, summed, atol=1e-9)


def test_before_any_value_the_prior_is_all_there_is() -> None:
    gp = process(MIXED, OVERLAPPING)
    mean, variance = factor(gp, 0).parts(np.zeros((3, 2)))
    assert mean.tolist() == [0, 0, 0]
    np.testing.assert_array_equal(variance, gp.hyperparameters.variances[0])
    assert not factor(gp, 0).parts_and_gradients(np.zeros((3, 2))).shared_gradient.any()


def test_duplicated_inputs_without_noise_are_survived() -> None:
    gp = process(Domain.continuous(2), ((0,), (1,)), noise=0.0)
    X = np.repeat(np.random.default_rng(0).random((5, 2)), 3, axis=0)
    gp.append(X, X.sum(axis=1))
    mean, variance = factor(gp, 0).parts(np.linspace(0, 1, 9)[:, None])
    assert np.isfinite(mean).all()
    assert (variance > 0).all()


def test_hyperparameters_of_another_decomposition_are_refused() -> None:
    hyperparameters = AdditiveHyperparameters(((0, 1),), (1.0, 1.0), (1.0,), 0.1)
    with pytest.raises(ValueError, match="cannot serve"):
        AdditiveGP(Domain.continuous(2), FactorGraph(((0,), (1,)), 2), RBF, hyperparameters)
