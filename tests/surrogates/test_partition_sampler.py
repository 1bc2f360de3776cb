"""The chain over partitions has the posterior it claims, and finds structure that is there."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, canonical
from orchestrator.surrogates.decompositions.partitions import (
    PartitionSampler,
    fully_dependent,
    single_parameters,
)
from orchestrator.surrogates.decompositions.priors import DecompositionPrior, UniformPrior
from orchestrator.surrogates.decompositions.visits import Visits
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.fits.additive import AdditiveFitter, DecompositionEvidence
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate
from orchestrator.surrogates.mixtures.ensemble import normalised


def partitions(items: tuple[int, ...]) -> Iterator[Decomposition]:
    """Every partition, by the first item's company."""
    if not items:
        yield ()
        return
    for rest in partitions(items[1:]):
        yield canonical([(items[0],), *rest])
        for i, group in enumerate(rest):
            yield canonical([*rest[:i], (items[0], *group), *rest[i + 1 :]])


def rugged(decomposition: Decomposition) -> float:
    """A log evidence without symmetry: some pairs belong together, some do not."""
    affinity = np.random.default_rng(7).normal(size=(8, 8))
    return sum(float(affinity[a, b]) for group in decomposition for a in group for b in group if a < b)


def posterior_met(chain: Visits) -> np.ndarray:
    """(members,) the posterior renormalised over what was met: Eq. 21 of Bardou et al. 2024."""
    return np.exp(normalised([member.log_posterior for member in chain.members]))


@dataclass(frozen=True)
class ChineseRestaurantPrior:
    """p proportional to concentration^F times the product of (|V_i| - 1)!: a prior that is not flat."""

    concentration: float
    maximum_size: int

    def log_probability(self, decomposition: Decomposition) -> float:
        if any(len(factor) > self.maximum_size for factor in decomposition):
            return -math.inf
        occupied = sum(math.lgamma(len(factor)) for factor in decomposition)
        return len(decomposition) * math.log(self.concentration) + occupied


def total_variation(visited: dict[Decomposition, float], exact: dict[Decomposition, float]) -> float:
    return 0.5 * sum(abs(visited.get(d, 0.0) - exact.get(d, 0.0)) for d in visited.keys() | exact.keys())


@pytest.mark.parametrize(
    ("prior", "moves"),
    [
        (UniformPrior(), 1 / 3),
        (UniformPrior(), 0.0),
        (UniformPrior(maximum_size=3), 1 / 3),
        (UniformPrior(maximum_size=2), 0.0),
        (ChineseRestaurantPrior(0.5, maximum_size=4), 1 / 3),
    ],
)
def test_five_parameters_are_partitioned_in_proportion_to_the_posterior(
    prior: DecompositionPrior, moves: float
) -> None:
    everything = set(partitions(tuple(range(5))))
    assert len(everything) == 52
    scores = {d: rugged(d) + prior.log_probability(d) for d in everything}
    norm = math.log(sum(math.exp(score) for score in scores.values()))
    exact = {d: math.exp(score - norm) for d, score in scores.items()}

    steps = 15_000
    chain = PartitionSampler(prior, moves).sample(
        single_parameters(5), rugged, steps, np.random.default_rng(1)
    )
    visited = {member.decomposition: member.visits / steps for member in chain.members}
    # 15,000 independent draws would be about 0.02 away; the chain's draws are correlated.
    assert total_variation(visited, exact) < 0.05
    assert all(exact[d] > 0 for d in visited)
    by_posterior = posterior_met(chain)
    np.testing.assert_allclose(by_posterior, [exact[m.decomposition] for m in chain.members], atol=1e-3)


