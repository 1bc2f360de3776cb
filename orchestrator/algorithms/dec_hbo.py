"""DEC-HBO: small factors that overlap, maximised by max-sum (Hoang, Hoang, Ouyang & Low 2018)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.acquisition.factor_betas import finite_domain_betas
from orchestrator.algorithms.additive.algorithm import BOLDER, WORTHWHILE, Choice, Climbed
from orchestrator.algorithms.additive.belief import Belief, TotalsBelief
from orchestrator.algorithms.additive.decentralised_algorithm import (
    DecentralisedAlgorithm,
    DecentralisedOptions,
)
from orchestrator.algorithms.additive.factor_functions import FactorFunctions, mixed
from orchestrator.algorithms.additive.known_factors import unusable
from orchestrator.algorithms.additive.other_peaks import OtherPeaks, conceivable_gain, reach_of
from orchestrator.algorithms.additive.scales import ScaleChoice
from orchestrator.algorithms.additive.structure_search import (
    KnownStructure,
    OverlappingChain,
    StructureSearch,
)
from orchestrator.algorithms.additive.untried_values import at_untried_values
from orchestrator.algorithms.base import Options, Problem
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.sums.max_sum import FEWEST, MaxSum, table_entries
from orchestrator.surrogates.decompositions.factor_graph import Factor
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.domain import Domain

TABLE = 1024
FINEST = 33
MOST_ENTRIES = 16 * TABLE
"""What the table of a factor of several parameters may have, with the fewest positions of each."""
GOOD_POINTS = 64
TURNS, POLISHING, FAR = 6, 0, 3
"""What is done once nothing is left to gain at the best point told goes by turns: in one it is polished, in
one the whole domain is searched with more weight on exploration, and in the others what `OtherPeaks` finds.
"""
SECOND_THOUGHTS = 4
"""How often at most a point is passed over at which there is nothing to gain."""


class DecHboOptions(DecentralisedOptions):
    """Options of ``dec-hbo``, and those of `DecentralisedOptions`.

    ``maximum_factor_size``: the papers' MFS, a bound on learned factors.
    """

    maximum_factor_size: int = Field(3, ge=1, le=5)
    decompositions: int = Field(2, ge=1, le=10)

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        found = super().check(problem)
        if problem.factors is None or unusable(problem):
            return found
        domain, factors = problem.domain, problem.factors
        refused = [i for i, factor in enumerate(factors) if not _tabulable(factor, domain)]
        if refused:
            largest = max(refused, key=lambda i: _entries(factors[i], domain))
            found.append(
                f"expected known factors with tables of at most {MOST_ENTRIES:,} entries, as max-sum "
                f"tabulates each; factor {largest} {list(factors[largest])} has "
                f"{_written(_entries(factors[largest], domain))}, with all options of a choice and {FEWEST} "
                "or more positions of a number: split it, leave out options, or use dumbo"
            )
        return found


class DecHbo(DecentralisedAlgorithm[DecHboOptions]):
    """The function is taken for a sum of factors that may overlap; their bounds are maximised by messages.

    1. For the first evaluations: the start design.
    2. Now and then: hyperparameters, and decompositions into factors of at most MFS parameters, sampled by
       MCMC and weighted by their probability (App. B), or the known one.
    3. x = argmax sum_j mu^(j) + sqrt(beta) sigma^(j) (Eq. 2), by max-sum between factors and parameters
       (Eqs. 3-4) on positions that are refined around the best (section 3.3); and once nothing is left to
       gain there, around other good points and random ones.
    4. Evaluate at x, and learn (Eq. 1).

    Source: Hoang et al. 2018.

    Deviations: the start design is a Sobol sequence. Hyperparameters are maximum a posteriori, and refitted
    on a schedule, or as soon as results lie far from what was predicted, rather than at every evaluation. The
    chain over decompositions and its prior, which the paper leaves open, are those of
    `surrogates.decompositions.overlapping`; it starts from single parameters, or from last time's structures
    where they are more probable, and a refit weighs a bounded number of decompositions, by evidence where Eq.
    5 counts how often the chain came by, and keeps those with at least a fiftieth of the first's probability,
    none with an interaction too large to tabulate, which those of choices of many options are; one with less
    than a thousandth, once results have come since, has no part in a choice. Structures are weighed with
    their hyperparameters integrated out (Laplace), by 150 results at most, hyperparameters fitted to 300, in
    more than 40 parameters to 200; beyond 500 results a refit keeps 500. ``beta: practical`` is Kandasamy et
    al.'s schedule, for each factor's own size, its root halved, as the sum in Eq. 2 overstates the deviation
    of the total, but where noise is known or reported. Values with a heavy tail are warped where that has
    more evidence. Max-sum is damped on graphs with loops, and passes messages up to 60 times on each grid
    there, 30 times in the paper; see `MaxSum`. A failed evaluation counts as an average result. Values are
    taken for those of a function whose mean is that of the start design, not of all points told, most of
    which lie on peaks. A factor's deviation in Eq. 2 is the one it had if its own values had been observed,
    which is what its information gain is of in the paper's analysis (Definition 1): that from totals stays
    large wherever factors may trade with one another what no total reveals. A point at which the total is
    known too well to be the best is passed over, the best one is polished every sixth time only, and the
    search goes on elsewhere: see `other_peaks`. Parameters that seem not to matter are tried at other values:
    see `untried_values`. Points that still run are believed to come out as predicted, factor by factor: see
    `factor_knowledge`. A point is not suggested twice.
    """

    name: ClassVar[str] = "dec-hbo"
    Options: ClassVar[type[Options]] = DecHboOptions

    @property
    def _structures(self) -> StructureSearch:
        """Line 2."""
        D, bound = self._problem.domain.dimension, self._options.maximum_factor_size
        if self._problem.factors is not None:
            return KnownStructure(self._problem.factors)
        if min(D, bound) == 1:
            return KnownStructure(tuple((p,) for p in range(D)))
        # As many interactions as parameters: a chain of pairs has about that many.
        possible = partial(_tabulable, domain=self._problem.domain)
        return OverlappingChain(D, min(D, bound), float(D), self._options.evidences, possible)

    @property
    def _scales(self) -> ScaleChoice:
        return replace(super()._scales, centre="start design")

    def _acquisition(self, belief: Belief, t: int) -> FactorFunctions:
        """Eq. 2."""
        options, log_points = self._options, self._log_points
        betas = options.betas(t, lambda graph: finite_domain_betas(t, graph, log_points, options.failure))
        return mixed(belief.hypotheses, betas, coupled=False)

    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        """Eqs. 3 and 4."""
        return self.nodes.climb(acquisition, _max_sum(acquisition), incumbents, int(rng.integers(2**63)))

    def _knowing(self, acquisition: FactorFunctions, belief: TotalsBelief) -> FactorFunctions:
        posterior = belief.hypotheses[0].posterior
        assert isinstance(posterior, AdditiveGP)
        told = posterior.total.noise_variances
        # Points that run have as much noise as is typical.
        running = len(acquisition.factors[0].inputs) - len(told)
        return acquisition.revealed(np.append(told, np.full(running, np.median(told))))

    def _reconsidered(
        self,
        choice: Choice,
        belief: TotalsBelief,
        incumbents: FloatArray,
        count: int,
        rng: np.random.Generator,
    ) -> Choice:
        turn = count % TURNS
        for _ in range(SECOND_THOUGHTS):
            point = choice.found.point
            gain = conceivable_gain(belief, point, incumbents)
            exhausted = abs(gain) < WORTHWHILE
            if gain >= WORTHWHILE or (exhausted and turn == POLISHING):
                break
            if exhausted and turn != FAR:
                return self._elsewhere(choice.acquisition, belief, rng)
            acquisition = choice.acquisition.turned_from(point[None, :])
            if exhausted:
                acquisition = acquisition.bolder(BOLDER)
            choice = Choice(acquisition, self._maximise(acquisition, incumbents, rng))
        return choice

    def _point_of(self, choice: Choice, tried: FloatArray) -> FloatArray:
        values = choice.acquisition.objective.values
        return at_untried_values(self._searched(choice.acquisition), values, choice.found.point, tried)

    def _elsewhere(
        self, acquisition: FactorFunctions, belief: TotalsBelief, rng: np.random.Generator
    ) -> Choice:
        reach = tuple(reach_of(belief).tolist())

        def near(acquisition: FactorFunctions, point: FloatArray) -> Climbed:
            max_sum = replace(_max_sum(acquisition), reach=reach)
            return self.nodes.climb(acquisition, max_sum, point[None, :], int(rng.integers(2**63)))

        good = self._results.history.best(GOOD_POINTS)
        if acquisition.within is not None:
            best = self._best_within(acquisition.within, belief)
            good = best.points[best.told][:GOOD_POINTS]
        return OtherPeaks(self._searched(acquisition), belief, good, near).choose(acquisition, rng)


def _max_sum(acquisition: FactorFunctions) -> MaxSum:
    largest = max(table_entries(factor.domain.coordinates, 5) for factor in acquisition.factors)
    refined = 5 if largest <= TABLE else FEWEST
    return MaxSum(table=TABLE, finest=FINEST, refined=refined, levels=6 if refined == 5 else 12)


def _entries(factor: Factor, domain: Domain) -> int:
    return table_entries([domain.coordinates[p] for p in factor])


def _tabulable(factor: Factor, domain: Domain) -> bool:
    """A parameter on its own always is: whatever it costs, nothing costs less."""
    return len(factor) == 1 or _entries(factor, domain) <= MOST_ENTRIES


def _written(count: int) -> str:
    return f"{count:,}" if count < 10**12 else f"about 10^{int(math.log10(count))}"
