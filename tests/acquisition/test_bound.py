"""DuMBO's bound on the deviation, and what each factor's node sees of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from orchestrator.acquisition.bound import DecentralisedBound
from orchestrator.acquisition.factor_ucb import (
    FactorUpperConfidenceBound,
    finite_domain_betas,
    practical_betas,
    theoretical_betas,
)
from orchestrator.algorithms.terms_posterior import TermModel, TermsPosterior
from orchestrator.domain import Domain
from orchestrator.maximisers.factor_objective import FactoredObjective
from orchestrator.surrogates.additive import AdditiveGP
from orchestrator.surrogates.additive_hyperparameters import AdditiveHyperparameters
from orchestrator.surrogates.factor_graph import FactorGraph
from orchestrator.surrogates.factor_scale import FactorScale
from orchestrator.surrogates.kernels import MATERN_52, RBF

CHAIN = FactorGraph(((0, 1), (1, 2), (2, 3), (4,)), 5)


def learned(graph: FactorGraph, seed: int = 0, n: int = 20) -> AdditiveGP:
    rng = np.random.default_rng(seed)
    scales, variances = rng.uniform(0.15, 0.8, graph.dimension), rng.uniform(0.2, 3.0, graph.size)
    gp = AdditiveGP(
        Domain.continuous(graph.dimension),
        graph,
        MATERN_52,
        AdditiveHyperparameters(graph.factors, tuple(scales), tuple(variances), 1e-3),
    )
    gp.append(rng.random((n, graph.dimension)), rng.standard_normal(n))
    return gp


def learned_apart(graph: FactorGraph, seed: int = 0, n: int = 20) -> TermsPosterior:
    """Each factor from its own outputs. Parameters that no factor sees get one of their own."""
    rng = np.random.default_rng(seed)
    factors = (*graph.factors, *((p,) for p in graph.free))
    models = []
    for factor in factors:
        scales = tuple(rng.uniform(0.15, 0.8, len(factor)).tolist())
        together = (tuple(range(len(factor))),)
        variance = float(rng.uniform(0.2, 3))
        models.append(TermModel(AdditiveHyperparameters(together, scales, (variance,), 1e-3), FactorScale()))
    gp = TermsPosterior(Domain.continuous(graph.dimension), factors, RBF, models)
    gp.append(rng.random((n, graph.dimension)), rng.standard_normal((n, len(factors))))
    return gp


def deviations_and_bound_apart(gp: TermsPosterior, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F, m) deviations and (m,) Eq. 6, from the functions that nodes hold."""
    ones, nothing = np.ones(gp.graph.size), np.zeros(gp.graph.size)
    apart = gp.functions(ones, coupled=False)
    sigma = np.sqrt([f.parts(X[:, v]).shared for f, v in zip(apart, gp.graph.indices, strict=True)])
    with_bonus, without = (
        FactoredObjective(gp.graph, gp.functions(weights, coupled=True), coupled=True).values(X)
        for weights in (ones, nothing)
    )
    return sigma, with_bonus - without


def deviations(gp: AdditiveGP, X: np.ndarray) -> np.ndarray:
    variances = [gp.factor_mean_and_variance(j, X[:, own])[1] for j, own in enumerate(gp.graph.indices)]
    return np.sqrt(variances)


@st.composite
def graphs(draw: st.DrawFn) -> FactorGraph:
    dimension = draw(st.integers(2, 6))
    parameters = st.lists(st.integers(0, dimension - 1), min_size=1, max_size=4, unique=True)
    factors = [tuple(f) for f in draw(st.lists(parameters, min_size=1, max_size=7))]
    free = set(range(dimension)) - {p for factor in factors for p in factor}
    return FactorGraph(tuple(factors), dimension, tuple(free), nested=True)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(graphs(), st.integers(0, 1000))
def test_theorem_3_5_on_random_graphs(graph: FactorGraph, seed: int) -> None:
    X = np.random.default_rng(seed).random((30, graph.dimension))
    gp, apart = learned(graph, seed), learned_apart(graph, seed)
    seen = (deviations(gp, X), DecentralisedBound(gp, 1.0).bound(X))
    for sigma, bound in (seen, deviations_and_bound_apart(apart, X)):
        assert (np.sqrt((sigma**2).sum(axis=0)) <= bound * (1 + 1e-9)).all()
        assert (bound <= sigma.sum(axis=0) * (1 + 1e-9)).all()
    # With decomposed outputs the variance of the sum is the sum of the variances: the theorem to the letter.
    assert (np.sqrt(apart.mean_and_variance(X)[1]) <= bound * (1 + 1e-9)).all()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(graphs(), st.integers(0, 1000))
def test_seeing_the_sum_alone_the_deviation_stays_under_the_sum_of_deviations(
    graph: FactorGraph, seed: int
) -> None:
    gp, X = learned(graph, seed), np.random.default_rng(seed).random((30, graph.dimension))
    assert (np.sqrt(gp.mean_and_variance(X)[1]) <= deviations(gp, X).sum(axis=0) + 1e-6).all()


def test_a_complete_graph_makes_the_bound_exact_and_disjoint_factors_the_sum() -> None:
    X = np.random.default_rng(1).random((10, 4))
    complete = learned_apart(FactorGraph(((0, 1), (0, 2), (0, 3)), 4))
    exact = np.sqrt(complete.mean_and_variance(X)[1])
    np.testing.assert_allclose(deviations_and_bound_apart(complete, X)[1], exact, rtol=1e-9)
    apart = learned(FactorGraph(((0,), (1, 3), (2,)), 4))
    np.testing.assert_allclose(
        DecentralisedBound(apart, 0.7).values(X), FactorUpperConfidenceBound(apart, 0.7).values(X), rtol=1e-12
    )


