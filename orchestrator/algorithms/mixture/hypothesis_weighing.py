"""Hypotheses weighed by one set of results, under each scale that its values may be seen on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.algorithms.mixture.hypotheses import Found, Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import (
    AFRESH,
    AGAIN,
    AT_A_GLANCE,
    FitEffort,
    HypothesisFitter,
)
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.decompositions.factor_graph import Decomposition
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp

# Log odds against the likeliest, below which a hypothesis waits for the next review.
OUT_OF_THE_QUESTION = -10.0
# Of more results than so many, hypotheses are first looked at through a few, and the likeliest then fitted.
MOST_WEIGHED_IN_FULL, GLANCED_AT = 200, 100
MOST_AFTER_A_GLANCE, AFTER_A_GLANCE = 6, FitEffort(1, 25)


@dataclass(frozen=True, eq=False)
class Weighing:
    """``scales`` of the values and the ``fitters`` that see them so, by whether heavy tails are drawn in;
    ``told`` is how many results there are in all, of which the fitters may hold some.
    """

    scales: Mapping[bool, Standardisation]
    fitters: Mapping[bool, HypothesisFitter]
    told: int

    @classmethod
    def of(
        cls,
        problem: Problem,
        held: Results,
        warp: Warp | None,
        told: int,
        about: FloatArray | None = None,
        known: tuple[PosteriorMean, ...] = (),
    ) -> Weighing:
        """By what is ``held``, drawn in by a ``warp`` too if there is one; expansions are ``about`` an (E,)
        embedded input; ``known`` is what related experiments found.
        """
        scales = {False: Standardisation.of(held.values)}
        if warp is not None:
            scales[True] = Standardisation.under(warp, held.values)
        fitters = {warped: fitter_under(problem, held, scale) for warped, scale in scales.items()}
        return cls(
            scales, {warped: replace(f, about=about, known=known) for warped, f in fitters.items()}, told
        )

    def possible(self, asked: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Those of some hypotheses that make sense of these values: under a scale that there is, and with
        length-scales shared only where there are several.
        """
        several = self.fitters[False].data.dimension > 1
        return [h for h in asked if h.warped in self.scales and (several or not h.shared)]

    def weighed(
        self,
        asked: Sequence[Hypothesis],
        factors: Decomposition | None,
        before: Sequence[Found],
    ) -> list[Found]:
        """The most probable first. Of many results a few, at a glance, rule most hypotheses out."""
        if self.told <= MOST_WEIGHED_IN_FULL or not asked:
            return self.fitted(asked, factors, before)
        thinned = {warped: fitter.thinned(GLANCED_AT) for warped, fitter in self.fitters.items()}
        seen = replace(self, fitters=thinned).fitted(asked, factors, before, AT_A_GLANCE)
        near = [f for f in seen if f.log_probability - seen[0].log_probability > OUT_OF_THE_QUESTION]
        near = near[:MOST_AFTER_A_GLANCE]
        return self.fitted([f.hypothesis for f in near], factors, near, AFTER_A_GLANCE)

    def with_waves(self, found: Sequence[Found], before: Sequence[Found]) -> list[Found]:
        """What was weighed, and waves upon the likeliest trend of either scale. The most probable first."""
        both = list(found)
        for warped, fitter in self.fitters.items():
            trends = [f for f in found if f.hypothesis.form == "trend" and f.hypothesis.warped is warped]
            warm = [f for f in before if f.hypothesis.form == "waves" and f.hypothesis.warped is warped]
            try:
                if trends:
                    both += fitter.waves_upon(trends, warm[:1], AFTER_A_GLANCE)
                else:
                    both += [fitter.fit(f.hypothesis, None, f, AGAIN) for f in warm[:1]]
            except FactorisationError:
                continue
        return sorted(both, key=lambda f: -f.log_probability)

    def fitted(
        self,
        asked: Sequence[Hypothesis],
        factors: Decomposition | None,
        before: Sequence[Found],
        effort: FitEffort = AFRESH,
    ) -> list[Found]:
        """The most probable first. What cannot be factorised is left out, unless that is all."""
        warm = {found.hypothesis: found for found in before}
        found, failure = [], None
        for hypothesis in asked:
            try:
                fitter = self.fitters[hypothesis.warped]
                found.append(fitter.fit(hypothesis, factors, warm.get(hypothesis), effort))
            except FactorisationError as error:
                failure = error
        if not found and failure is not None:
            raise failure
        return sorted(found, key=lambda f: -f.log_probability)


def fitter_under(problem: Problem, held: Results, scale: Standardisation) -> HypothesisFitter:
    """What fits hypotheses to some results as a scale shows them."""
    noise = None if problem.noise.kind == "unknown" else 0.0
    y, extra = held.standardised(scale)
    slopes, blocks = scale.log_slopes(held.values), held.blocks_on(scale)
    data = Data(held.X, y, problem.domain.embedded_aspect, extra, slopes, blocks)
    # Two numbers of a warp are fitted: by BIC it must have log n more evidence than none.
    log_prior = 0.0 if scale.warp is None else -math.log(len(held.values))
    return HypothesisFitter(data, noise, log_prior)
