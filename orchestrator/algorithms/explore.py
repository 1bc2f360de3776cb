"""Explore: the whole function is learned, not only its best point (active learning, Bayesian exploration)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Options, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.chances import chances, for_its_time, where_it_succeeds
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.mixture_search import MixtureSearch
from orchestrator.algorithms.mixture.options import LearningOptions
from orchestrator.algorithms.mixture.survey import Survey
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points
from orchestrator.values.percent import plus_or_minus

# Places by which the average over a domain is taken, and of how many that are least known is climbed about.
PLACES, STARTS = 512, 3


class Explore(MixtureSearch):
    """x = argmax of how much less is not known of the function, on average over the whole domain.

    1. The start design, until its results are told.
    2. Hypotheses, weighed by evidence as those of `Auto` are: line 2 there.
    3. The point whose evaluation takes most of the variance that the hypotheses leave, each counting as it is
       weighed (`acquisition.integrated_variance`), averaged over places that lie evenly in the domain, or in
       the part of it where parameters are held. What runs counts as evaluated.

    Where there are constraints on outcomes, places count as they are likely to satisfy all of them, and where
    evaluations fail, as they are likely to succeed; so does the point, with the caution of `Auto`, and for
    its time where durations are weighed. Several objectives count alike: what is not known of each is
    measured in the deviation of its values.

    Source: the variance that an evaluation takes, on average, after Cohn 1996 and, for Gaussian processes,
    Seo et al. 2000 (ALC); over several hypotheses, ours.

    Deviations: hyperparameters are not known. What lies between hypotheses is told as not known, and not
    sought: how much of it a value takes depends on the value. A hypothesis that sees values through a warp is
    taken for linear about what it expects. Nothing is tried for the sake of constraints on outcomes. Of more
    than 600 results the models hold those that `Auto` holds. A point is not suggested twice.
    """

    name: ClassVar[str] = "explore"
    purpose: ClassVar[str] = "explore"
    Options: ClassVar[type[Options]] = LearningOptions

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. By the leader of the mixture."""
        if self._learned is None:
            return None
        rng = stream(self._problem.seed, "explore recommendation", self._learned.refit.number)
        return self._learned.recommended(self._within(within) or self._problem.domain, rng)

    def _insight(self, learned: Learned, notes: Sequence[str]) -> Insight:
        """How much is not known of the function is among the notes."""
        unknown = plus_or_minus(_survey(learned, self._problem.domain).deviation, 2)
        note = (
            f"over the whole domain, values by the model may be off by {unknown} of their standard deviation"
        )
        return learned.insight([note, *notes])

    def _chosen(self, learned: Learned, turn: Turn) -> Suggestion:
        domain, outcomes, survey = turn.domain, learned.outcomes, _survey(learned, turn.domain)
        with survey.hallucinating(domain.embed(turn.running)):
            taken, starts = survey.acquisition, survey.least_known(STARTS)
            objective = Embedded(domain, for_its_time(where_it_succeeds(taken, outcomes), outcomes))
            found = maximise(objective, domain, starts, turn.exclusion.allows, turn.rng)
            if found is None:
                return at_random(domain, turn.exclusion, turn.rng)
            X = domain.embed(found.point)
            told = {"learned": survey.learned(float(taken.values(X)[0])), "unknown": survey.deviation}
        why = {"source": "model", **told, **chances(X, outcomes)}
        leader, further = learned.belief.leader, [member.predicted(X) for member in _others(learned)]
        return Suggestion(found.point, leader.predicted(X), why, leader.parts(X[0]), further)


def _survey(learned: Learned, domain: Domain) -> Survey:
    """Of a domain, at places that stay until the next refit."""
    rng = stream(learned.problem.seed, "explore places", learned.refit.number)
    points, likely = even_points(domain, PLACES, rng), np.ones(PLACES)
    if learned.outcomes is not None:
        likely = np.exp(learned.outcomes.log_probability.values(domain.embed(points)))
    beliefs = [learned.belief, *(MixtureBelief([member], np.zeros(1)) for member in _others(learned))]
    told = [learned.history.values, *learned.history.further.T]
    return Survey.of(beliefs, told[: len(beliefs)], domain, points, likely)


def _others(learned: Learned) -> list[Member]:
    """What is believed of each objective beside the value; none before there is enough of all of them."""
    return [] if learned.further is None else learned.further.members
