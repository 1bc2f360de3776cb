"""Composite search: that of ``auto`` where the objective is a known function of what evaluations return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.composite_improvement import Composite, LogCompositeImprovement
from orchestrator.acquisition.outcome_draws import OutcomeDraws
from orchestrator.algorithms.ask_and_tell.best_there import leaders, to_improve_on
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import (
    AskKey,
    BelievedBest,
    Insight,
    Observation,
    Options,
    Prediction,
    Problem,
    Suggestion,
)
from orchestrator.algorithms.best_tried import best_tried_or
from orchestrator.algorithms.composite.diverged import most_best
from orchestrator.algorithms.composite.learned_outcomes import LearnedOutcomes
from orchestrator.algorithms.composite.modelled_outcomes import ModelledOutcomes
from orchestrator.algorithms.composite.told_outcomes import ToldOutcomes
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.algorithms.outcomes.believed_slacks import BelievedSlacks
from orchestrator.algorithms.outcomes.feasible_objective import FeasibleObjective
from orchestrator.algorithms.outcomes.outcome_models import (
    FITS,
    GroupFit,
    OutcomesKnown,
    conditioned,
    fitted,
)
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.moments import moments
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

MOST_DESIGNED = 10
LOG2_DRAWS = 7
"""128 draws, of which each has its own value at a point."""
CONTENDERS = 10
"""So many of the best points are searched about, and are to be improved on."""
LOOKED_AT = 256
SMOOTHING = 0.01
"""The width within which improvements are smoothed, as a part of the most that is expected anywhere."""
LEAST_WIDTH = 1e-12
"""As a part of the best value, or of 1e-100."""


class CompositeOptions(Options):
    """There is nothing to choose."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True


