"""The chain over overlapping decompositions leaves its target as it is."""

import math
from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, Factor, FactorGraph
from orchestrator.surrogates.decompositions.overlapping import OverlappingSampler, with_single_parameters
from orchestrator.surrogates.decompositions.partitions import single_parameters
from orchestrator.surrogates.decompositions.priors import SparseInteractionsPrior, UniformPrior
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.fits.additive import AdditiveFitter, DecompositionEvidence
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate


def antichains(dimension: int, bound: int) -> list[Decomposition]:
    """Every set of interactions none of which lies inside another, with the single parameters it implies."""
    candidates = [set(c) for size in range(2, bound + 1) for c in combinations(range(dimension), size)]
    found = []
    for chosen in range(2 ** len(candidates)):
        members = [c for i, c in enumerate(candidates) if chosen >> i & 1]
        if not any(a < b for a in members for b in members):
            found.append(with_single_parameters(tuple(tuple(sorted(c)) for c in members), dimension))
    return found


@cache
def rugged(decomposition: Decomposition) -> float:
    rng = np.random.default_rng(3)
    by_factor = {c: rng.normal() for size in (1, 2, 3) for c in combinations(range(4), size)}
    return sum(by_factor[factor] for factor in decomposition)


@pytest.mark.parametrize("bound", [2, 3])
def test_four_parameters_are_decomposed_in_proportion_to_the_posterior(bound: int) -> None:
    prior = SparseInteractionsPrior(4, bound, expected=2.0)
    everything = antichains(4, bound)
    assert len(everything) == len(set(everything)) == {2: 64, 3: 113}[bound]
    scores = {d: rugged(d) + prior.log_probability(d) for d in everything}
    norm = math.log(sum(math.exp(score) for score in scores.values()))
    exact = {d: math.exp(score - norm) for d, score in scores.items()}

    steps = 40_000
    chain = OverlappingSampler(4, prior).sample(single_parameters(4), rugged, steps, np.random.default_rng(0))
    visited = {member.decomposition: member.visits / steps for member in chain.members}
    assert visited.keys() <= exact.keys()
    distance = 0.5 * sum(abs(visited.get(d, 0.0) - p) for d, p in exact.items())
    # 40,000 independent draws would be about 0.02 away; the chain's draws are correlated.
    assert distance < 0.06


def test_one_step_leaves_the_target_invariant() -> None:
    """Start in the exact posterior, take one step: still there. No mixing is needed for this to hold."""
    prior = UniformPrior(3)
    everything = antichains(4, 3)
    weights = np.exp([rugged(d) for d in everything])
    weights /= weights.sum()
    rng, draws = np.random.default_rng(5), 30_000
    sampler = OverlappingSampler(4, prior)
    after: Counter[Decomposition] = Counter()
    for start in rng.choice(len(everything), size=draws, p=weights):
        candidate, log_ratio = sampler.propose(everything[start], rng)
        accept = math.log1p(-rng.random()) < rugged(candidate) - rugged(everything[start]) + log_ratio
        after[candidate if accept else everything[start]] += 1
    observed = np.array([after[d] / draws for d in everything])
    assert 0.5 * np.abs(observed - weights).sum() < 0.035


def test_where_all_but_one_pair_at_a_time_is_unlikely_a_chain_still_goes_from_pair_to_pair() -> None:
    sampler = OverlappingSampler(3, UniformPrior(2))
    pairs = [with_single_parameters((pair,), 3) for pair in combinations(range(3), 2)]
    chain = sampler.sample(pairs[0], lambda d: 0.0 if d in pairs else -1e3, 3000, np.random.default_rng(0))
    assert {one.decomposition: one.visits / 3000 for one in chain.members} == pytest.approx(
        dict.fromkeys(pairs, 1 / 3), abs=0.06
    )


def test_from_an_interaction_of_all_parameters_a_chain_goes_on() -> None:
    whole: Decomposition = ((0, 1, 2),)
    chain = OverlappingSampler(3, UniformPrior(3)).sample(whole, lambda _: 0.0, 300, np.random.default_rng(1))
    assert {one.decomposition for one in chain.members} == set(antichains(3, 3))


def test_every_state_is_a_proper_factor_graph_within_the_bound() -> None:
    sampler = OverlappingSampler(9, SparseInteractionsPrior(9, 4, expected=6.0))
    chain = sampler.sample(
        single_parameters(9), lambda d: 1.5 * sum(len(f) > 1 for f in d), 400, np.random.default_rng(0)
    )
    for member in chain.members:
        assert max(map(len, FactorGraph(member.decomposition, 9).factors)) <= 4
    assert any(not FactorGraph(m.decomposition, 9).is_partition for m in chain.members)


def test_an_interaction_that_is_not_possible_is_never_visited() -> None:
    def without_the_first_pair(factor: Factor) -> bool:
        return not {0, 1} <= set(factor)

    prior = SparseInteractionsPrior(5, 3, 4.0, without_the_first_pair)
    chain = OverlappingSampler(5, prior).sample(
        single_parameters(5), lambda d: 1.5 * sum(len(f) > 1 for f in d), 400, np.random.default_rng(0)
    )
    visited = {factor for member in chain.members for factor in member.decomposition}
    assert all(without_the_first_pair(factor) for factor in visited)
    assert max(map(len, visited)) == 3


def test_a_bound_is_needed_and_must_make_sense() -> None:
    with pytest.raises(ValueError, match="need a bound"):
        OverlappingSampler(5, UniformPrior())
    with pytest.raises(ValueError, match="2 to 3"):
        SparseInteractionsPrior(3, 4, 1.0)


def test_overlapping_pairs_of_a_function_are_found() -> None:
    rng = np.random.default_rng(2)
    X = rng.random((80, 5))
    y = np.sin(5 * X[:, 0] * X[:, 1]) + np.cos(6 * X[:, 1] * X[:, 2]) + X[:, 3]
    seen = Data(X, (y - y.mean()) / y.std(), np.arange(5))
    evidence = DecompositionEvidence(AdditiveFitter(seen, KernelTemplate("each", RBF)), 5)
    chain = OverlappingSampler(5, SparseInteractionsPrior(5, 2, 2.0)).sample(
        single_parameters(5), evidence, 120, np.random.default_rng(0)
    )
    best = chain.best.decomposition
    assert {(0, 1), (1, 2)} <= set(best)
    assert len(best) <= 5
