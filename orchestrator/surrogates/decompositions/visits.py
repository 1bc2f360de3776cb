"""What a search over decompositions leaves behind: each one once, with its evidence and its visits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orchestrator.surrogates.decompositions.factor_graph import Decomposition

LogEvidence = Callable[[Decomposition], float]
"""log p(data | decomposition), up to a constant. It must answer the same for the same decomposition."""


@dataclass(frozen=True)
class Visited:
    """One decomposition: its log evidence, the log prior that its sampler gave it, and how often it was
    held.
    """

    decomposition: Decomposition
    log_evidence: float
    log_prior: float
    visits: int

    @property
    def log_posterior(self) -> float:
        """Up to a constant that all decompositions of one search share."""
        return self.log_evidence + self.log_prior


@dataclass(frozen=True)
class Visits:
    """The decompositions that a search held: of a chain, most visited first (ties: most probable first).

    ``last`` is where a chain ended, to go on from later; ``steps`` and ``accepted`` count its proposals.
    """

    members: tuple[Visited, ...]
    last: Decomposition
    steps: int
    accepted: int

    @property
    def best(self) -> Visited:
        """The most probable decomposition met."""
        return max(self.members, key=lambda member: member.log_posterior)


def gather(
    chain: Sequence[Decomposition],
    scores: dict[Decomposition, tuple[float, float]],
    accepted: int,
) -> Visits:
    """Count a chain's states. ``scores`` gives each one's (log evidence, log prior)."""
    counts: dict[Decomposition, int] = {}
    for state in chain:
        counts[state] = counts.get(state, 0) + 1
    members = [Visited(state, *scores[state], visits) for state, visits in counts.items()]
    members.sort(key=lambda member: (-member.visits, -member.log_posterior, member.decomposition))
    return Visits(tuple(members), chain[-1], len(chain), accepted)
