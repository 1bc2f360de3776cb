"""NSGA-II: a population that is bred towards the front of several objectives (Deb et al. 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.start_points import start_points
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.evolution.survivors import Survivors
from orchestrator.algorithms.evolution.variation import bred
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray

POPULATION = 50
# So many children are bred until one of them may be suggested.
CHILDREN = 32
SOURCE = "parents"


class NsgaIIOptions(Options):
    """Options of ``nsga-ii``. ``population``: how many of the best results breed, after a start design of as
    many points, unless the problem says how many.
    """

    counts_designed: ClassVar[bool] = True
    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True
    population: int = Field(POPULATION, ge=4, le=1_000)


class NsgaII(WithoutRefits):
    """Two winners of small tournaments among the best results have a child, which differs from both.

    1. The start design, of as many points as the population has members.
    2. The best so many of all results are the population: by the number of fronts that are better, and of one
       front the less crowded.
    3. Each parent is the better of two members that are drawn. What they have together is mutated.

    Source: Deb et al. 2002, sections III, IV and VI, with its crossover, mutation and their rates.

    Deviations: it is steady. One child is bred at a time, from the best of all that was told by then, so
    that nobody waits for a generation to end; the worst member leaves as a better one comes. One child of a
    pair is kept. At least one coordinate is mutated, and none is evaluated twice: such a child is bred
    anew. The first population is a Sobol sequence, and whatever is known from elsewhere. Choices are taken
    from either parent and mutate to any other value; what mutates along positions goes to another one, near
    by or not. Where ties do not hold of a child, it is moved to where they do, near by. What constraints on
    outcomes lack is added up in deviations of the population's. What failed, or has an objective that is
    not known, is no member. A forecast of what was stopped is a value as any. A coordinate that comes round
    is one with two ends to crossover.
    """

    name: ClassVar[str] = "nsga-ii"
    Options: ClassVar[type[Options]] = NsgaIIOptions

    def __init__(self, problem: Problem, options: NsgaIIOptions) -> None:
        domain, constraints = problem.domain, problem.outcome_constraints
        self._history = History(domain, constraints, problem.further_objectives, exact=problem.noise.is_none)
        self._turns = Turns(problem, self._history, self.name)
        self._opening = Opening(problem, self._history, start_points(problem, options.population))
        objectives = 1 + problem.further_objectives
        self._survivors = Survivors(options.population, domain.dimension, objectives, constraints)

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._choose)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            self._history.tell(observation)
            value, further = self._history.values[-1], self._history.further[-1]
            objectives = np.concatenate([[value], further])
            if not np.isnan(objectives).any():
                slacks = self._history.slacks[-1]
                self._survivors.tell(self._history.points[-1], objectives, slacks)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        if self._opening.lasts(0):
            return self._opening.insight()
        front = int(np.count_nonzero(self._survivors.ranks == 0))
        return Insight(
            notes=[f"no model; a population of {len(self._survivors)}, of which {front} are undominated"]
        )

    def _choose(self, turn: Turn) -> Suggestion:
        if self._opening.lasts(len(turn.running)) or len(self._survivors) < 2:
            return self._opening.suggest(turn)
        for _ in range(CHILDREN):
            first, second = self._parent(turn.rng), self._parent(turn.rng)
            members = self._survivors.points
            child = turn.domain.snap(bred(members[first], members[second], turn.domain, turn.rng))
            if turn.exclusion.allows(child[None, :])[0]:
                rank = int(self._survivors.ranks[first])
                return Suggestion(child, why={"source": SOURCE, "front": rank + 1})
        return at_random(turn.domain, turn.exclusion, turn.rng)

    def _parent(self, rng: np.random.Generator) -> int:
        """The number of the better one of two."""
        one, other = (int(i) for i in rng.integers(len(self._survivors), size=2))
        return other if self._survivors.better(other, one) else one
