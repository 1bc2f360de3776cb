"""What Add-GP-UCB, Add-MES, DEC-HBO and DuMBO have in common: the loop around an additive surrogate.

They differ in which structures they search, which bound they climb and how; each says so in its own file.

Notation: D parameters, n results.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from orchestrator.acquisition.reason import reason
from orchestrator.algorithms.additive.belief import Belief, TermsBelief, TotalsBelief, structure_name
from orchestrator.algorithms.additive.factor_functions import FactorFunctions
from orchestrator.algorithms.additive.factor_parts import parts
from orchestrator.algorithms.additive.notes import notes
from orchestrator.algorithms.additive.options import AdditiveOptions
from orchestrator.algorithms.additive.refit import TermsRefit, TotalsRefit
from orchestrator.algorithms.additive.results import AdditiveResults
from orchestrator.algorithms.additive.scales import ScaleChoice
from orchestrator.algorithms.additive.structure_search import StructureSearch
from orchestrator.algorithms.ask_and_tell.allowed_points import best_allowed_near
from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import (
    AskKey,
    BelievedBest,
    Insight,
    Observation,
    Options,
    Prediction,
    Problem,
    Refit,
    Suggestion,
)
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.believed_best import believed_best, noisy
from orchestrator.algorithms.gaussian_process.best_where_held import BestWhereHeld
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

INCUMBENTS = 4
# The next refit waits for so many results at least, and for a fifth of those that the last one saw, or for a
# hundredth of them once the last is found wrong. Where that one stood in for another that was found wrong, it
# is twice as many as before: some functions surprise every model, and refits are dear.
FEWEST_BETWEEN_REFITS = 3
SHARE_BETWEEN_REFITS, SHARE_IF_WRONG = 5, 100
SECOND_THOUGHTS = 2
"""How often at most a point is passed over whose total is known too well to be the best.

