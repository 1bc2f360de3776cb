"""Best in use: the search of ``auto`` where conditions vary that an evaluation sets and nobody else does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN, StartDesign
from orchestrator.algorithms.ask_and_tell.start_points import start_points
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.within_reach import WithinReach
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import (
    AskKey,
    BelievedBest,
    Insight,
    Observation,
    Options,
    Problem,
    Suggestion,
)
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.algorithms.in_use.believed_designs import BelievedDesigns
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import anything
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

CAUTION = 1.0
"""Deviations by which the best design may be worse than expected, and is to be best still."""
LEAST_DESIGNED, MOST_DESIGNED = 5, 12
"""Points before there is a model: else twice as many as parameters."""


class BestInUseOptions(Options):
    """There is nothing to choose."""

    keeps_constraints: ClassVar[bool] = True
    heeds_use: ClassVar[bool] = True


class BestInUse(WithoutRefits):
    """What is sought is a design, the coordinates that are chosen, of which r, its average over the
    conditions that come up in use, or over the worst part of these, is highest.

    ```
    1  one Gaussian process of the value over designs and conditions, under S draws of hyperparameters
    2  begin with a Sobol sequence of designs, each in one condition, which come as often as in use
    3  x = argmax E max(r(x) - r*, 0), with r* the highest mean of r at designs tried or that run
    4  c = of the conditions the one in which an evaluation at x takes most of the variance of r(x) away
    ```

    r is of m conditions with weights: all of them where these are few, else quasi-random. Its belief is joint
    over these: exact where r is the average, else from draws of the values in all of them. What runs counts
    as come out as expected. Believed best is the design of which r less its deviation is highest.

    Source: Williams, Santner & Notz 2000, the two steps; of fixed conditions by weights Toscano-Palmerin &
    Frazier 2018; risk measures by draws Cakmak et al. 2020; hyperparameters drawn after Snoek et al. 2012.

    Deviations: r is taken to be normal by its mean and variance where it is not the average. The condition
    is that which tells most of r at x alone, and not of all designs, as a knowledge gradient would; so it is
    by the mean of r's gradient, by Stein's lemma. Designs are drawn and moved on, and not climbed to by
    gradients. A failed evaluation counts as an average value.
    """

    name: ClassVar[str] = "auto"
    Options: ClassVar[type[Options]] = BestInUseOptions

    def __init__(self, problem: Problem, options: BestInUseOptions) -> None:
        del options
        assert problem.in_use is not None
        self._problem = problem
        self._in_use = problem.in_use
        self._history = History(problem.domain)
        self._turns = Turns(problem, self._history, "best in use")
        designed = min(max(LEAST_DESIGNED, 2 * problem.domain.dimension), MOST_DESIGNED)
        self._start_points = start_points(problem, designed)
        self._design = StartDesign(self._in_use.designs(problem.domain), problem.seed)
        self._learned: BelievedDesigns | None = None
        self._is_stale = False

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. The models are made when they are asked for."""
        for observation in observations:
            self._history.tell(observation)
            self._is_stale = True

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`: the design."""
        learned = self._believed()
        if learned is None:
            return None
        domain = self._in_use.designs(within or self._problem.domain)
        rng = stream(self._problem.seed, "best in use recommendation", len(self._history))

        def surely(designs: FloatArray) -> FloatArray:
            mean, deviation = learned.mean_and_deviation(designs)
            return mean - CAUTION * deviation

        found = WithinReach.of(domain, self._anchors(learned), rng).best(surely, domain.feasible, rng)
        if found is None:
            return None
        return Suggestion(found.point, learned.predicted(found.point), {"source": "model"})

    def insight(self) -> Insight:
        """See `Algorithm`."""
        learned = self._believed()
        if learned is None:
            return Insight(notes=["no result with a value is known yet"])
        best = learned.best_tried(CAUTION)
        believed = (
            None
            if best is None
            else BelievedBest(learned.trials[best], learned.predicted(learned.tried[best]))
        )
        return Insight(hyperparameters={"value": learned.models.typical.to_json()}, believed_best=believed)

    def _believed(self) -> BelievedDesigns | None:
        if self._is_stale:
            self._is_stale = False
            self._learned = BelievedDesigns.of(self._problem, self._in_use, self._history)
        return self._learned

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._history.designed() + len(turn.running) < self._start_points:
            return self._designed(turn)
        learned = self._believed()
        if learned is None:
            return self._designed(turn)
        against = np.vstack([learned.tried, self._in_use.as_designs(turn.running)])
        if not len(against):
            return self._designed(turn)
        reach = WithinReach.of(self._in_use.designs(turn.domain), self._anchors(learned), turn.rng)
        with learned.beside(turn.running):
            best = learned.best_of(against)
            # A design may be tried again in another condition.
            found = reach.best(partial(learned.log_improvement, best=best), anything, turn.rng)
            assert found is not None
            each, told = self._in_use.at(found.point[None, :]), learned.told(found.point)
            better = learned.chance(found.point, best)
        told = np.where(turn.exclusion.allows(each), told, -1.0)
        chosen = int(np.argmax(told))
        if told[chosen] < 0.0:
            return at_random(turn.domain, turn.exclusion, turn.rng)
        why = {"told": float(told[chosen]), "better": better, "over": self._in_use.over.words}
        predicted = learned.value_predicted(each[chosen])
        return Suggestion(each[chosen], predicted, {"source": "model", "in_use": why})

    @staticmethod
    def _anchors(learned: BelievedDesigns) -> FloatArray:
        """(t, D) the designs tried, the best first."""
        if not len(learned.tried):
            return learned.tried
        return learned.tried[np.argsort(-learned.mean_and_deviation(learned.tried)[0], kind="stable")]

    def _designed(self, turn: Turn) -> Suggestion:
        point = self._design.point(turn.trial)
        point[list(self._in_use.coordinates)] = self._in_use.of_trial(turn.trial)
        if not turn.exclusion.allows(point[None, :])[0]:
            return at_random(turn.domain, turn.exclusion, turn.rng)
        return Suggestion(point, why={"source": OF_DESIGN})
