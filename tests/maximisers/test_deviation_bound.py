"""DuMBO's bound on the deviation as it is maximised, and what each factor's node learns of it."""

import numpy as np
import pytest
from dense_factors import bonus, conditioned
from exchanged_shares import exchange_shares, weighted_roots
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.algorithms.additive.factor_functions import FactorFunctions
from orchestrator.algorithms.additive.terms_posterior import TermModel, TermsPosterior
from orchestrator.maximisers.factors.factor_objective import FactoredObjective
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor, gaussian_factors
from orchestrator.maximisers.message_passing.neighbour_shares import NeighbourShares
from orchestrator.maximisers.message_passing.nodes import factor_places
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.scales.factor_scale import FactorScale
from orchestrator.unit_cube.domain import Domain

CHAIN = FactorGraph(((0, 1), (1, 2), (2, 3), (4,)), 5)
WEIGHTS = np.sqrt([0.5, 2.0, 0.0, 1.0])


def values_told(seed: int, n: int = 20) -> np.ndarray:
    return np.random.default_rng((seed, 1)).standard_normal(n)


def learned(graph: FactorGraph, seed: int = 0, n: int = 20) -> AdditiveGP:
    """From `values_told` of the sum."""
    rng = np.random.default_rng(seed)
    scales, variances = rng.uniform(0.15, 0.8, graph.dimension), rng.uniform(0.2, 3.0, graph.size)
    gp = AdditiveGP(
        Domain.continuous(graph.dimension),
        graph,
        MATERN_52,
        AdditiveHyperparameters(graph.factors, tuple(scales), tuple(variances), 1e-3),
    )
    gp.append(rng.random((n, graph.dimension)), values_told(seed, n))
    return gp


def learned_apart(graph: FactorGraph, seed: int = 0, n: int = 20) -> TermsPosterior:
    """Each factor from its own outputs."""
    rng = np.random.default_rng(seed)
    models = []
    for factor in graph.factors:
        scales = tuple(rng.uniform(0.15, 0.8, len(factor)).tolist())
        together = (tuple(range(len(factor))),)
        variance = float(rng.uniform(0.2, 3))
        models.append(TermModel(AdditiveHyperparameters(together, scales, (variance,), 1e-3), FactorScale()))
    gp = TermsPosterior(Domain.continuous(graph.dimension), graph.factors, RBF, models)
    gp.append(rng.random((n, graph.dimension)), rng.standard_normal((n, graph.size)))
    return gp


def functions(gp: AdditiveGP | TermsPosterior, weights: np.ndarray, coupled: bool) -> FactoredObjective:
    """What is maximised."""
    factors: tuple[GaussianFactor, ...] = (
        gaussian_factors(gp, weights.tolist(), coupled)
        if isinstance(gp, AdditiveGP)
        else gp.functions(weights, coupled)
    )
    return FactoredObjective(gp.graph, factors, coupled)


def deviations(gp: AdditiveGP | TermsPosterior, X: np.ndarray) -> np.ndarray:
    """(F, m), from the functions that nodes hold."""
    factors = functions(gp, np.ones(gp.graph.size), coupled=False).factors
    return np.sqrt([f.parts(X[:, v]).shared for f, v in zip(factors, gp.graph.indices, strict=True)])


def bound(gp: AdditiveGP | TermsPosterior, X: np.ndarray) -> np.ndarray:
    """(m,) Eq. 6: what the weights add to what is maximised."""
    with_bonus, without = (
        functions(gp, np.full(gp.graph.size, weight), coupled=True).values(X) for weight in (1.0, 0.0)
    )
    return with_bonus - without


@st.composite
def graphs(draw: st.DrawFn) -> FactorGraph:
    dimension = draw(st.integers(2, 6))
    parameters = st.lists(st.integers(0, dimension - 1), min_size=1, max_size=4, unique=True)
    factors = [tuple(f) for f in draw(st.lists(parameters, min_size=1, max_size=7))]
    left = set(range(dimension)) - {p for factor in factors for p in factor}
    return FactorGraph((*factors, *((p,) for p in sorted(left))), dimension, nested=True)