One that may be so by less than `WORTHWHILE` is passed over every other time, and exploration then counts
`BOLDER` times as much, where it has a weight: the best point is polished, but not for the rest of the budget.
"""
# The total at a point may conceivably be so many deviations above its mean.
CONCEIVABLE = 2.0
# In deviations of all values told.
WORTHWHILE = 1e-3
BOLDER = 2.0


@dataclass(frozen=True, eq=False, slots=True)
class Climbed:
    """A (D,) feasible point where the acquisition is high, how that was found, and how to value others."""

    point: FloatArray
    why: Mapping[str, Any]
    values_at: Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """What was maximised, and where it is highest."""

    acquisition: FactorFunctions
    found: Climbed


OptionsT = TypeVar("OptionsT", bound=AdditiveOptions)


class AdditiveAlgorithm(ABC, Generic[OptionsT]):
    """The loop. A subclass is one paper's choice of structures, acquisition and maximiser."""

    name: ClassVar[str]
    Options: ClassVar[type[Options]]
    in_noise: ClassVar[float] = 1.0
    """Times the weight on deviations under the practical schedule, where noise is known or reported."""

    def __init__(self, problem: Problem, options: OptionsT) -> None:
        self._problem = problem
        self._options = options
        self._results = AdditiveResults(problem)
        self._opening = Opening(problem, self._results.history, options.designed(problem))
        self._belief: Belief | None = None
        self._turns = Turns(problem, self._results.history, self.name)

    @property
    @abstractmethod
    def _structures(self) -> StructureSearch:
        """Which decompositions are considered."""

    @property
    def _members(self) -> int:
        """How many of them are kept, at most."""
        return 1

    @property
    def _scales(self) -> ScaleChoice:
        """How values and distances may be measured."""
        options = self._options
        return ScaleChoice(options.family, options.length_scales, options.outputs, self._opening.points)

    @property
    def _learns_terms(self) -> bool:
        """Whether decomposed outputs are learned from."""
        return False

    @abstractmethod
    def _acquisition(self, belief: Belief, t: int) -> FactorFunctions:
        """What is to be maximised before evaluation number t."""

    @abstractmethod
    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        """Where it is highest."""

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, on and on."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(n^2) for each member and value."""
        for observation in observations:
            self._results.tell(observation)
            if self._belief is not None:
                self._belief.learn(self._results, slice(len(self._results) - 1, None))

    def refit_due(self) -> int | None:
        """See `Algorithm`. The first when the start design is told, then as the options say, and soon after
        the last is found wrong.
        """
        if self._belief is None:
            return 1 if self._opening.is_told else None
        last = self._belief.refit
        wait = self._options.refit_every
        if self._options.early_refits:
            wait = min(wait, max(FEWEST_BETWEEN_REFITS, last.observations // SHARE_BETWEEN_REFITS))
            if self._belief.surprised:
                soon = max(FEWEST_BETWEEN_REFITS, last.observations // SHARE_IF_WRONG)
                wait = min(wait, soon * 2 ** _surprises(last))
        return last.number + 1 if len(self._results) - last.observations >= wait else None

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. Structures, hyperparameters and weights, within a budget of evidences."""
        rng = stream(self._problem.seed, f"{self.name} refit", number)
        problem, family = self._problem, self._options.family
        kind: TotalsRefit | TermsRefit
        if problem.factors is not None and self._terms_suffice:
            kind = TermsRefit(problem, family, problem.factors)
        else:
            kind = TotalsRefit(problem, self._scales, self._structures, self._members)
        payload = dict(kind.compute(self._results, self._belief, rng))
        if self._belief is not None and self._belief.surprised:
            payload["surprises"] = 1 + _surprises(self._belief.refit)
        return Refit(number, len(self._results), payload)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. The belief is made of what the refit saw, then told the rest."""
        if self._belief is not None and refit.number <= self._belief.refit.number:
            return
        refit.require_told(len(self._results))
        domain, family = self._problem.domain, self._options.family
        belief: Belief
        if refit.payload["of"] == "terms":
            belief = TermsBelief(refit, domain, family, self._problem.factors or (), self._results)
        else:
            belief = TotalsBelief(refit, domain, family, self._results)
        belief.learn(self._results, slice(refit.observations, None))
        self._belief = belief

    def insight(self) -> Insight:
        """See `Algorithm`."""
        if self._belief is None:
            return self._opening.insight()
        leader = self._belief.hypotheses[0]
        return Insight(
            weights=self._belief.weights,
            decomposition=[list(factor) for factor in leader.posterior.graph.factors],
            probability=leader.weight,
            hyperparameters=self._belief.hyperparameters,
            notes=self._notes(self._belief),
            believed_best=self._believed_best(self._belief),
        )

    def _believed_best(self, belief: Belief) -> BelievedBest | None:
        """By the whole mixture."""
        if not noisy(self._problem, belief.noise_variance):
            return None
        return believed_best(self._results.history, belief.mean_and_variance, belief.standardisation)

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._belief is None:
            return self._opening.suggest(turn)
        return self._choose(self._belief, turn)

    def _choose(self, belief: Belief, turn: Turn) -> Suggestion:
        """One point; those that run are believed to come out as predicted."""
        domain, history = turn.domain, self._results.history
        pending, exclusion, rng = turn.running, turn.exclusion, turn.rng
        acquisition = self._judged(belief, pending)
        incumbents = told = history.best(INCUMBENTS)
        if turn.is_held:
            acquisition = replace(acquisition, within=domain)
            best = self._best_within(domain, belief)
            incumbents, told = best.points[:INCUMBENTS], best.points[best.told][:INCUMBENTS]
        choice = Choice(acquisition, self._maximise(acquisition, incumbents, rng))
        # Where parameters are held nothing may be told yet, which could be known too well to be the best.
        if isinstance(belief, TotalsBelief) and len(told):
            choice = self._reconsidered(choice, belief, told, len(history) + len(pending), rng)
        acquisition, found = choice.acquisition, choice.found
        wanted = self._point_of(choice, np.vstack([history.points, pending]))
        point = best_allowed_near(wanted, found.values_at, domain, exclusion, rng)
        if point is None:
            return at_random(domain, exclusion, rng)
        X = point[None, :]
        mean, variance = belief.mean_and_variance(X)
        predicted = Prediction.of(mean[0], variance[0], belief.standardisation)
        leader = belief.hypotheses[0].posterior
        why = {"source": "model", **reason(acquisition, X), **found.why}
        if len(belief.hypotheses) == 1:
            why["member"] = structure_name(leader.graph.factors)
        moments = leader.factor_moments(point)
        owed = parts(leader.graph.factors, moments, float(moments[0].sum()), belief.standardisation)
        return Suggestion(point, predicted, why, owed)

    def _best_within(self, part: Domain, belief: Belief) -> BestWhereHeld:
        """What is believed best of a part of the domain where parameters are held."""
        return BestWhereHeld.of(part, self._results.history, lambda X: belief.mean_and_variance(X)[0])

    def _searched(self, acquisition: FactorFunctions) -> Domain:
        """Where a point is to be chosen by it."""
        return self._problem.domain if acquisition.within is None else acquisition.within

    def _reconsidered(
        self,
        choice: Choice,
        belief: TotalsBelief,
        incumbents: FloatArray,
        count: int,
        rng: np.random.Generator,
    ) -> Choice:
        """The choice, or another where it has little to give. ``count`` points are told or run."""
        polishing = count % 2 == 0
        for _ in range(SECOND_THOUGHTS):
            point = choice.found.point
            gain = _most_to_gain(belief, point, incumbents)
            if gain >= WORTHWHILE or (gain >= 0.0 and polishing):
                break
            acquisition = choice.acquisition.turned_from(point[None, :])
            if gain >= 0.0:
                acquisition = acquisition.bolder(BOLDER)
            choice = Choice(acquisition, self._maximise(acquisition, incumbents, rng))
        return choice

    def _point_of(self, choice: Choice, tried: FloatArray) -> FloatArray:
        """(D,) what a choice comes to, where (n, D) points are told or run."""
        del tried
        return choice.found.point

    def _judged(self, belief: Belief, pending: FloatArray) -> FactorFunctions:
        """The acquisition as it is maximised: where is something to be gained, and still to be learned?

        ``pending`` (m, D) run.
        """
        t = len(self._results) + len(pending) + 1
        with belief.hallucinating(pending):
            acquisition = self._acquisition(belief, t)
        if not isinstance(belief, TotalsBelief):
            return acquisition
        if self._options.beta == "practical" and noisy(self._problem, None):
            acquisition = acquisition.bolder(self.in_noise)
        return self._knowing(acquisition, belief).turned_from(pending)

    def _knowing(self, acquisition: FactorFunctions, belief: TotalsBelief) -> FactorFunctions:
        """The acquisition with what factors are taken to know.

        Of deviations only what may change from the best point told counts, which is the incumbent believed to
        be the best.
        """
        incumbents = self._results.history.best(INCUMBENTS)
        mean, variance = belief.mean_and_variance(incumbents)
        best = int(np.argmax(mean))
        return acquisition.anchored_at(incumbents[best], float(variance[best]))

    @property
    def _terms_suffice(self) -> bool:
        """Whether most results brought decomposed outputs that add up to their values; those without are then
        left out of the model.
        """
        with_terms = self._results.with_terms
        if not self._learns_terms or with_terms == 0 or not self._results.add_up:
            return False
        return 2 * with_terms >= self._results.history.successes

    def _notes(self, belief: Belief) -> list[str]:
        """For `Insight.notes`."""
        return notes(self._problem, self._results, belief.refit, may_learn_terms=self._learns_terms)


def _surprises(refit: Refit) -> int:
    """How many refits in a row, up to this one, each stood in for one that was found wrong."""
    return int(refit.payload.get("surprises", 0))


def _most_to_gain(belief: Belief, point: FloatArray, incumbents: FloatArray) -> float:
    """By how much the total at a point might exceed what it is believed to be at the best points told."""
    mean, variance = belief.mean_and_variance(np.vstack([point, incumbents]))
    return float(mean[0] + CONCEIVABLE * math.sqrt(variance[0]) - mean[1:].max(initial=-math.inf))
