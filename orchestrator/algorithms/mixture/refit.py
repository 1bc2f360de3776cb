"""The heavy part of a refit of `auto`: hypotheses weighed, structure searched, a local model fitted.

All hypotheses are reviewed when the results have grown by half, and those not out of the question weighed
when a sixth of the results, and five at least, came since; in between only the likeliest are fitted anew.
What is written are JSON values, from which `auto` makes its belief again to the bit.

Notation: D parameters, L aspects of them, n results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.algorithms.additive.structure_search import PartitionChain
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.algorithms.mixture.candidate_warps import candidate_warps, of_magnitudes
from orchestrator.algorithms.mixture.exact_or_noisy import in_question, is_refuted, taken_for
from orchestrator.algorithms.mixture.features import approximation_variance
from orchestrator.algorithms.mixture.hypotheses import Found, Hypothesis, hypotheses, probabilities
from orchestrator.algorithms.mixture.hypothesis_fitter import AGAIN, HypothesisFitter
from orchestrator.algorithms.mixture.hypothesis_weighing import (
    MOST_WEIGHED_IN_FULL,
    OUT_OF_THE_QUESTION,
    Weighing,
    fitter_under,
)
from orchestrator.algorithms.mixture.kept import LARGEST, Kept
from orchestrator.algorithms.mixture.local_refit import LocalRefit
from orchestrator.algorithms.mixture.offset_variance import likely_offset_variance
from orchestrator.algorithms.mixture.outcome_refit import OutcomeRefit
from orchestrator.algorithms.mixture.outcomes_kept import OutcomesKept
from orchestrator.algorithms.mixture.related_experiments import fitted_related, known_functions
from orchestrator.algorithms.mixture.search_region import SearchRegion
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.algorithms.mixture.success_refit import success_model
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph, canonical
from orchestrator.surrogates.fits.additive import AdditiveSearch, DecompositionEvidence
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp

# When hypotheses are reviewed, and when weighed: once one in so many results is new.
GROWTH_TO_REVIEW = 1.5
ONE_IN = 6
FEWEST_BETWEEN_WEIGHINGS = 5
# Which of them are members, and which are fitted between weighings.
MOST_MEMBERS, LEAST_WEIGHT = 3, 0.05
MOST_CANDIDATES, LEAST_CANDIDATE = 4, 1e-3
# A decomposition is looked for in problems of so many parameters, from so many results on, unless all of the
# parameters have few positions. Evidences are of so many results at most, and fewer of them are computed for
# many parameters or results.
FEWEST_PARAMETERS, MOST_PARAMETERS = 3, 60
FEWEST_RESULTS = 20
FEW_POSITIONS = 10
LARGEST_SEARCHED = 120
MANY_PARAMETERS = 30
EVIDENCES, EVIDENCES_OF_MANY = 30, 15
# Whose kernel decompositions have while no hypothesis leads.
BEFORE_A_LEADER = Hypothesis("joint", "rbf", False, False)
# What warps are weighed by.
WARPED = Hypothesis("joint", "matern-5/2", True, True)
WARP_ITERATIONS = 15


@dataclass(frozen=True, eq=False)
class Judgement:
    """Hypotheses as ``found``, the most probable first; ``factors`` and ``considered`` as in `Standing`."""

    found: list[Found]
    factors: Decomposition | None
    considered: tuple[tuple[str, float], ...]

    @property
    def candidates(self) -> list[Found]:
        """Those fitted between weighings: two in any case, and what is not next to impossible."""
        best, weights = self.found[:MOST_CANDIDATES], probabilities(self.found)
        return [f for i, f in enumerate(best) if i < 2 or weights[i] > LEAST_CANDIDATE]

    @property
    def members(self) -> int:
        """How many of them are members of the mixture."""
        # Where results say next to nothing, dozens of hypotheses are as likely, and none of them likely.
        return max(1, sum(bool(w > LEAST_WEIGHT) for w in probabilities(self.found)[:MOST_MEMBERS]))


@dataclass(frozen=True, eq=False)
class AutoRefit:
    """One refit. ``designed`` is how many results came from the start design, and ``standing`` what the last
    refit left; ``region`` is where the local model is to be, if anywhere, and ``region_number`` how many were
    exhausted before it.
    """

    problem: Problem
    history: History
    number: int
    designed: int
    standing: Standing
    region: SearchRegion | None = None
    region_number: int = 0

    def compute(self) -> Mapping[str, Any]:
        """The payload of which `auto` makes its belief. Needs one success at least."""
        standing, told_by_now = self.standing, len(self.history)
        noisy = standing.noisy(self.problem)
        held = Kept(self.problem, self.history, self.number, told_by_now, noisy).by_fits
        offset_variance = standing.offset_variance
        review = not standing.candidates or told_by_now >= GROWTH_TO_REVIEW * standing.reviewed
        due = max(FEWEST_BETWEEN_WEIGHINGS, told_by_now // ONE_IN)
        weighing = review or told_by_now - standing.weighed >= due
        if weighing and self.problem.blocks:
            offset_variance = likely_offset_variance(self.problem, held)
        held = held.with_offset_variance(offset_variance)
        related = standing.related or fitted_related(self.problem)
        known = known_functions(self.problem, related)
        warp = self._likeliest_warp(held, noisy) if weighing else standing.warp
        exact = self._exact_so_far
        told = self._told(held, warp, known, exact=exact)
        judged = self._weighed(told, review) if weighing else self._fitted_again(told)
        if weighing and in_question(self.problem):
            otherwise = self._told(held, warp, known, exact=not exact)
            if is_refuted(self.problem, judged.found, judged.factors, otherwise, exact=exact):
                exact, told = not exact, otherwise
                judged = self._weighed(told, review=True)
        candidates, members, factors = judged.candidates, judged.members, judged.factors
        kept = OutcomesKept(self.problem, self.history, self.number, told_by_now)
        outcomes = OutcomeRefit(kept, self.designed)
        return {
            "scales": [[warped, scale.to_json()] for warped, scale in told.scales.items()],
            "candidates": [f.to_json() for f in candidates],
            "noisy": noisy,
            "members": members,
            "approximations": [self._approximation(f, told) for f in candidates[:members]],
            "factors": None if factors is None else [list(factor) for factor in factors],
            "warp": None if warp is None else warp.to_json(),
            "weighed": told_by_now if weighing else standing.weighed,
            "reviewed": told_by_now if review else standing.reviewed,
            "considered": [[name, odds] for name, odds in judged.considered],
            "region": self.region_number,
            # Results that lie close to one another resolve what those everywhere cannot.
            "local": self._local(
                offset_variance, weighing=weighing, exact=exact or self.problem.noise.is_none
            ),
            "exact": exact,
            "outcomes": outcomes.slacks(dict(standing.outcomes), weighing=weighing),
            "further": outcomes.objectives(standing.further, weighing=weighing),
            "duration": outcomes.duration(standing.duration, weighing=weighing),
            "success": success_model(kept, self.designed),
            **({"offset_variance": offset_variance} if self.problem.blocks else {}),
            **({"related": list(related)} if self.problem.related else {}),
        }

    @property
    def _exact_so_far(self) -> bool:
        """What values were taken for last; before the first refit, what they are told to be."""
        return self.standing.exact if self.standing.candidates else self.problem.noise.is_none

    def _told(
        self, held: Results, warp: Warp | None, known: tuple[PosteriorMean, ...], *, exact: bool
    ) -> Weighing:
        problem = taken_for(self.problem, exact=exact)
        return Weighing.of(problem, held, warp, self.history.successes, known=known)

    def _possible(self, told: Weighing) -> list[Found]:
        """Last time's candidates, without those that rested on a warp that is gone."""
        return [c for c in self.standing.candidates if c.hypothesis.warped in told.scales]

    def _weighed(self, told: Weighing, review: bool) -> Judgement:
        """All hypotheses weighed, or, where it is no review, those not out of the question last time."""
        standing, possible = self.standing, self._possible(told)
        factors = standing.factors
        if review or any(candidate.factors for candidate in possible):
            factors = self._factors(told.fitters)
        every = hypotheses(
            self.problem.domain.embedding.aspects,
            factors is not None,
            True in told.scales,
            related=bool(self.problem.related),
        )
        asked = every
        if not review:
            near = {name for name, odds in standing.considered if odds > OUT_OF_THE_QUESTION}
            asked = [hypothesis for hypothesis in every if hypothesis.name in near]
        found = told.with_waves(told.weighed(asked, factors, possible), possible)
        if not found:
            # The only ones near rested on a warp that is gone.
            found = told.weighed(every, factors, possible)
        highest = found[0].log_probability
        considered = tuple((f.hypothesis.name, f.log_probability - highest) for f in found)
        return Judgement(found, factors, considered)

    def _fitted_again(self, told: Weighing) -> Judgement:
        """Last time's candidates alone, from where they were."""
        standing, possible = self.standing, self._possible(told)
        again = [candidate.hypothesis for candidate in possible]
        found = told.fitted(again, standing.factors, possible, AGAIN)
        return Judgement(found, standing.factors, standing.considered)

    def _likeliest_warp(self, held: Results, noisy: bool) -> Warp | None:
        """By the evidence of a model that is cheap to fit; None if there is none to choose from, and where
        settings are off, or blocks have offsets: what is best on average through a warp is not so as values
        are, and what is added to values is not added through one. Nor, for that, are magnitudes seen beside
        a clock, as what drifts is added, or related experiments, of which values are multiples.
        """
        if self.problem.off is not None or self.problem.blocks:
            return None
        values = self.history.values[~np.isnan(self.history.values)]
        whole = FactorGraph.whole(self.problem.domain.embedding.aspects)

        def evidence(warp: Warp) -> float:
            scale = Standardisation.under(warp, held.values)
            problem = taken_for(self.problem, exact=self._exact_so_far)
            fitter = fitter_under(problem, held, scale).additive(WARPED, LARGEST_SEARCHED)
            fit = fitter.fit(whole, AdditiveSearch(1, WARP_ITERATIONS))
            return fit.log_marginal + fitter.pairs.log_jacobian

        warps = candidate_warps(values, self.designed, noisy=noisy)
        if not (noisy or self.problem.clock is not None or self.problem.related):
            warps += of_magnitudes(values, self.designed)
        return max(warps, key=evidence, default=None)

    def _approximation(self, found: Found, told: Weighing) -> float | None:
        """Of a member whose results are more than an exact model holds; else None."""
        if self.history.successes <= LARGEST or self.problem.off is not None or self.problem.blocks:
            return None
        return approximation_variance(
            self.problem, self.number, found, told.fitters[found.hypothesis.warped].data
        )

    def _factors(self, fitters: Mapping[bool, HypothesisFitter]) -> Decomposition | None:
        """The decomposition that is known, or the most probable one found by the kernel that leads."""
        D = self.problem.domain.dimension
        # Decompositions are of parameters: what describes their values may act in parts, a sum is of several.
        if self.problem.domain.embedding.has_further_aspects:
            return None
        if self.problem.factors is not None:
            return canonical(self.problem.factors)
        if not FEWEST_PARAMETERS <= D <= MOST_PARAMETERS or self.history.successes < FEWEST_RESULTS:
            return None
        # Where every parameter has a few values only, a sum of tables determines some values by others. Taken
        # for certain they are never tried, and so a decomposition that is wrong is never found out.
        if all(0 < len(c.positions) <= FEW_POSITIONS for c in self.problem.domain.coordinates):
            return None
        leader = self.standing.candidates[0].hypothesis if self.standing.candidates else BEFORE_A_LEADER
        fitter = fitters.get(leader.warped, fitters[False])
        kernel = Hypothesis("factors", leader.family_name, False, leader.warped)
        evidence = DecompositionEvidence(
            fitter.additive(kernel, LARGEST_SEARCHED), D, AdditiveSearch(starts=1, iterations=20)
        )
        before = [] if self.standing.factors is None else [self.standing.factors]
        many = D > MANY_PARAMETERS or self.history.successes > MOST_WEIGHED_IN_FULL
        budget = EVIDENCES_OF_MANY if many else EVIDENCES
        rng = stream(self.problem.seed, "auto decompositions", self.number)
        found = PartitionChain(D, None, budget).search(evidence, before, rng).log_posteriors
        split = {state: value for state, value in found.items() if len(state) > 1}
        return max(split, key=lambda state: (split[state], state)) if split else None

    def _local(self, offset_variance: float, *, weighing: bool, exact: bool) -> dict[str, Any] | None:
        """The region's model, if there is to be one."""
        if self.region is None:
            return None
        leader = self.standing.candidates[0] if self.standing.candidates else None
        problem = taken_for(self.problem, exact=exact)
        refit = LocalRefit(problem, self.history, self.region, self.standing.local, leader, offset_variance)
        return refit.compute(weighing=weighing)