@settings(max_examples=60)
@given(graphs(), st.integers(0, 1000))
def test_theorem_3_5_on_random_graphs(graph: FactorGraph, seed: int) -> None:
    X = np.random.default_rng(seed).random((30, graph.dimension))
    gp, apart = learned(graph, seed), learned_apart(graph, seed)
    for posterior in (gp, apart):
        sigma, between = deviations(posterior, X), bound(posterior, X)
        assert (np.sqrt((sigma**2).sum(axis=0)) <= between * (1 + 1e-9)).all()
        assert (between <= sigma.sum(axis=0) * (1 + 1e-9)).all()
    # With decomposed outputs the variance of the sum is the sum of the variances: the theorem to the letter.
    assert (np.sqrt(apart.mean_and_variance(X)[1]) <= bound(apart, X) * (1 + 1e-9)).all()


@settings(max_examples=40)
@given(graphs(), st.integers(0, 1000))
def test_seeing_the_sum_alone_the_deviation_stays_under_the_sum_of_deviations(
    graph: FactorGraph, seed: int
) -> None:
    gp, X = learned(graph, seed), np.random.default_rng(seed).random((30, graph.dimension))
    assert (np.sqrt(gp.mean_and_variance(X)[1]) <= deviations(gp, X).sum(axis=0) + 1e-6).all()


