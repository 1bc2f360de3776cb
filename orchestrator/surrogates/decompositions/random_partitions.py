"""Random partitions with groups of a given size, chosen by evidence (section 4.4 of Kandasamy et al. 2015).

Notation: D parameters, d the size of a group, M = ceil(D / d) groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from orchestrator.surrogates.decompositions.exchanges import improved
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, canonical
from orchestrator.surrogates.decompositions.visits import LogEvidence, Visited, Visits


def random_partition(dimension: int, group_size: int, rng: np.random.Generator) -> Decomposition:
    """The parameters shuffled and cut into groups of ``group_size``; the last group has what is left."""
    order = rng.permutation(dimension)
    return canonical(order[i : i + group_size] for i in range(0, dimension, group_size))


def random_partitions(
    dimension: int, group_size: int, count: int, rng: np.random.Generator
) -> tuple[Decomposition, ...]:
    """At most ``count`` distinct partitions: fewer where there are hardly so many.

    Raises ValueError for a group size outside 1 to D.
    """
    if not 1 <= group_size <= dimension:
        raise ValueError(
            f"groups of 1 to {dimension} parameters (the dimension) are possible, not {group_size}"
        )
    found: dict[Decomposition, None] = {}
    # Ten draws for each one wanted: where D is tiny the distinct ones run out, and drawing on finds nothing.
    for _ in range(10 * count):
        if len(found) == count:
            break
        found.setdefault(random_partition(dimension, group_size, rng))
    return tuple(found)


def best_random_partition(
    dimension: int,
    group_size: int,
    log_evidence: LogEvidence,
    rng: np.random.Generator,
    incumbents: Sequence[Decomposition] = (),
    exchanges: int = 0,
) -> Visits:
    """D random partitions, weighed by evidence; `Visits.best` is the one that Add-GP-UCB keeps.

    Deviations: ``incumbents`` (last time's choice) compete too, so that a relearning never forgets the best
    structure found so far; the paper draws afresh each time. From the best so many ``exchanges`` are tried.
    """
    candidates = dict.fromkeys(canonical(incumbent) for incumbent in incumbents)
    candidates |= dict.fromkeys(random_partitions(dimension, group_size, max(1, dimension), rng))
    members = [_weighed(log_evidence, candidate) for candidate in candidates]
    members.sort(key=lambda member: (-member.log_evidence, member.decomposition))
    found = Visits(tuple(members), members[0].decomposition, len(members), 0)
    return improved(found, group_size, exchanges, partial(_weighed, log_evidence), rng)


def _weighed(log_evidence: LogEvidence, candidate: Decomposition) -> Visited:
    evidence = log_evidence(candidate)
    return Visited(candidate, evidence if math.isfinite(evidence) else -math.inf, 0.0, 1)
