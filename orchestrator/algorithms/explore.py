"""Explore: the whole function is learned, not only its best point (active learning, Bayesian exploration)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign, before_a_model
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Refit, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.believed_outcomes import after_a_failure, believed_outcomes
from orchestrator.algorithms.mixture.chances import chances, where_it_succeeds
from orchestrator.algorithms.mixture.conditioned import mixture
from orchestrator.algorithms.mixture.contenders import Contenders
from orchestrator.algorithms.mixture.further_belief import FurtherBelief
from orchestrator.algorithms.mixture.kept import results
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.algorithms.mixture.outcome_refit import further_belief
from orchestrator.algorithms.mixture.penalties import highest_penalty
from orchestrator.algorithms.mixture.refit import AutoRefit
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.algorithms.mixture.survey import Survey
from orchestrator.algorithms.recommended import recommended
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.multistart import maximise
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points

# Places by which the average over a domain is taken, and of how many that are least known is climbed about.
PLACES, STARTS = 512, 3


class ExploreOptions(AutoOptions):
    """Options of ``explore``: those of `AutoOptions`."""

    chooses_fidelity: ClassVar[bool] = False


class Explore:
    """x = argmax of how much less is not known of the function, on average over the whole domain.

    1. The start design, until its results are told.
    2. Hypotheses, weighed by evidence as those of `Auto` are: line 2 there.
    3. The point whose evaluation takes most of the variance that the hypotheses leave, each counting as it is
       weighed (`acquisition.integrated_variance`), averaged over places that lie evenly in the domain, or in
       the part of it where parameters are held. What runs counts as evaluated.

    Where there are constraints on outcomes, places count as they are likely to satisfy all of them, and where
    evaluations fail, as they are likely to succeed; so does the point, with the caution of `Auto`. Several
    objectives count alike: what is not known of each is measured in the deviation of its values.

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
        self._problem = problem
        self._options = options
        self._start_points = options.designed(problem)
        self._design = StartDesign(problem.domain, problem.seed)
        self._history = History(problem.domain, problem.outcome_constraints, problem.further_objectives)
        self._refit: Refit | None = None
        self._standing = Standing()
        self._belief: MixtureBelief | None = None
        self._outcomes: OutcomeBelief | None = None
        self._further: FurtherBelief | None = None
        self._turns = Turns(problem, self._history, self.name)

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, if need be on and on."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(n^2) for each, times the number of hypotheses."""
        for observation in observations:
            self._history.tell(observation)
            penalty = highest_penalty(self._history.values, self._start_points, self._history.apart)
            if penalty is not None:
                self._history.count_as_failed(penalty)
            self._learn(len(self._history) - 1)

    def refit_due(self) -> int | None:
        """See `Algorithm`. The first when the start design is told, then as the options say."""
        told = len(self._history)
        if self._refit is None:
            return 1 if told >= self._start_points and self._history.successes else None
        last = self._refit.observations
        return self._refit.number + 1 if told - last >= self._options.wait(last) else None

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. That of `Auto`, without a region."""
        refit = AutoRefit(self._problem, self._history, number, self._start_points, self._standing)
        return Refit(number, len(self._history), refit.compute())

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. The belief is made of what the refit saw, then told the rest."""
        if self._refit is not None and refit.number <= self._refit.number:
            return
        refit.require_told(len(self._history))
        problem, history, payload = self._problem, self._history, refit.payload
        self._standing = Standing.of(payload)
        self._belief = mixture(problem, history, refit, self._standing)
        self._outcomes = believed_outcomes(problem, history, refit)
        others, seen = payload["further"], refit.observations
        self._further = further_belief(problem, history, refit.number, seen, others) if others else None
        self._refit = refit
        for row in range(refit.observations, len(history)):
            self._learn(row)

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. By the leader of the mixture."""
        if self._belief is None or self._refit is None:
            return None
        leader, domain = self._belief.leader, within or self._problem.domain
        rng = stream(self._problem.seed, "explore recommendation", self._refit.number)
        return recommended(domain, self._history, leader.posterior, leader.scale, self._outcomes, rng)

    def insight(self) -> Insight:
        """See `Algorithm`. How much is not known of the function is among the notes."""
        belief, refit, history = self._belief, self._refit, self._history
        if belief is None or refit is None:
            return Insight(notes=[before_a_model(len(history), history.successes, self._start_points)])
        domain, leader, factors = self._problem.domain, belief.leader, belief.leader.found.factors
        noisy = self._standing.noisy(self._problem)
        best = Contenders(domain, history, leader, noisy, self._outcomes).believed_best
        unknown = self._survey(belief, refit, domain).deviation
        members = list(zip([member.found for member in belief.members], belief.weights, strict=True))
        return Insight(
            weights={found.hypothesis.name: float(weight) for found, weight in members},
            decomposition=None if factors is None else [list(factor) for factor in factors],
            probability=None if factors is None else belief.probability(factors),
            hyperparameters={found.hypothesis.name: found.hyperparameters.to_json() for found, _ in members},
            notes=[
                f"refit {refit.number}, from {refit.observations} results",
                f"over the whole domain ± {100.0 * unknown:.2g} % of the values' deviation is not known",
            ],
            believed_best=None if self._problem.further_objectives else best,
        )

    def _suggest(self, turn: Turn) -> Suggestion:
        belief, refit = self._belief, self._refit
        if belief is None or refit is None or len(self._history) + len(turn.running) < self._start_points:
            return self._design.within(turn.domain).suggest(turn.trial, turn.exclusion)
        domain, survey = turn.domain, self._survey(belief, refit, turn.domain)
        with survey.hallucinating(domain.embed(turn.running)):
            taken, starts = survey.acquisition, survey.least_known(STARTS)
            objective = Embedded(domain, where_it_succeeds(taken, self._outcomes))
            found = maximise(objective, domain, starts, turn.exclusion.allows, turn.rng)
            if found is None:
                return at_random(domain, turn.exclusion, turn.rng)
            X = domain.embed(found.point)
            learned, unknown = survey.learned(float(taken.values(X)[0])), survey.deviation
        why = {"source": "model", "learned": learned, "unknown": unknown, **chances(X, self._outcomes)}
        further = [member.predicted(X) for member in self._others]
        return Suggestion(found.point, belief.leader.predicted(X), why, belief.leader.parts(X[0]), further)

    def _learn(self, row: int) -> None:
        """One result into all that is believed."""
        if self._belief is None:
            return
        history, result = self._history, results(self._problem, self._history, [row])
        succeeded, X = len(result.values) > 0, self._problem.domain.embed(history.points[row : row + 1])
        if succeeded:
            self._belief.learn(result)
        if self._outcomes is not None:
            self._outcomes.learn(X, history.slacks[row], succeeded=succeeded)
        if self._further is not None:
            self._further.learn(X, history.further[row])
        if not succeeded:
            self._outcomes = after_a_failure(self._outcomes, self._problem, history, row)

    def _survey(self, belief: MixtureBelief, refit: Refit, domain: Domain) -> Survey:
        """Of a domain, at places that stay until the next refit."""
        points = even_points(domain, PLACES, stream(self._problem.seed, "explore places", refit.number))
        likely = np.ones(PLACES)
        if self._outcomes is not None:
            likely = np.exp(self._outcomes.log_probability.values(domain.embed(points)))
        beliefs = [belief, *(MixtureBelief([member], np.zeros(1)) for member in self._others)]
        told = [self._history.values, *self._history.further.T]
        return Survey.of(beliefs, told[: len(beliefs)], domain, points, likely)

    @property
    def _others(self) -> list[Member]:
        """What is believed of each objective beside the value; none before there is enough of all of them."""
        return [] if self._further is None else self._further.members