class CompositeSearch(WithoutRefits):
    """Each outcome has a Gaussian process, and the objective is the known function of what these may be.

    ```
    1  begin with a Sobol sequence, of two points more than there are parameters, 10 at most
    2  find the likeliest hyperparameters for each outcome; of more than 8 for all, with one kernel; of a
       curve for each of its 8 foremost principal components, and with one kernel for up to 4 more
    3  draw outcomes, 128 of each, as smooth functions of where they are; g of each draw
    4  b = the best value; in noise, of the ten best points the highest mean of g
    5  x = argmax log E max(g(f(x)) - b, 0) + log P(constraints on outcomes hold) + log P(it succeeds)
    ```

    Points that run count as come out as expected in line 3, and what is expected there may be b. Curves are
    modelled by the components of those seen, so that all but line 2's taking them in costs the same for 20
    points and for 2000; of a misfit nothing is lost by it but what components leave out. Where one
    outcome is far beyond where it usually lies, as a simulation diverged, the others are learned, and that an
    evaluation there does not succeed.

    Source: Astudillo & Frazier 2019, with reparametrised draws (Wilson et al. 2018), spread evenly; the
    logarithm of smoothed improvements after Ament et al. 2023; outcomes that share a kernel after Bonilla et
    al. 2008; components of curves after Higdon et al. 2008; times the probability of feasibility after
    Schonlau et al. 1998; what runs as in the kriging believer of Ginsbourger et al. 2010.

    Deviations: points of a batch are chosen in turn, where q-EI chooses them together. Hyperparameters are
    maximum a posteriori; of two kernels, Matern 5/2 and squared exponential, each outcome has the likelier.
    Draws are the same wherever a point is looked for, and others at the next. Slacks of constraints on
    outcomes have processes of their own, which know nothing of the outcomes'.
    """

    name: ClassVar[str] = "auto"
    purpose: ClassVar[str] = "composite search"
    Options: ClassVar[type[Options]] = CompositeOptions

    def __init__(self, problem: Problem, options: CompositeOptions) -> None:
        del options
        assert problem.composite is not None
        self._problem, self._function = problem, problem.composite
        self._history = History(problem.domain, problem.outcome_constraints)
        self._opening = Opening.by_dimension(problem, self._history, beyond=2, most=MOST_DESIGNED)
        self._told = ToldOutcomes(problem.composite.outcomes)
        self._turns = Turns(problem, self._history, self.purpose)
        self._slacks = BelievedSlacks(problem)
        self._learned: LearnedOutcomes | None = None
        self._fitted: tuple[int, ModelledOutcomes, tuple[GroupFit, ...]] | None = None

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. The models are made when they are asked."""
        for observation in observations:
            self._history.tell(observation)
            self._told.tell(observation)
            self._learned = None

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. The point of which the known function is expected to be best. Where values are
        exact, and of all that is sought, the best one told unless another is surely better.
        """
        learned, domain = self._believed(), within or self._problem.domain
        if learned is None:
            return None
        rng = stream(self._problem.seed, "composite search recommendation", len(self._history))
        composite = self._composite(learned, rng)
        best = self._history.best(CONTENDERS)
        points = np.vstack([domain.sample(LOOKED_AT, rng), best[domain.contains(best)]])
        start = points[self._foremost(composite, learned, points)][None, :]
        floor = max(float(composite.believed(start).mean[0]), float(np.nanmin(self._history.values)))
        objective = FeasibleObjective.of(self._over(composite, floor, points), domain, learned.feasibility)
        found = maximise(objective, domain, start, domain.feasible, rng)
        tops = start if found is None else np.vstack([start, found.point])
        point = tops[self._foremost(composite, learned, tops)]
        recommended = Suggestion(point, self._predicted(composite, point), {"source": "model"})
        if within is not None or not self._problem.noise.is_none:
            return recommended
        predicted = partial(self._predicted, composite)
        return best_tried_or(recommended, self._history, domain, self._problem.noise, predicted)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        learned = self._believed()
        if learned is None:
            return self._opening.insight()
        pairs = zip(learned.modelled.names, learned.fits, strict=True)
        own = {name: one.hyperparameters.to_json() for name, one in pairs}
        return Insight(hyperparameters=own, believed_best=self._believed_best(learned))

    def _believed_best(self, learned: LearnedOutcomes) -> BelievedBest | None:
        if self._problem.noise.is_none or not self._history.satisfied:
            return None
        composite = self._composite(learned, stream(self._problem.seed, "composite search insight"))
        rows = self._history.best_rows(CONTENDERS)
        points = self._history.points[rows]
        best = int(np.argmax(composite.believed(points).mean))
        return BelievedBest(self._history.trials[rows[best]], self._predicted(composite, points[best]))

    def _believed(self) -> LearnedOutcomes | None:
        """By all that was told; None before the outcomes of a result are known."""
        known = self._told.known
        if self._learned is None and known.any():
            domain, history = self._problem.domain, self._history
            X, Y = domain.embed(history.points[known]), self._told.values[known]
            modelled, fits = self._fits(X, Y, history.values[known])
            numbers = modelled.numbers(Y)
            groups = conditioned(fits, X, numbers, domain.embedded_aspect)
            succeeded = ~np.isnan(history.values)
            succeeded[known] = ~np.isnan(numbers).any(axis=1)
            feasible = self._slacks.feasibility(history, domain.embed(history.points), succeeded)
            self._learned = LearnedOutcomes(modelled, fits, groups, feasible)
        return self._learned

    def _fits(
        self, X: FloatArray, Y: FloatArray, values: FloatArray
    ) -> tuple[ModelledOutcomes, tuple[GroupFit, ...]]:
        """What is modelled of all outcomes, and how: as it was, unless that is due anew."""
        seen = FITS.seen(len(X))
        if self._fitted is None or self._fitted[0] != seen:
            rng = stream(self._problem.seed, "composite search fit", seen)
            aspects, is_noisy = self._problem.domain.embedded_aspect, not self._problem.noise.is_none
            best = np.argsort(-values[:seen], kind="stable")[: most_best(seen)]
            modelled = ModelledOutcomes.of(self._function, X[:seen], Y[:seen], best)
            told = OutcomesKnown(X[:seen], modelled.numbers(Y[:seen]), aspects, is_noisy)
            fits = fitted(told, modelled.groups, rng)
            self._fitted = seen, modelled, fits
        return self._fitted[1:]

    def _composite(self, learned: LearnedOutcomes, rng: np.random.Generator) -> Composite:
        draws = OutcomeDraws.of(learned.groups, LOG2_DRAWS, rng)
        return Composite(self._problem.domain, learned.modelled.function, draws)

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._opening.lasts(len(turn.running)) or (learned := self._believed()) is None:
            return self._opening.suggest(turn)
        return self._chosen(learned, turn)

    def _chosen(self, learned: LearnedOutcomes, turn: Turn) -> Suggestion:
        """The point that is worth most by what was learned."""
        composite = self._composite(learned, turn.rng)
        best = self._best_value(composite, learned, turn)
        about = leaders(self._history, turn, CONTENDERS)
        X = turn.domain.embed(turn.running)
        with in_all(group.model.hallucinating(X) for group in learned.groups):
            looked_at = np.vstack([turn.domain.sample(LOOKED_AT, turn.rng), about])
            improvement = self._over(composite, best, looked_at)
            objective = FeasibleObjective.of(improvement, turn.domain, learned.feasibility)
            found = maximise(objective, turn.domain, about, turn.exclusion.allows, turn.rng)
            if found is None:
                return at_random(turn.domain, turn.exclusion, turn.rng)
            why = {"exploration": float(improvement.exploration(found.point[None, :])[0])}
            return self._explained(composite, learned, found.point, why)

    def _explained(
        self, composite: Composite, learned: LearnedOutcomes, point: FloatArray, told: Mapping[str, object]
    ) -> Suggestion:
        """A point that models chose, with what they believe of it beside what is ``told``."""
        why: dict[str, object] = {"source": "model", **told}
        why["outcomes"] = self._outcomes(composite, learned, point)
        if self._problem.outcome_constraints and learned.feasibility is not None:
            slacks = learned.feasibility.of_slacks
            why["feasible"] = float(np.exp(slacks.values(self._problem.domain.embed(point[None, :]))[0]))
        return Suggestion(point, self._predicted(composite, point), why)

    def _best_value(self, composite: Composite, learned: LearnedOutcomes, turn: Turn) -> float:
        """What is to be improved on; before a result satisfies all constraints, next to the worst told."""
        history = self._history
        floors = [float(np.nanmin(history.values))]
        rows = to_improve_on(history, turn, CONTENDERS)
        if len(rows):
            floors.append(float(self._told_or_believed(composite, learned, rows).max()))
        rivals = turn.running_there
        rivals = rivals[self._likely(learned, rivals)]
        if len(rivals):
            floors.append(float(composite.believed(rivals).mean.max()))
        return max(floors)

    def _told_or_believed(
        self, composite: Composite, learned: LearnedOutcomes, rows: IndexArray
    ) -> FloatArray:
        """What results came to; in noise, what they are believed to."""
        points = self._history.points[rows]
        if not self._problem.noise.is_none:
            return composite.believed(points).mean
        told = self._history.values[rows]
        if not self._function.curves:
            return told
        # What components leave out of a curve no draw has, either: it would count as something to gain.
        known = self._told.known[rows]
        seen = learned.modelled.values(self._told.values[rows][known], points[known])
        told = told.copy()
        told[known] = np.where(np.isnan(seen), told[known], seen)
        return told

    def _likely(self, learned: LearnedOutcomes, points: FloatArray) -> BoolArray:
        if learned.feasibility is None or not len(points):
            return np.ones(len(points), dtype=bool)
        slacks = learned.feasibility.of_slacks
        return np.asarray(slacks.values(self._problem.domain.embed(points)) > np.log(0.5))

    def _foremost(self, composite: Composite, learned: LearnedOutcomes, points: FloatArray) -> int:
        """Which of (k, D) points, k >= 1, is expected to be best of those that are likely to count; where
        none is, which is likeliest to.
        """
        likely = self._likely(learned, points)
        if learned.feasibility is not None and not likely.any():
            slacks = learned.feasibility.of_slacks
            return int(np.argmax(slacks.values(self._problem.domain.embed(points))))
        return int(np.argmax(np.where(likely, composite.believed(points).mean, -np.inf)))

    @staticmethod
    def _over(composite: Composite, best: float, points: FloatArray) -> LogCompositeImprovement:
        """Over a best value, as smooth as what is expected at (k, D) points asks for."""
        drawn = composite.drawn(points)
        most = float(np.maximum(drawn - best, 0.0).mean(axis=0).max())
        if most == 0.0:
            finite = drawn[np.isfinite(drawn)]
            most = float(np.median(np.abs(finite - best))) if len(finite) else 1.0
        return LogCompositeImprovement(
            composite, best, max(SMOOTHING * most, LEAST_WIDTH * max(abs(best), 1e-100))
        )

    @staticmethod
    def _outcomes(
        composite: Composite, learned: LearnedOutcomes, point: FloatArray
    ) -> list[dict[str, float]]:
        """What is predicted of each outcome that is a number, as JSON, in the order told."""
        embedded = composite.domain.embed(point[None, :])
        drawn = learned.modelled.scalars(composite.draws.at(embedded)[:, 0])
        pairs = zip(*(told.tolist() for told in moments(drawn)), strict=True)
        return [{"mean": mean, "deviation": deviation} for mean, deviation in pairs]

    @staticmethod
    def _predicted(composite: Composite, point: FloatArray) -> Prediction:
        at = composite.believed(point[None, :])
        return Prediction(float(at.mean[0]), float(at.deviation[0]))
