"""Metropolis-Hastings over overlapping decompositions (App. B of Hoang et al. 2018).

A state is a set of *interactions*, factors of 2 to m parameters of which none lies inside another; every
parameter in no interaction is a factor on its own. So the space is all antichains that cover the parameters,
each written in one way, and the chain can reach any from any.

Notation: U the interactions of a state; J a candidate interaction; its facets are its subsets of one
parameter less; a(U, J) its facets of two parameters or more that lie in no interaction of U other than J.

Proposals, each with its exact Hastings ratio:
- birth: draw J (blind: a size, then a subset; or grown: an interaction of U and one parameter more), add
  it, and take away its facets that are in U (what J absorbs);
- death: draw J from U, take it away, and put back each of its a(U, J) free facets by the toss of a coin;
- swap: exchange one parameter of one interaction for another.

Deviations: Hoang et al. name the sampler of Gardner et al. 2017, which is over partitions and cannot overlap;
this one is ours, with the same target. The prior over decompositions, which they leave open, is explicit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from orchestrator.surrogates.decompositions.factor_graph import Decomposition, Factor, canonical
from orchestrator.surrogates.decompositions.metropolis import Proposal, metropolis_hastings
from orchestrator.surrogates.decompositions.priors import DecompositionPrior
from orchestrator.surrogates.decompositions.visits import LogEvidence, Visits

Interactions = tuple[Factor, ...]

GROWN = 0.5
"""Share of births that grow an interaction already there; the rest are blind."""

SWAPS = 0.25
"""Share of proposals that swap; births and deaths halve the rest."""


def interactions_of(decomposition: Decomposition) -> Interactions:
    """The factors of two parameters or more."""
    return tuple(factor for factor in decomposition if len(factor) > 1)


def with_single_parameters(interactions: Interactions, dimension: int) -> Decomposition:
    """The canonical decomposition that a set of interactions stands for."""
    covered = {p for factor in interactions for p in factor}
    return canonical([*interactions, *((p,) for p in range(dimension) if p not in covered)])


@dataclass(frozen=True)
class OverlappingSampler:
    """Draws overlapping decompositions of ``dimension`` parameters from p(data | U) p(U).

    ``prior.maximum_size`` is the bound m, 2 to D (DEC-HBO uses 2 and 3; a large one is slow to explore).
    """

    dimension: int
    prior: DecompositionPrior

    def __post_init__(self) -> None:
        bound = self.prior.maximum_size
        if bound is None or not 2 <= bound <= self.dimension:
            raise ValueError(
                f"overlapping factors need a bound on their size, 2 to {self.dimension} (the dimension); "
                f"the prior's is {bound}"
            )

    @property
    def bound(self) -> int:
        """m, the most parameters a factor may have."""
        assert self.prior.maximum_size is not None
        return self.prior.maximum_size

    def sample(
        self, start: Decomposition, log_evidence: LogEvidence, steps: int, rng: np.random.Generator
    ) -> Visits:
        """A chain of ``steps`` states from ``start``; no factor of it may lie inside another.

        ``log_evidence`` is called once for each distinct decomposition proposed.
        """
        start = with_single_parameters(interactions_of(canonical(start)), self.dimension)
        return metropolis_hastings(start, self.propose, self.prior, log_evidence, steps, rng)

    def propose(self, state: Decomposition, rng: np.random.Generator) -> Proposal:
        """One proposal, with its log Hastings ratio."""
        U = interactions_of(state)
        kind = rng.random()
        if kind < SWAPS:
            after, log_ratio = self._swap(U, rng)
        elif kind < SWAPS + (1 - SWAPS) / 2:
            after, log_ratio = self._birth(U, rng)
        else:
            after, log_ratio = self._death(U, rng)
        return with_single_parameters(after, self.dimension), log_ratio

    def _birth(self, U: Interactions, rng: np.random.Generator) -> Proposal:
        """there: b(J | U); back: 1/|U'| * 2^-a(U', J)."""
        J = self._draw(U, rng)
        if J is None or any(set(J) <= set(factor) for factor in U):
            return U, 0.0
        inside = [factor for factor in U if set(factor) < set(J)]
        if any(len(factor) != len(J) - 1 for factor in inside):
            return U, 0.0
        after = canonical([*(factor for factor in U if factor not in inside), J])
        back = -math.log(len(after)) - len(_free_facets(after, J)) * math.log(2.0)
        return after, back - self._log_birth(U, J)

    def _death(self, U: Interactions, rng: np.random.Generator) -> Proposal:
        """there: 1/|U| * 2^-a(U, J); back: b(J | U')."""
        if not U:
            return U, 0.0
        J = U[rng.integers(len(U))]
        facets = _free_facets(U, J)
        coins = rng.random(len(facets)) < 0.5
        restored = [facet for facet, heads in zip(facets, coins, strict=True) if heads]
        after = canonical([*(factor for factor in U if factor != J), *restored])
        there = -math.log(len(U)) - len(facets) * math.log(2.0)
        return after, self._log_birth(after, J) - there

    def _swap(self, U: Interactions, rng: np.random.Generator) -> Proposal:
        """Symmetric: 1/|U| * 1/|J| * 1/(D - |J|) both ways."""
        if not U:
            return U, 0.0
        J = U[rng.integers(len(U))]
        outside = [p for p in range(self.dimension) if p not in J]
        if not outside:
            return U, 0.0
        leaving, entering = J[rng.integers(len(J))], outside[rng.integers(len(outside))]
        swapped = tuple(sorted((*(p for p in J if p != leaving), entering)))
        rest = [factor for factor in U if factor != J]
        if any(set(swapped) <= set(factor) or set(factor) <= set(swapped) for factor in rest):
            return U, 0.0
        return canonical([*rest, swapped]), 0.0

    def _draw(self, U: Interactions, rng: np.random.Generator) -> Factor | None:
        """A candidate from b(. | U), or None where the interaction drawn cannot grow."""
        if rng.random() >= GROWN:
            size = int(rng.integers(2, self.bound + 1))
            return tuple(sorted(int(p) for p in rng.choice(self.dimension, size, replace=False)))
        if not U:
            return None
        seed = U[rng.integers(len(U))]
        outside = [p for p in range(self.dimension) if p not in seed]
        if len(seed) == self.bound or not outside:
            return None
        return tuple(sorted((*seed, outside[rng.integers(len(outside))])))

    def _log_birth(self, U: Interactions, J: Factor) -> float:
        """log b(J | U): both ways of drawing J, added, whichever it was."""
        blind = 1 / ((self.bound - 1) * math.comb(self.dimension, len(J)))
        seeds = sum(len(factor) == len(J) - 1 and set(factor) < set(J) for factor in U)
        grown = seeds / (len(U) * (self.dimension - len(J) + 1)) if seeds else 0.0
        return math.log((1 - GROWN) * blind + GROWN * grown)


def _free_facets(U: Interactions, J: Factor) -> list[Factor]:
    """The facets of J of two parameters or more that no interaction of U but J contains."""
    if len(J) == 2:
        return []
    others = [set(factor) for factor in U if factor != J]
    return [
        facet for facet in combinations(J, len(J) - 1) if not any(set(facet) <= other for other in others)
    ]
