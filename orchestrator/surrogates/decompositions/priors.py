"""Priors over decompositions: what is believed of the structure before any value is seen.

Each answers an unnormalised log probability, minus infinity where the decomposition is impossible. A bound on
factor size is part of the prior, so that a sampler and an enumeration mean the same posterior.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from orchestrator.surrogates.decompositions.factor_graph import Decomposition, Factor


class DecompositionPrior(Protocol):
    """log p(decomposition), up to a constant. ``maximum_size`` bounds a factor's size; None does not."""

    @property
    def maximum_size(self) -> int | None: ...

    def log_probability(self, decomposition: Decomposition) -> float: ...


def _within(decomposition: Decomposition, maximum_size: int | None) -> bool:
    return maximum_size is None or all(len(factor) <= maximum_size for factor in decomposition)


@dataclass(frozen=True)
class UniformPrior:
    """Every decomposition within the size bound as likely as any other (implicit in Gardner et al. 2017)."""

    maximum_size: int | None = None

    def log_probability(self, decomposition: Decomposition) -> float:
        """0, or minus infinity beyond the bound."""
        return 0.0 if _within(decomposition, self.maximum_size) else -math.inf


def any_interaction(factor: Factor) -> bool:
    """Whether it is possible: always."""
    del factor
    return True


@dataclass(frozen=True)
class SparseInteractionsPrior:
    """Over overlapping decompositions: each interaction (a factor of two or more) is there by its own coin.

    ``expected`` interactions in all, shared evenly among the sizes 2 to ``maximum_size`` and then among the
    C(D, s) factors of each size: without the division, the sheer number of large factors would favour them.
    Singletons are implied by what the interactions leave out and cost nothing. ``dimension`` is D. Those of
    which ``possible`` says no are never there.
    """

    dimension: int
    maximum_size: int
    expected: float
    possible: Callable[[Factor], bool] = any_interaction

    def __post_init__(self) -> None:
        if not 2 <= self.maximum_size <= self.dimension:
            raise ValueError(
                f"overlapping factors have at most 2 to {self.dimension} parameters (the dimension); "
                f"the bound given is {self.maximum_size}"
            )
        if not self.expected > 0:
            raise ValueError(f"a positive number of interactions is expected, not {self.expected}")

    def _log_odds(self, size: int) -> float:
        share = self.expected / ((self.maximum_size - 1) * math.comb(self.dimension, size))
        share = min(share, 0.5)
        return math.log(share) - math.log1p(-share)

    def log_probability(self, decomposition: Decomposition) -> float:
        """The sum of log odds of the interactions present; minus infinity where one cannot be."""
        interactions = [factor for factor in decomposition if len(factor) > 1]
        if not _within(decomposition, self.maximum_size) or not all(map(self.possible, interactions)):
            return -math.inf
        return sum(self._log_odds(len(factor)) for factor in interactions)
