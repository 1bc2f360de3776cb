"""DuMBO: factors of any size that choose together by ADMM (Bardou, Thiran & Begin 2024)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.acquisition.factor_betas import beta_of_the_total
from orchestrator.algorithms.additive.algorithm import Climbed
from orchestrator.algorithms.additive.belief import Belief
from orchestrator.algorithms.additive.decentralised_algorithm import (
    DecentralisedAlgorithm,
    DecentralisedOptions,
)
from orchestrator.algorithms.additive.decentralised_choice import MessagePassing
from orchestrator.algorithms.additive.factor_functions import FactorFunctions, mixed
from orchestrator.algorithms.additive.structure_search import KnownStructure, PartitionChain, StructureSearch
from orchestrator.algorithms.base import Options, Problem
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.sums.admm import Admm
from orchestrator.maximisers.sums.separate_factors import SeparateFactors

# Starts and iterations of ADMM: as many as keep a choice well under a second on one core, whatever the number
# of factors and of results.
WORK = 150
MANY_FACTORS = 12
MANY_RESULTS = 250


class DumboOptions(DecentralisedOptions):
    """Options of ``dumbo``, and those of `DecentralisedOptions`.

    ``maximum_factor_size`` bounds learned factors; the paper bounds nothing. ``decomposed_outputs``: whether
    each factor is learned from its own output where evaluators report it (ADD-DuMBO).
    """

    beta_dimension: int | None = Field(1, ge=1)
    maximum_factor_size: int | None = Field(None, ge=1)
    decomposed_outputs: bool = True

    def without_effect(self, problem: Problem) -> dict[str, str]:
        """See `Options.without_effect`."""
        found = super().without_effect(problem)
        if problem.factors is None and "decomposed_outputs" in self.model_fields_set:
            found["decomposed_outputs"] = "no factors are known"
        return found


class Dumbo(DecentralisedAlgorithm[DumboOptions]):
    """The function is taken for a sum of factors of any size; a tight bound is maximised by ADMM.

    1. For the first evaluations: the start design.
    2. Now and then: hyperparameters, and decompositions sampled by MCMC, weighted by their probability
       (App. B, Eqs. 20-22); or the known one.
    3. x = argmax sum_i mu_i + sqrt(beta) sqrt(sum over k in N_i of sigma_k^2 / |N_k|^2) (Eq. 8), by ADMM
       between factors and parameters (Alg. 1).
    4. Evaluate at x, and learn: from the total (Eqs. 4 and 5), or each factor from its own output (ADD-DuMBO,
       Eqs. 23 and 24).

    Source: Bardou et al. 2024, Algorithm 1 and Appendices B and C.

    Deviations: the start design is a Sobol sequence. Hyperparameters are maximum a posteriori, and refitted
    on a schedule, or as soon as results lie far from what was predicted, rather than at every evaluation; a
    refit weighs a bounded number of decompositions, and keeps the most probable of all it weighed, by
    evidence (Eq. 21) rather than by visits (Eq. 22); one with less than a fiftieth of the first's probability
    is not kept, and one with less than a thousandth, once results have come since, has no part in a choice.
    Structures are weighed with their hyperparameters integrated out (Laplace), by 150 results at most,
    hyperparameters fitted to 300, in more than 40 parameters to 200; beyond 500 results a refit keeps 500.
    The chain starts from the most probable of the fully dependent decomposition, the fully split one and last
    time's. It samples partitions, for which Eq. 8 is the sum of factor UCBs; factors that overlap come from
    those who know them. In beta = 0.2 d log 2t, d counts as 1 whatever the size of a factor
    (``beta_dimension``), as Eq. 8 has one beta for all factors: with d = 24 the fully dependent decomposition
    would explore Powell's function and never descend. Its root is halved, as the sum in Eq. 8 overstates the
    deviation of the total, the more the more factors there are; not so in the theoretical schedule, nor,
    learned from totals, where noise is known or reported. Values with a heavy tail are warped where that has
    more evidence. ADMM runs from several starts; see `Admm`. Where factors share no parameter, and all are
    continuous, there is nothing to agree on, and each is climbed by itself. With decomposed outputs, which
    count if they add up to the values, noise is inferred for each factor, and a factor whose output turns out
    to be a sum over its parameters is split. A failed evaluation counts as an average result, or, with
    decomposed outputs, not at all. Of a factor's deviation, where it is learned from totals, only what may
    change from the best point told counts, and points that still run are believed to come out as predicted,
    factor by factor: see `factor_knowledge`. A point at which the total is known too well to be the best is
    passed over; one that may be better by a thousandth of the values' deviation at most is so at every other
    trial, with twice the exploration. A point is not suggested twice.
    """

    name: ClassVar[str] = "dumbo"
    Options: ClassVar[type[Options]] = DumboOptions

    @property
    def _structures(self) -> StructureSearch:
        """Line 2."""
        if self._problem.factors is not None:
            return KnownStructure(self._problem.factors)
        options = self._options
        return PartitionChain(self._problem.domain.dimension, options.maximum_factor_size, options.evidences)

    @property
    def _learns_terms(self) -> bool:
        return self._options.decomposed_outputs

    def _acquisition(self, belief: Belief, t: int) -> FactorFunctions:
        """Eq. 8, averaged as in Eq. 21."""
        options = self._options
        of_the_total = beta_of_the_total(t, self._log_points, options.failure)
        betas = options.betas(t, lambda graph: np.full(graph.size, of_the_total))
        return mixed(belief.hypotheses, betas, coupled=True)

    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        """Algorithm 1."""
        D = self._problem.domain.dimension
        many_results = max(1.0, self._results.most_kept(len(self._results)) / MANY_RESULTS)
        starts = int(np.clip(WORK / acquisition.graph.size / many_results**2, 4, 24))
        patience = 1.0 / many_results * (0.5 if acquisition.graph.size > MANY_FACTORS else 1.0)
        maximiser: MessagePassing
        if acquisition.graph.is_partition and not self._searched(acquisition).is_discrete.any():
            # No parameter is shared, so that there is nothing to agree on.
            maximiser = SeparateFactors(restarts=max(8, starts))
        else:
            maximiser = Admm(
                restarts=starts,
                iterations=max(4, round(16 * patience)),
                steps=3,
                first_steps=8,
                # The final ascent takes over from here.
                tolerance=5e-3,
                kept=max(2, round(8 * patience)),
                # Quasi-Newton learns one direction of the D in an iteration.
                polish=max(10, round(max(40 * patience, 0.6 * D / many_results))),
            )
        return self.nodes.climb(acquisition, maximiser, incumbents, int(rng.integers(2**63)))