def test_the_bound_is_equation_6_term_by_term() -> None:
    gp, X = learned(CHAIN), np.random.default_rng(1).random((7, 5))
    variances = deviations(gp, X) ** 2
    by_hand = sum(
        np.sqrt(sum(variances[k] / len(CHAIN.neighbours[k]) ** 2 for k in CHAIN.neighbours[i]))
        for i in range(CHAIN.size)
    )
    acquisition = DecentralisedBound(gp, 2.25)
    np.testing.assert_allclose(acquisition.bound(X), by_hand, rtol=1e-12)
    np.testing.assert_allclose(acquisition.values(X), gp.mean_and_variance(X)[0] + 1.5 * by_hand, rtol=1e-8)


@pytest.mark.parametrize("beta", [0.0, 1.3, [0.5, 2.0, 0.0, 1.0]])
def test_local_views_with_their_neighbours_news_sum_to_the_value(beta: ArrayLike) -> None:
    gp, X = learned(CHAIN), np.random.default_rng(1).random((6, 5))
    acquisition = DecentralisedBound(gp, beta)
    summed = np.zeros(6)
    messages = np.array([acquisition.local_view(i).message(X[:, own]) for i, own in enumerate(CHAIN.indices)])
    np.testing.assert_allclose(messages, acquisition.messages(X), rtol=1e-12)
    for row in range(6):
        constants = acquisition.constants(messages[:, row])
        for i, own in enumerate(CHAIN.indices):
            view = acquisition.local_view(i).told(float(constants[i]))
            summed[row] += view.values(X[row : row + 1, own])[0]
    np.testing.assert_allclose(summed, acquisition.values(X), atol=1e-10)


def test_gradients_agree_with_finite_differences() -> None:
    betas = [0.5, 2.0, 1.0, 1.0]
    X, step = np.random.default_rng(1).random((6, 5)), 1e-5
    gp, apart = learned(CHAIN), learned_apart(CHAIN).functions(np.sqrt(betas), coupled=True)
    for acquisition in (
        DecentralisedBound(gp, betas),
        FactorUpperConfidenceBound(gp, betas),
        FactoredObjective(CHAIN, apart, coupled=True),
    ):
        values, gradient = acquisition.values_and_gradients(X)
        np.testing.assert_allclose(values, acquisition.values(X), rtol=1e-12)
        for p in range(5):
            shift = step * np.eye(5)[p]
            slope = (acquisition.values(X + shift) - acquisition.values(X - shift)) / (2 * step)
            np.testing.assert_allclose(gradient[:, p], slope, atol=1e-5, rtol=1e-5)


def test_local_gradients_agree_with_finite_differences() -> None:
    gp, X, step = learned(CHAIN), np.random.default_rng(1).random((6, 2)), 1e-5
    bound, ucb = DecentralisedBound(gp, 1.7), FactorUpperConfidenceBound(gp, 1.7)
    for local in (bound.local_view(1, c=0.3, weight=0.25), bound.local_view(1), ucb.term(1, weight=0.5)):
        values, gradient = local.values_and_gradients(X)
        np.testing.assert_allclose(values, local.values(X), rtol=1e-12)
        for a in range(2):
            shift = step * np.eye(2)[a]
            slope = (local.values(X + shift) - local.values(X - shift)) / (2 * step)
            np.testing.assert_allclose(gradient[:, a], slope, atol=1e-5, rtol=1e-5)


def test_the_gradient_at_an_observed_point_without_noise_is_finite() -> None:
    gp = AdditiveGP(
        Domain.continuous(2),
        FactorGraph.whole(2),
        RBF,
        AdditiveHyperparameters(((0, 1),), (0.3, 0.3), (1.0,), 0.0),
    )
    X = np.random.default_rng(0).random((5, 2))
    gp.append(X, X.sum(axis=1))
    for acquisition in (DecentralisedBound(gp, 1.0), FactorUpperConfidenceBound(gp, 1.0)):
        values, gradient = acquisition.values_and_gradients(X)
        assert np.isfinite(values).all()
        assert np.isfinite(gradient).all()


def test_exploration_is_the_share_of_the_bonus() -> None:
    gp, X = learned(CHAIN), np.random.default_rng(1).random((6, 5))
    for kind in (DecentralisedBound, FactorUpperConfidenceBound):
        assert (kind(gp, 0.0).exploration(X) == 0).all()
        assert ((kind(gp, 1.0).exploration(X) > 0) & (kind(gp, 1.0).exploration(X) < 1)).all()


def test_schedules_grow_with_time_and_size() -> None:
    np.testing.assert_allclose(practical_betas(10, CHAIN), 0.2 * np.array([2, 2, 2, 1]) * np.log(20))
    theory = theoretical_betas(10, CHAIN, failure=0.1)
    expected = 2 * np.log(4 * np.pi**2 * 100 / 0.2) + 4 * np.log(5 * 1000)
    np.testing.assert_allclose(theory[0], expected)
    assert theory[3] < theory[0]
    on_grid = finite_domain_betas(10, CHAIN, log_points=5 * np.log(10), failure=0.1)
    np.testing.assert_allclose(on_grid, 2 * np.log(1e5 * 4 * np.pi**2 * 100 / 0.6))
    for schedule in (practical_betas, theoretical_betas):
        assert (schedule(100, CHAIN) > schedule(10, CHAIN)).all()
        assert np.isfinite(schedule(0, CHAIN)).all()


def test_senseless_weights_are_refused() -> None:
    gp = learned(CHAIN)
    with pytest.raises(ValueError, match="not negative"):
        DecentralisedBound(gp, -1.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        theoretical_betas(3, CHAIN, failure=1.5)