@pytest.mark.parametrize("prior", [UniformPrior(), UniformPrior(3)])
def test_every_hastings_ratio_is_that_of_the_proposal_frequencies(prior: DecompositionPrior) -> None:
    """q(a -> b) counted from draws, against the ratio reported on the way from a to b."""
    sampler, rng, draws = PartitionSampler(prior, 0.4), np.random.default_rng(0), 2500
    states = [d for d in partitions(tuple(range(4))) if prior.log_probability(d) == 0]
    counted = {state: Counter[Decomposition]() for state in states}
    reported: dict[tuple[Decomposition, Decomposition], set[float]] = {}
    for state in states:
        for _ in range(draws):
            after, log_ratio = sampler.propose(state, rng)
            counted[state][after] += 1
            reported.setdefault((state, after), set()).add(round(log_ratio, 10))
    for (a, b), ratios in reported.items():
        if a == b or len(ratios) > 1:  # a split and a move can make the same step, each with its own ratio
            continue
        there, back = counted[a][b] / draws, counted[b][a] / draws
        spread = math.sqrt(1 / counted[a][b] + 1 / max(1, counted[b][a]))
        assert next(iter(ratios)) == pytest.approx(math.log(back / there), abs=5 * spread)


def test_ratios_there_and_back_cancel() -> None:
    sampler, rng = PartitionSampler(UniformPrior(3), moves=0.0), np.random.default_rng(2)
    state = single_parameters(7)
    ratios: dict[tuple[Decomposition, Decomposition], float] = {}
    for _ in range(3000):
        after, log_ratio = sampler.propose(state, rng)
        ratios[state, after] = log_ratio
        state = after
    pairs = [(a, b) for a, b in ratios if a != b and (b, a) in ratios]
    assert len(pairs) > 20
    for a, b in pairs:
        assert ratios[a, b] == pytest.approx(-ratios[b, a], abs=1e-12)


def test_a_bound_on_size_is_never_broken() -> None:
    chain = PartitionSampler(UniformPrior(3)).sample(
        single_parameters(12), lambda d: float(sum(len(g) ** 2 for g in d)), 500, np.random.default_rng(0)
    )
    assert max(len(group) for member in chain.members for group in member.decomposition) == 3
    with pytest.raises(ValueError, match="impossible under its prior"):
        PartitionSampler(UniformPrior(3)).sample(fully_dependent(12), rugged, 10, np.random.default_rng(0))


def test_the_same_stream_makes_the_same_chain_and_evidence_is_asked_once() -> None:
    asked: Counter[Decomposition] = Counter()

    def evidence(decomposition: Decomposition) -> float:
        asked[decomposition] += 1
        return rugged(decomposition)

    sampler = PartitionSampler(UniformPrior())
    first = sampler.sample(fully_dependent(6), evidence, 400, np.random.default_rng(4))
    assert max(asked.values()) == 1
    assert first == sampler.sample(fully_dependent(6), evidence, 400, np.random.default_rng(4))
    assert sum(member.visits for member in first.members) == first.steps == 400
    assert 0 < first.accepted < first.steps


def test_one_parameter_has_one_partition_and_large_dimensions_do_not_overflow() -> None:
    sampler = PartitionSampler(UniformPrior())
    alone = sampler.sample(((0,),), lambda _: 0.0, 10, np.random.default_rng(0))
    assert alone.best.decomposition == ((0,),)
    many = sampler.sample(fully_dependent(2000), lambda _: 0.0, 5, np.random.default_rng(0))
    assert np.isfinite([member.log_posterior for member in many.members]).all()


def test_a_decomposition_that_cannot_be_fitted_is_passed_by() -> None:
    def evidence(decomposition: Decomposition) -> float:
        return math.nan if len(decomposition) == 2 else 0.0

    chain = PartitionSampler(UniformPrior()).sample(
        single_parameters(3), evidence, 300, np.random.default_rng(0)
    )
    assert {len(member.decomposition) for member in chain.members} <= {1, 3}


def test_the_structure_of_an_additive_function_is_recovered_from_eighty_points() -> None:
    rng = np.random.default_rng(11)
    X = rng.random((80, 6))
    y = np.sin(6 * X[:, 0] * X[:, 3]) + np.cos(5 * (X[:, 1] - X[:, 4])) + (2 * X[:, 2] - 1) ** 2 + X[:, 5]
    seen = Data(X, (y - y.mean()) / y.std(), np.arange(6))
    evidence = DecompositionEvidence(AdditiveFitter(seen, KernelTemplate("each", RBF)), 6)
    chain = PartitionSampler(UniformPrior()).sample(
        fully_dependent(6), evidence, 120, np.random.default_rng(0)
    )
    best = chain.best.decomposition
    assert (0, 3) in best
    assert (1, 4) in best
    assert (2,) in best
    assert posterior_met(chain).max() > 0.5
