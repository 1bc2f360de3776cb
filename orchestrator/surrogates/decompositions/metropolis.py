"""The Metropolis-Hastings loop that the samplers of decompositions share."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from orchestrator.surrogates.decompositions.factor_graph import Decomposition
from orchestrator.surrogates.decompositions.priors import DecompositionPrior
from orchestrator.surrogates.decompositions.visits import LogEvidence, Visits, gather

Proposal = tuple[Decomposition, float]
"""A decomposition and log q(back) - log q(there); the state itself where the draw came to nothing."""

Propose = Callable[[Decomposition, np.random.Generator], Proposal]


def metropolis_hastings(
    start: Decomposition,
    propose: Propose,
    prior: DecompositionPrior,
    log_evidence: LogEvidence,
    steps: int,
    rng: np.random.Generator,
) -> Visits:
    """A chain of ``steps`` states after ``start``, with p(data | decomposition) p(decomposition) as target.

    ``log_evidence`` is called once for each distinct decomposition whose prior is positive. Raises ValueError
    if ``start`` is impossible under the prior.
    """
    if steps < 1:
        raise ValueError(f"a chain needs at least one step, not {steps}")
    scores: dict[Decomposition, tuple[float, float]] = {}

    def score(state: Decomposition) -> float:
        if state not in scores:
            log_prior = prior.log_probability(state)
            evidence = log_evidence(state) if math.isfinite(log_prior) else -math.inf
            # A model that cannot be fitted is a model that the data rule out, never a chain that dies.
            scores[state] = (evidence if math.isfinite(evidence) else -math.inf, log_prior)
        return sum(scores[state])

    if not math.isfinite(prior.log_probability(start)):
        raise ValueError(
            f"the chain's start {start} is impossible under its prior (factors of at most "
            f"{prior.maximum_size} parameters); start from single parameters"
        )
    state, held = start, score(start)
    chain: list[Decomposition] = []
    accepted = 0
    for _ in range(steps):
        candidate, log_ratio = propose(state, rng)
        threshold = math.log1p(-rng.random())
        if candidate != state:
            offered = score(candidate)
            # The first clause leaves a start whose evidence is minus infinity: their difference is NaN.
            if offered > -math.inf and (held == -math.inf or threshold < offered - held + log_ratio):
                state, held = candidate, offered
                accepted += 1
        chain.append(state)
    return gather(chain, scores, accepted)
