"""Explore: the whole function is learned, not only its best point (active learning, Bayesian exploration)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign, before_a_model
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Refit, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.chances import chances, for_its_time, where_it_succeeds
from orchestrator.algorithms.mixture.duration_belief import durations_noted
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.penalties import count_penalties_as_failures
from orchestrator.algorithms.mixture.refit import AutoRefit
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.algorithms.mixture.sums_seen import seeing_sums
from orchestrator.algorithms.mixture.survey import Survey
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points

# Places by which the average over a domain is taken, and of how many that are least known is climbed about.
PLACES, STARTS = 512, 3


class ExploreOptions(AutoOptions):
    """Options of ``explore``: those of `AutoOptions`."""

    chooses_fidelity: ClassVar[bool] = False
    seeks_averages: ClassVar[bool] = False
    heeds_use: ClassVar[bool] = False
    learns_comparisons: ClassVar[bool] = False
    learns_from_related: ClassVar[bool] = False
    keeps_limits: ClassVar[bool] = False


class Explore:
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
    Options: ClassVar[type[Options]] = ExploreOptions

    def __init__(self, problem: Problem, options: ExploreOptions) -> None:
        problem = seeing_sums(problem)
        self._problem = problem
        self._options = options
        self._start_points = options.designed(problem)
        self._design = StartDesign(problem.domain, problem.seed)
        self._history = History(
            problem.domain,
            problem.outcome_constraints,
            problem.further_objectives,
            exact=problem.noise.is_none,
        )
        self._learned: Learned | None = None
        self._turns = Turns(problem, self._history, self.name)

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, if need be on and on."""
        key = replace(key, within=self._within(key.within))
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(n^2) for each, times the number of hypotheses."""
        for observation in observations:
            self._history.tell(self._options.heeded(observation))
            count_penalties_as_failures(self._history, self._start_points)
            if self._learned is not None:
                self._learned.learn(len(self._history) - 1)

    def refit_due(self) -> int | None:
        """See `Algorithm`. The first when the start design is told, then as the options say."""
        if self._learned is not None:
            return self._learned.refit_due(self._options)
        return 1 if len(self._history) >= self._start_points and self._history.successes else None

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. That of `Auto`, without a region."""
        standing = Standing() if self._learned is None else self._learned.standing
        refit = AutoRefit(self._problem, self._history, number, self._start_points, standing)
        return Refit(number, len(self._history), refit.compute())

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. The belief is made of what the refit saw, then told the rest."""
        if self._learned is not None and refit.number <= self._learned.refit.number:
            return
        self._learned = Learned.by(refit, self._problem, self._history)
        for row in range(refit.observations, len(self._history)):
            self._learned.learn(row)

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. By the leader of the mixture."""
        if self._learned is None:
            return None
        rng = stream(self._problem.seed, "explore recommendation", self._learned.refit.number)
        return self._learned.recommended(self._within(within) or self._problem.domain, rng)

    def insight(self) -> Insight:
        """See `Algorithm`. How much is not known of the function is among the notes."""
        if self._learned is None:
            history = self._history
            return Insight(notes=[before_a_model(len(history), history.successes, self._start_points)])
        unknown = 100.0 * _survey(self._learned, self._problem.domain).deviation
        note = f"over the whole domain ± {unknown:.2g} % of the values' deviation is not known"
        weighed = [durations_noted(self._history.durations)] if self._options.weigh_duration else []
        return self._learned.insight([note, *weighed])

    def _within(self, part: Domain | None) -> Domain | None:
        """A part of the domain as models see it."""
        return None if part is None else part.seeing(self._problem.domain.sums)

    def _suggest(self, turn: Turn) -> Suggestion:
        learned, known_soon = self._learned, len(self._history) + len(turn.running)
        if learned is None or known_soon < self._start_points:
            return self._design.within(turn.domain).suggest(turn.trial, turn.exclusion)
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
