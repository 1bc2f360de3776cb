"""Boundary search: where the value crosses a threshold, all over the domain, and not where it is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Gain, Insight, Options, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.mixture.chances import chances, for_its_time, where_it_succeeds
from orchestrator.algorithms.mixture.crossing_survey import CrossingSurvey
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.mixture_search import MixtureSearch
from orchestrator.algorithms.mixture.options import LearningOptions
from orchestrator.algorithms.mixture.survey import Survey
from orchestrator.algorithms.remaining_gain import DRAWS as GAIN_DRAWS
from orchestrator.algorithms.remaining_gain import can_be_foreseen
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points

# Places by which the average over a domain is taken, and about how many of the most doubtful is climbed.
PLACES, STARTS = 512, 3
# Where so little doubt is left, models are trusted too much: the function itself is looked at.
LEAST_DOUBT = 1e-9


class BoundarySearch(MixtureSearch):
    """x = argmax of how much less doubt is expected to be left of where the value is above the threshold, on
    average over the whole domain.

    1. The start design, until its results are told.
    2. Hypotheses, weighed by evidence as those of `Auto` are: line 2 there.
    3. The point whose evaluation is expected to take most of the doubt p (1 - p) that the hypotheses have of
       being above, each counting as it is weighed (`acquisition.doubt_taken`), averaged over places that lie
       evenly in the domain, or in the part of it where parameters are held. What runs counts as come out as
       expected.
    4. Where next to no doubt is left, the point that tells most of the function, as `Explore` does.

    Where evaluations fail, places count as they are likely to succeed; so does the point, with the caution of
    `Auto`, and for its time where durations are weighed.

    Source: Bect, Ginsbourger, Li, Picheny & Vazquez 2012; Chevalier et al. 2014; over several hypotheses,
    ours.

    Deviations: hyperparameters are not known. What lies between hypotheses is told as doubt, and not sought:
    how much of it a value takes depends on the value. A hypothesis that sees values through a warp sees the
    threshold through it, too. Batches are chosen one after the other. Of more than 600 results the models
    hold those that `Auto` holds. A point is not suggested twice.
    """

    name: ClassVar[str] = "explore"
    purpose: ClassVar[str] = "boundary"
    Options: ClassVar[type[Options]] = LearningOptions

    def _insight(self, learned: Learned, notes: Sequence[str]) -> Insight:
        """Which share of the domain is believed to lie above."""
        survey = self._surveyed(learned, self._problem.domain)[0]
        rng = stream(learned.problem.seed, "boundary shares", learned.refit.number, len(self._history))
        return replace(learned.insight(notes), believed_best=None, crossing=survey.crossing(rng))

    def remaining_gain(self) -> Gain | None:
        """See `ForeseesGain`. What is left to gain is the share of the domain that is misclassified, in
        [0, 1]. None before there is a model, and of fewer than two values for each parameter.
        """
        domain, learned = self._problem.domain, self._learned
        if learned is None or not can_be_foreseen(self._history, domain):
            return None
        rng = stream(learned.problem.seed, "boundary remaining gain", learned.refit.number)
        drawn = self._surveyed(learned, domain)[0].misclassified(GAIN_DRAWS, rng)
        return Gain(tuple(map(float, drawn)), len(self._history))

    def _chosen(self, learned: Learned, turn: Turn) -> Suggestion:
        domain, outcomes = turn.domain, learned.outcomes
        survey, points = self._surveyed(learned, domain)
        whole = Survey.of([learned.belief], [learned.history.values], domain, points, survey.shares)
        with learned.belief.hallucinating(domain.embed(turn.running)):
            doubtful = survey.doubt > LEAST_DOUBT
            taken = survey.acquisition if doubtful else whole.acquisition
            starts = points[survey.most_doubtful(STARTS)] if doubtful else whole.least_known(STARTS)
            objective = Embedded(domain, for_its_time(where_it_succeeds(taken, outcomes), outcomes))
            found = maximise(objective, domain, starts, turn.exclusion.allows, turn.rng)
            if found is None:
                return at_random(domain, turn.exclusion, turn.rng)
            X = domain.embed(found.point)
            above = float(replace(survey, places=X, shares=np.ones(1)).chances[0])
            less = float(np.exp(taken.values(X)[0])) / survey.doubt if doubtful else 0.0
        told = {"above": above, "doubt_less": less}
        why = {"source": "model", "crossing": told, **chances(X, outcomes)}
        leader = learned.belief.leader
        return Suggestion(found.point, leader.predicted(X), why, leader.parts(X[0]))

    def _surveyed(self, learned: Learned, domain: Domain) -> tuple[CrossingSurvey, FloatArray]:
        """With the (P, D) places, which stay until the next refit."""
        threshold = self._problem.threshold
        assert threshold is not None
        rng = stream(learned.problem.seed, "boundary places", learned.refit.number)
        points = even_points(domain, PLACES, rng)
        places, likely = domain.embed(points), np.ones(PLACES)
        if learned.success is not None:
            likely = learned.success.probability(places)
        shares = likely / likely.sum() if likely.sum() > 0.0 else np.full(PLACES, 1.0 / PLACES)
        return CrossingSurvey(learned.belief, places, shares, threshold, self._history.successes), points