@settings(max_examples=40)
@given(graphs(), st.integers(0, 1000), st.booleans())
def test_on_random_graphs_what_is_maximised_is_dense_algebra_term_by_term(
    graph: FactorGraph, seed: int, coupled: bool
) -> None:
    gp, rng = learned(graph, seed), np.random.default_rng(seed)
    X, weights = rng.random((9, graph.dimension)), rng.uniform(0, 2, graph.size)
    means, covariances = conditioned(gp, values_told(seed), X)
    variances = np.diagonal(covariances).T
    np.testing.assert_allclose(deviations(gp, X) ** 2, variances, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(covariances.sum(axis=(0, 1)), gp.mean_and_variance(X)[1], atol=1e-7)
    expected = means.sum(axis=0) + bonus(graph, weights, np.maximum(variances, 0), coupled)
    np.testing.assert_allclose(functions(gp, weights, coupled).values(X), expected, rtol=1e-6, atol=1e-6)


def test_a_complete_graph_makes_the_bound_exact_and_disjoint_factors_the_sum() -> None:
    X = np.random.default_rng(1).random((10, 4))
    complete = learned_apart(FactorGraph(((0, 1), (0, 2), (0, 3)), 4))
    exact = np.sqrt(complete.mean_and_variance(X)[1])
    np.testing.assert_allclose(bound(complete, X), exact, rtol=1e-9)
    apart, weights = learned(FactorGraph(((0,), (1, 3), (2,)), 4)), np.full(3, np.sqrt(0.7))
    coupled, summed = (functions(apart, weights, coupled).values(X) for coupled in (True, False))
    np.testing.assert_allclose(coupled, summed, rtol=1e-12)


def test_the_bound_is_equation_6_term_by_term() -> None:
    gp, X = learned(CHAIN), np.random.default_rng(1).random((7, 5))
    by_hand = bonus(CHAIN, np.ones(4), deviations(gp, X) ** 2, coupled=True)
    np.testing.assert_allclose(bound(gp, X), by_hand, rtol=1e-12)
    values = functions(gp, np.full(4, 1.5), coupled=True).values(X)
    np.testing.assert_allclose(values, gp.mean_and_variance(X)[0] + 1.5 * by_hand, rtol=1e-8)


def told_by_neighbours(objective: FactoredObjective, X: np.ndarray) -> list[NeighbourShares]:
    """What the nodes know once all have said twice where they are: by then each its whole surroundings."""
    graph = objective.graph
    nodes = [
        NeighbourShares(place, f.weight, len(X))
        for place, f in zip(factor_places(graph, coupled=True), objective.factors, strict=True)
    ]
    shared = [f.parts(X[:, v]).shared for f, v in zip(objective.factors, graph.indices, strict=True)]
    for _ in range(2):
        exchange_shares(graph, nodes, shared)
    return nodes


@pytest.mark.parametrize("weights", [np.zeros(4), np.full(4, 1.3), WEIGHTS])
def test_nodes_with_their_neighbours_news_know_every_root_that_they_stand_under(weights: np.ndarray) -> None:
    gp, X = learned(CHAIN), np.random.default_rng(1).random((6, 5))
    objective = functions(gp, weights, coupled=True)
    nodes = told_by_neighbours(objective, X)
    shared = np.array(
        [f.parts(X[:, v]).shared for f, v in zip(objective.factors, CHAIN.indices, strict=True)]
    )
    roots = weights[:, None] * np.sqrt(
        [sum(shared[k] for k in CHAIN.neighbours[i]) for i in range(CHAIN.size)]
    )
    for i, node in enumerate(nodes):
        expected = sum(roots[k] for k in CHAIN.neighbours[i])
        np.testing.assert_allclose(weighted_roots(node, shared[i]), expected, rtol=1e-12)
    whole = gp.mean_and_variance(X)[0] + roots.sum(axis=0)
    np.testing.assert_allclose(objective.values(X), whole, atol=1e-10)


def test_what_a_share_is_worth_to_a_node_is_the_slope_of_its_roots() -> None:
    gp, X, step = learned(CHAIN), np.random.default_rng(1).random((6, 5)), 1e-6
    objective = functions(gp, WEIGHTS, coupled=True)
    for node, f, v in zip(told_by_neighbours(objective, X), objective.factors, CHAIN.indices, strict=True):
        shared = f.parts(X[:, v]).shared
        slope = (weighted_roots(node, shared + step) - weighted_roots(node, shared - step)) / (2 * step)
        np.testing.assert_allclose(node.price(shared), slope, rtol=1e-5)


@pytest.mark.parametrize("coupled", [True, False])
def test_gradients_agree_with_finite_differences(coupled: bool) -> None:
    X, step = np.random.default_rng(1).random((6, 5)), 1e-5
    for gp in (learned(CHAIN), learned_apart(CHAIN)):
        objective = functions(gp, np.sqrt([0.5, 2.0, 1.0, 1.0]), coupled)
        values, gradient = objective.values_and_gradients(X)
        np.testing.assert_allclose(values, objective.values(X), rtol=1e-12)
        for p in range(5):
            shift = step * np.eye(5)[p]
            slope = (objective.values(X + shift) - objective.values(X - shift)) / (2 * step)
            np.testing.assert_allclose(gradient[:, p], slope, atol=1e-5, rtol=1e-5)


def test_the_gradient_at_an_observed_point_without_noise_is_finite() -> None:
    gp = AdditiveGP(
        Domain.continuous(2),
        FactorGraph.whole(2),
        RBF,
        AdditiveHyperparameters(((0, 1),), (0.3, 0.3), (1.0,), 0.0),
    )
    X = np.random.default_rng(0).random((5, 2))
    gp.append(X, X.sum(axis=1))
    for coupled in (True, False):
        values, gradient = functions(gp, np.ones(1), coupled).values_and_gradients(X)
        assert np.isfinite(values).all()
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize("coupled", [True, False])
def test_exploration_is_the_share_of_the_bonus(coupled: bool) -> None:
    gp, X = learned(CHAIN), np.random.default_rng(1).random((6, 5))

    def exploration(weight: float) -> np.ndarray:
        factors = gaussian_factors(gp, [weight] * 4, coupled)
        return FactorFunctions(CHAIN, factors, coupled).exploration(X)

    assert (exploration(0.0) == 0).all()
    assert ((exploration(1.0) > 0) & (exploration(1.0) < 1)).all()
