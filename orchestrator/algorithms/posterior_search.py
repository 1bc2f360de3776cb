"""Posterior search: which parameters are plausible, by what was measured, and not only which fit it best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.likelihood_learned import LogLikelihoodLearned
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.composite.learned_outcomes import LearnedOutcomes
from orchestrator.algorithms.composite.likelihood_survey import LikelihoodSurvey
from orchestrator.algorithms.composite_search import CONTENDERS, CompositeOptions, CompositeSearch
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.outcomes.feasible_objective import FeasibleObjective
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.rng import stream
from orchestrator.spelling import listed
from orchestrator.values.percent import plus_or_minus

STARTS = 10
"""So many of the places by which it is judged what is learned are climbed about."""
MOSTLY_UNKNOWN = math.sqrt(0.5)
"""As a part of the likelihood's size: where more is not known, its variance is above its mean, squared."""
NO_FIT = (
    "expected an objective that is a fit, of which it learns how plausible parameters are: say `fit`, or"
    " choose another algorithm"
)
NO_ERRORS = (
    "expected an error with each target, got none of {}: by how much outcomes may be off says which"
    " parameters are plausible; tell it, or 1 if it is that"
)


class PosteriorOptions(CompositeOptions):
    """There is nothing to choose."""

    def check(self, problem: Problem) -> list[str]:
        """See `Options`."""
        sought = None if problem.composite is None else problem.composite.sought
        if sought is None:
            return [NO_FIT]
        return [NO_ERRORS.format(listed(sought.without_errors))] if sought.without_errors else []


class PosteriorSearch(CompositeSearch):
    """x = argmax of how much less is expected not to be known of the likelihood of what was measured.

    ```
    1  begin, and have models of outcomes, as `CompositeSearch`
    2  draw 256 places where the likelihood may be high, by what models do and do not know of it
    3  x = argmax log sum over the places of what x is expected to take of the variance of the likelihood L,
                  over E L^2, + log P(it succeeds)
    4  while more of the likelihood is not known than is, every other trial is for the best fit, as those of
       `CompositeSearch` are
    ```

    Places are drawn by the root of E L^2, times the probabilities of line 3 and what is plausible beforehand,
    anew whenever results arrive. While models know little they lie wherever nothing speaks against them,
    later as the posterior does. What runs counts as evaluated, whatever will come of it. Constraints on
    outcomes say what is wanted, and not what is: they count in line 4 alone. Line 4 is for posteriors that
    are narrow: before one is found, any trial takes next to nothing of what is not known. Without it, as was
    seen while it was written, one was still missed after half of the evaluations in three runs of six (the
    outbreak, and prey and predators).

    Source: Sürer, Plumlee & Wild 2024 (EIVAR: the variance of the likelihood, integrated over parameters,
    that is expected to be left), after Sinsbeck & Nowak 2017 and Järvenpää et al. 2019.

    Deviations: theirs is integrated evenly, and counts by the likelihood's square: next to nowhere but about
    the best fit. Here what is taken counts in units of the likelihood, wherever draws from the posterior come
    from. Places are drawn by tempering, and the point is climbed to, where theirs are of lists. Points of a
    batch are chosen in turn. Hyperparameters are maximum a posteriori. What components leave out of curves
    counts for nothing, and models are as sure as they say: `orchestrator posterior` has both, and several
    models of few results. A factor of all that is not known changes little of where most of it is. Line 4 is
    ours. A point is not suggested twice.
    """

    name: ClassVar[str] = "posterior"
    purpose: ClassVar[str] = "posterior search"
    Options: ClassVar[type[Options]] = PosteriorOptions

    def __init__(self, problem: Problem, options: PosteriorOptions) -> None:
        super().__init__(problem, options)
        self._survey: LikelihoodSurvey | None = None

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        super().tell(observations)
        self._survey = None

    def insight(self) -> Insight:
        """See `Algorithm`. How much is not known of the likelihood is among the notes."""
        insight, learned = super().insight(), self._believed()
        if learned is None or self._opening.lasts(running=0):
            return insight
        unknown = plus_or_minus(self._surveyed(learned).asked().unknown, 2)
        note = f"where parameters are plausible, the likelihood by the models may be off by {unknown}"
        return replace(insight, notes=[note, *insight.notes])

    def _chosen(self, learned: LearnedOutcomes, turn: Turn) -> Suggestion:
        survey, running = self._surveyed(learned), turn.domain.embed(turn.running)
        with in_all(group.model.hallucinating(running) for group in learned.groups):
            taken = survey.asked()
            if taken.unknown <= MOSTLY_UNKNOWN or turn.trial % 2:
                return self._telling_most(survey, taken, learned, turn)
        found = super()._chosen(learned, turn)
        return replace(found, why={**found.why, "posterior": {"unknown": taken.unknown}})

    def _telling_most(
        self, survey: LikelihoodSurvey, taken: LogLikelihoodLearned, learned: LearnedOutcomes, turn: Turn
    ) -> Suggestion:
        objective = FeasibleObjective.of(Embedded(turn.domain, taken), turn.domain, learned.success)
        about = turn.domain.snap(turn.rng.permutation(survey.points)[:STARTS])
        found = maximise(objective, turn.domain, about, turn.exclusion.allows, turn.rng)
        if found is None:
            return at_random(turn.domain, turn.exclusion, turn.rng)
        gained = float(taken.values(turn.domain.embed(found.point))[0])
        told = {"unknown": taken.unknown, "learned": math.exp(min(gained - taken.left, 0.0))}
        composite = self._composite(learned, turn.rng)
        return self._explained(composite, learned, found.point, {"posterior": told})

    def _surveyed(self, learned: LearnedOutcomes) -> LikelihoodSurvey:
        """By all that was told, wherever the next point is looked for."""
        if self._survey is None:
            rng = stream(self._problem.seed, "posterior search places", len(self._history))
            best = self._history.best(CONTENDERS)
            self._survey = LikelihoodSurvey.of(learned, self._problem, best, rng)
        return self._survey
