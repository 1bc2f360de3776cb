"""Metropolis-Hastings over partitions of the parameters: splits, merges and moves of one parameter.

App. B of Bardou et al. 2024, after Gardner et al. 2017, *Discovering and Exploiting Additive Structure for
Bayesian Optimization*.

Notation: M groups; S of them splittable (two parameters or more); P pairs of groups that may merge (their
union is within the bound); s the size of a group.

Deviations: the papers bound nothing and give no Hastings ratio; here it is exact, with a bound or without.
A third kind of proposal moves one parameter, because a random split of a large group almost never cuts off
just the parameter that does not belong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.surrogates.decompositions.factor_graph import Decomposition, Factor, canonical
from orchestrator.surrogates.decompositions.metropolis import Proposal, metropolis_hastings
from orchestrator.surrogates.decompositions.priors import DecompositionPrior
from orchestrator.surrogates.decompositions.visits import LogEvidence, Visits


def single_parameters(dimension: int) -> Decomposition:
    """The finest partition, one factor a parameter: within any bound."""
    return tuple((j,) for j in range(dimension))


def fully_dependent(dimension: int) -> Decomposition:
    """The coarsest partition, where the papers start their chain."""
    return (tuple(range(dimension)),)


@dataclass(frozen=True)
class PartitionSampler:
    """Draws partitions from p(data | partition) p(partition).

    ``prior`` also bounds the groups' size. ``moves`` is the share of proposals, 0 to 1 (1 excluded), that
    move one parameter; the rest split or merge.
    """

    prior: DecompositionPrior
    moves: float = 1 / 3

    def __post_init__(self) -> None:
        if not 0 <= self.moves < 1:
            raise ValueError(f"the share of moves lies in [0, 1): {self.moves} would leave no split or merge")

    def sample(
        self, start: Decomposition, log_evidence: LogEvidence, steps: int, rng: np.random.Generator
    ) -> Visits:
        """A chain of ``steps`` states from ``start``, a partition within the bound.

        ``log_evidence`` is called once for each distinct partition proposed. Continue a chain from
        `Visits.last`.
        """
        return metropolis_hastings(canonical(start), self.propose, self.prior, log_evidence, steps, rng)

    def propose(self, state: Decomposition, rng: np.random.Generator) -> Proposal:
        """One proposal from a canonical partition, with its log Hastings ratio."""
        if rng.random() < self.moves:
            return self._move(state, rng)
        splittable = [group for group in state if len(group) > 1]
        pairs = self._mergeable(state)
        splitting = _probability_of_split(len(splittable), len(pairs))
        if not splittable and not pairs:
            return state, 0.0
        if rng.random() < splitting:
            group = splittable[rng.integers(len(splittable))]
            return self._split(state, group, len(splittable), splitting, rng)
        first, second = pairs[rng.integers(len(pairs))]
        return self._merge(state, first, second, len(pairs), splitting)

    def _mergeable(self, state: Decomposition) -> list[tuple[Factor, Factor]]:
        bound = self.prior.maximum_size or math.inf
        return [
            (first, second)
            for i, first in enumerate(state)
            for second in state[i + 1 :]
            if len(first) + len(second) <= bound
        ]

    def _split(
        self,
        state: Decomposition,
        group: Factor,
        splittable: int,
        splitting: float,
        rng: np.random.Generator,
    ) -> Proposal:
        """there: split/S * 1/(2^(s-1) - 1); back: (1 - split') / P'."""
        first, second = _two_parts(group, rng)
        after = canonical([*(g for g in state if g != group), first, second])
        pairs = len(self._mergeable(after))
        merging = 1 - _probability_of_split(sum(len(g) > 1 for g in after), pairs)
        there = math.log(splitting / splittable) - _log_bipartitions(len(group))
        return after, math.log(merging / pairs) - there

    def _merge(
        self, state: Decomposition, first: Factor, second: Factor, pairs: int, splitting: float
    ) -> Proposal:
        """there: (1 - split) / P; back: split'/S' * 1/(2^(s'-1) - 1)."""
        union = first + second
        after = canonical([*(g for g in state if g not in (first, second)), union])
        splittable = sum(len(g) > 1 for g in after)
        back_split = _probability_of_split(splittable, len(self._mergeable(after)))
        back = math.log(back_split / splittable) - _log_bipartitions(len(union))
        return after, back - math.log((1 - splitting) / pairs)

    def _move(self, state: Decomposition, rng: np.random.Generator) -> Proposal:
        """A parameter at random goes to another group with room, or off on its own, each as likely."""
        parameter = int(rng.integers(sum(len(group) for group in state)))
        home = next(group for group in state if parameter in group)
        targets = self._targets(state, home)
        if not targets:
            return state, 0.0
        target = targets[rng.integers(len(targets))]
        left = tuple(p for p in home if p != parameter)
        joined = tuple(sorted((*target, parameter)))
        rest = [group for group in state if group not in (home, target)]
        after = canonical([*rest, joined, *([left] if left else [])])
        back = len(self._targets(after, joined))
        return after, math.log(len(targets)) - math.log(back)

    def _targets(self, state: Decomposition, home: Factor) -> list[Factor]:
        bound = self.prior.maximum_size or math.inf
        others = [group for group in state if group != home and len(group) < bound]
        return others if len(home) == 1 else [*others, ()]


def _probability_of_split(splittable: int, pairs: int) -> float:
    if splittable and pairs:
        return 0.5
    return 1.0 if splittable else 0.0


def _log_bipartitions(size: int) -> float:
    """log(2^(s-1) - 1), the ways to cut a group in two; no overflow at any size."""
    return (size - 1) * math.log(2.0) + math.log1p(-(2.0 ** (1 - size)))


def _two_parts(group: Factor, rng: np.random.Generator) -> tuple[Factor, Factor]:
    """One of the 2^(s-1) - 1 cuts, each as likely: the first parameter's side is free, the rest by coins."""
    while True:
        stays = rng.random(len(group) - 1) < 0.5
        if not stays.all():
            break
    first = (group[0], *(p for p, stay in zip(group[1:], stays, strict=True) if stay))
    second = tuple(p for p, stay in zip(group[1:], stays, strict=True) if not stay)
    return first, second
