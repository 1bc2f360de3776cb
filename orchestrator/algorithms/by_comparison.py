"""By comparison: the search of ``auto`` where people say which of two trials is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.reason import reason
from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import (
    AskKey,
    Comparison,
    Insight,
    Observation,
    Options,
    Problem,
    Suggestion,
)
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.algorithms.preference.learned_utility import LearnedUtility, chance_above_0, learned_utility
from orchestrator.algorithms.preference.told_comparisons import ToldComparisons
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.surrogates.latent.utility import Advantage
from orchestrator.surrogates.latent.utility_as_predicted import as_predicted

MOST_DESIGNED = 6
"""Points of the start design, of which each but the first is compared with the best before it."""


class ByComparisonOptions(Options):
    """There is nothing to choose."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    learns_comparisons: ClassVar[bool] = True


class ByComparison(WithoutRefits):
    """A latent utility has a Gaussian process. Whoever compares sees it with an error, of which the deviation
    is the utility's unit, and may not be able to tell.

    ```
    1  begin with a Sobol sequence, of two points more than there are parameters, 6 at most
    2  find the likeliest length-scales and variance, and the mode of the utility, by all comparisons
    3  b = the point compared, of those that satisfy all constraints, that has the highest mean
    4  x = argmax log E max(f(x) - f(b), 0), which is to be compared with b; while others are not compared
        yet, with f at them as expected, and in the place of b the one of them that is expected to be better
    ```

    Source: Chu & Ghahramani 2005, the process and Laplace's method for pairs; the expected utility of the
    better of the two, Lin et al. 2022, which with b given is line 4; its logarithm after Ament et al. 2023;
    what is not compared yet as in the kriging believer of Ginsbourger et al. 2010; ties after Glenn & David
    1960.

    Deviations: one point of a pair is the best known, so that each trial is one thing to make, where Lin et
    al. choose both anew; those of a batch are chosen in turn, and not together as by qEUBO (Astudillo et al.
    2023). Hyperparameters are maximum a posteriori and refitted at every ask, the threshold of a tie follows
    from how many there were. A trial that failed was not compared: all that follows is that it is not tried
    again.
    """

    name: ClassVar[str] = "auto"
    Options: ClassVar[type[Options]] = ByComparisonOptions

    def __init__(self, problem: Problem, options: ByComparisonOptions) -> None:
        del options
        self._problem = problem
        self._history = History(problem.domain)
        self._opening = Opening.by_dimension(problem, self._history, beyond=2, most=MOST_DESIGNED)
        self._told = ToldComparisons(problem.domain)
        self._turns = Turns(problem, self._history, "by comparison")
        self._learned: LearnedUtility | None = None

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`: where trials lie, none of which has a value."""
        for observation in observations:
            self._history.tell(observation)
            self._told.place(observation.trial, observation.point)

    def compare(self, comparisons: Sequence[Comparison]) -> None:
        """See `LearnsComparisons`. The model is made when it is asked for."""
        self._told.add(comparisons)
        self._learned = None

    def insight(self) -> Insight:
        """See `Algorithm`."""
        learned = self._believed()
        if learned is None:
            return Insight(notes=["no comparisons are told yet"])
        return Insight(
            hyperparameters={"utility": learned.hyperparameters.to_json()},
            preferred=learned.preferred,
        )

    def chance(self, point: FloatArray, other: FloatArray) -> float:
        """That one (D,) point is better than another one. There must be a comparison."""
        learned, embed = self._believed(), self._problem.domain.embed
        assert learned is not None
        X = embed(np.array([point, other]))
        return 0.5 if np.array_equal(X[0], X[1]) else chance_above_0(learned.utility.over(X[1]), X[:1])

    def _believed(self) -> LearnedUtility | None:
        """By all that was told; None before a comparison."""
        if self._learned is None and len(self._told):
            self._learned = learned_utility(self._told, self._problem.domain)
        return self._learned

    def _suggest(self, turn: Turn) -> Suggestion:
        unplaced = self._told.unplaced(turn.running)
        if self._opening.lasts(unplaced) or (learned := self._believed()) is None:
            return self._opening.suggest(turn)
        advantage = learned.utility.over(learned.embedded_best)
        gain = self._gain(learned, advantage, turn)
        objective = Embedded(turn.domain, gain)
        found = maximise(objective, turn.domain, learned.leaders, turn.exclusion.allows, turn.rng)
        if found is None:
            return at_random(turn.domain, turn.exclusion, turn.rng)
        X = turn.domain.embed(found.point)
        better = {"better_than": learned.best, "chance": chance_above_0(advantage, X)}
        return Suggestion(found.point, why={"source": "model", **better, **reason(gain, X)})

    @staticmethod
    def _gain(learned: LearnedUtility, advantage: Advantage, turn: Turn) -> LogExpectedImprovement:
        if not len(turn.running):
            return LogExpectedImprovement(advantage, best=0.0)
        b, pending = learned.embedded_best, turn.domain.embed(turn.running)
        best = float(advantage.mean_and_variance(pending)[0].max())
        known = as_predicted(learned.utility, b, pending).over(b)
        return LogExpectedImprovement(known, max(0.0, best))
