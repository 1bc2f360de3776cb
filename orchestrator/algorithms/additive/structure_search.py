"""Searches for the decompositions worth believing in, each until a budget of evidences is computed.

Computing the evidence of a decomposition means fitting its hyperparameters, which is all the cost of a
search; a chain's steps are free. Every decomposition whose evidence is known is weighed by its posterior
(Eq. 21 of Bardou et al. 2024), whether the chain held it or not.

Notation: D parameters, d the size of a group.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from orchestrator.surrogates.decompositions.factor_graph import Decomposition, Factor, canonical
from orchestrator.surrogates.decompositions.overlapping import OverlappingSampler
from orchestrator.surrogates.decompositions.partitions import (
    PartitionSampler,
    fully_dependent,
    single_parameters,
)
from orchestrator.surrogates.decompositions.priors import (
    DecompositionPrior,
    SparseInteractionsPrior,
    UniformPrior,
    any_interaction,
)
from orchestrator.surrogates.decompositions.random_partitions import best_random_partition
from orchestrator.surrogates.decompositions.visits import LogEvidence, Visits

STEPS_AT_ONCE = 4
STEPS_AN_EVIDENCE = 6
"""A chain gives up after so many steps for each evidence it may compute: where it has seen all there is."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Log posteriors, up to a constant, of all that was weighed; ``last`` is where to go on next time."""

    log_posteriors: Mapping[Decomposition, float]
    last: Decomposition
    steps: int = 0
    accepted: int = 0

    def most_probable(self, count: int, least: float) -> list[Decomposition]:
        """At most ``count``, the best first, none less probable than ``least`` of the best."""
        ordered = sorted(self.log_posteriors, key=lambda state: (-self.log_posteriors[state], state))
        best = self.log_posteriors[ordered[0]]
        return [
            state
            for i, state in enumerate(ordered[:count])
            if i == 0 or self.log_posteriors[state] - best >= math.log(least)
        ]


class StructureSearch(Protocol):
    """A way of finding decompositions."""

    def log_prior(self, decomposition: Decomposition) -> float:
        """Its log prior probability, up to a constant."""
        ...

    def search(
        self, evidence: LogEvidence, incumbents: Sequence[Decomposition], rng: np.random.Generator
    ) -> Searched:
        """``incumbents`` are last time's ``last`` and members, if any, and compete again."""
        ...


@dataclass(frozen=True, slots=True)
class KnownStructure:
    """Nothing to find: the decomposition is known."""

    decomposition: Decomposition

    def log_prior(self, decomposition: Decomposition) -> float:
        del decomposition
        return 0.0

    def search(
        self, evidence: LogEvidence, incumbents: Sequence[Decomposition], rng: np.random.Generator
    ) -> Searched:
        del evidence, incumbents, rng
        known = canonical(self.decomposition)
        return Searched({known: 0.0}, known)


@dataclass(frozen=True, slots=True)
class RandomGroups:
    """D random partitions into groups of ``size``, and the best by evidence (Kandasamy et al. 2015, 4.4);
    so many ``exchanges`` between its groups are tried.
    """

    dimension: int
    size: int
    exchanges: int = 0

    def log_prior(self, decomposition: Decomposition) -> float:
        del decomposition
        return 0.0

    def search(
        self, evidence: LogEvidence, incumbents: Sequence[Decomposition], rng: np.random.Generator
    ) -> Searched:
        found = best_random_partition(self.dimension, self.size, evidence, rng, incumbents, self.exchanges)
        weighed = {member.decomposition: member.log_posterior for member in found.members}
        return Searched(weighed, found.best.decomposition, found.steps, found.accepted)


class _Sampler(Protocol):
    def sample(
        self, start: Decomposition, log_evidence: LogEvidence, steps: int, rng: np.random.Generator
    ) -> Visits: ...


@dataclass(slots=True)
class _Weighed:
    """An evidence that remembers what it was asked for."""

    evidence: LogEvidence
    found: dict[Decomposition, float] = field(default_factory=dict)

    def __call__(self, decomposition: Decomposition) -> float:
        if decomposition not in self.found:
            self.found[decomposition] = self.evidence(decomposition)
        return self.found[decomposition]


def _chain(
    sampler: _Sampler,
    prior: DecompositionPrior,
    starts: Sequence[Decomposition],
    evidence: LogEvidence,
    budget: int,
    rng: np.random.Generator,
) -> Searched:
    """Metropolis-Hastings from the most probable start, until ``budget`` evidences are computed."""
    weighed = _Weighed(evidence)
    possible = [start for start in dict.fromkeys(starts) if math.isfinite(prior.log_probability(start))]
    state = max(possible, key=lambda start: weighed(start) + prior.log_probability(start))
    steps = accepted = 0
    while len(weighed.found) < budget and steps < budget * STEPS_AN_EVIDENCE:
        visits = sampler.sample(state, weighed, STEPS_AT_ONCE, rng)
        state = visits.last
        steps += visits.steps
        accepted += visits.accepted
    posteriors = {d: found + prior.log_probability(d) for d, found in weighed.found.items()}
    return Searched(posteriors, state, steps, accepted)


@dataclass(frozen=True, slots=True)
class PartitionChain:
    """Splits, merges and moves, from the best of the fully dependent, the fully split and last time's.

    ``maximum_size`` bounds a factor; None does not. ``budget`` is how many evidences to compute.
    """

    dimension: int
    maximum_size: int | None
    budget: int

    @property
    def _prior(self) -> UniformPrior:
        return UniformPrior(self.maximum_size)

    def log_prior(self, decomposition: Decomposition) -> float:
        return self._prior.log_probability(decomposition)

    def search(
        self, evidence: LogEvidence, incumbents: Sequence[Decomposition], rng: np.random.Generator
    ) -> Searched:
        starts = [*incumbents, fully_dependent(self.dimension), single_parameters(self.dimension)]
        return _chain(PartitionSampler(self._prior), self._prior, starts, evidence, self.budget, rng)


@dataclass(frozen=True, slots=True)
class OverlappingChain:
    """Births, deaths and swaps of interactions, from the best of the fully split and last time's structures.

    ``maximum_size`` bounds a factor, 2 to D; ``expected`` is how many interactions are expected beforehand;
    those of which ``possible`` says no are not considered.
    """

    dimension: int
    maximum_size: int
    expected: float
    budget: int
    possible: Callable[[Factor], bool] = any_interaction

    @property
    def _prior(self) -> SparseInteractionsPrior:
        return SparseInteractionsPrior(self.dimension, self.maximum_size, self.expected, self.possible)

    def log_prior(self, decomposition: Decomposition) -> float:
        return self._prior.log_probability(decomposition)

    def search(
        self, evidence: LogEvidence, incumbents: Sequence[Decomposition], rng: np.random.Generator
    ) -> Searched:
        starts = [*incumbents, single_parameters(self.dimension)]
        if self.dimension <= self.maximum_size:
            starts.append(fully_dependent(self.dimension))
        sampler = OverlappingSampler(self.dimension, self._prior)
        return _chain(sampler, self._prior, starts, evidence, self.budget, rng)
