"""CMA-ES: a normal distribution that adapts to what ranks highest (Hansen 2016), with restarts."""

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
from orchestrator.algorithms.evolution.generations import Generations, Result
from orchestrator.algorithms.evolution.recombination_weights import default_population
from orchestrator.algorithms.evolution.restarts import GROWTH
from orchestrator.algorithms.evolution.sides_of_folds import PASSES
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

# So many points are drawn at a time until one of them may be suggested.
DRAWS = (1, 16, 256)
SOURCE = "distribution"


class CmaEsOptions(Options):
    """Options of ``cma-es``. ``population``: how many results a generation has at first; 4 + 3 log(D) of D
    parameters, and no fewer than are evaluated at a time, if left out. ``spread``: the deviation that it
    begins with, as a part of each parameter's range on its scale. ``restarts``: whether it begins anew
    elsewhere, with twice the population, once it has converged; else it goes on about where it is.
    """

    counts_designed: ClassVar[bool] = True
    keeps_constraints: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    population: int | None = Field(None, ge=4, le=10_000)
    spread: float = Field(0.3, gt=0.0, le=1.0)
    restarts: bool = True

    def size(self, problem: Problem) -> int:
        """How many results the first generation has."""
        return self.population or max(default_population(problem.domain.dimension), problem.parallel)


class CmaEs(WithoutRefits):
    """Points are drawn about a mean; the better half of each generation moves the mean and shapes the
    covariance, the worse half is unlearned, and the path of the mean says how large steps are.

    1. While there are points of the start design to evaluate, these; then draws from the distribution.
    2. So many results make a generation, which moves it: `evolution.distribution_update`.
    3. Once it has converged, or degenerated, it begins anew about a random point with twice the population:
       `evolution.restarts`.

    Source: Hansen 2016 (arXiv:1604.00772), Fig. 6 with the weights and rates of Table 1, the negative ones
    among them; restarts, Auger & Hansen 2005 (IPOP).

    Deviations: a generation is the next so many results in the order told, whichever distribution their
    points were drawn from, so that nobody waits: what was asked before an update and is told after it, a
    person's points and what was moved to where ties hold count as injected solutions, cut to a length
    (Hansen 2011); points drawn from the distribution as it is are cut alike, which concerns one in ten of
    one parameter, and fewer of more. One after another, or in batches of a generation, it is the paper's.
    The distribution lies in a space without bounds, which is folded into the cube (pycma's BoundTransform:
    `evolution.bound_folding`), and what is told counts as drawn on either side of a fold as likely as the
    distribution has it (`evolution.sides_of_folds`); a best point in a corner is neared as one inside is.
    What breaks a constraint, was evaluated before, or lies outside along integers, steps and ordered values
    is drawn anew, whole, up to some hundred times. Along those the deviation is held up, so that about one
    point of a generation leaves the mean's cell (Hamano et al. 2022, without the correction of the mean);
    choices are drawn by frequencies of their own. It begins in the middle of the cube, or at the best of the
    start design and of what is known from elsewhere. Of values only the order counts: what breaks constraints
    on outcomes ranks behind what does not, by how much, and failures come last; a generation of equal ones
    teaches nothing. Forecasts of what was stopped rank as values do. A start is over once points lie so near
    that most count as evaluated, or the best of many generations are equal, or one axis is 10^7 times
    another: criteria that depend on differences of values, which noise makes meaningless, are left out.
    """

    name: ClassVar[str] = "cma-es"
    Options: ClassVar[type[Options]] = CmaEsOptions

    def __init__(self, problem: Problem, options: CmaEsOptions) -> None:
        self._problem = problem
        self._options = options
        self._history = History(problem.domain, problem.outcome_constraints, exact=problem.noise.is_none)
        self._turns = Turns(problem, self._history, self.name)
        self._opening = Opening(problem, self._history, start_points(problem, 0))
        self._starts = 1
        self._has_begun = False
        middle = problem.domain.snap(np.full(problem.domain.dimension, 0.5))
        self._generations = self._begun(middle, options.size(problem))

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._choose)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        looked_up = False
        for observation in observations:
            # Of the design, or known: where to begin, and no generation.
            beforehand = not self._has_begun and (observation.trial < 1 or self._opening.lasts(0))
            if not beforehand and not self._has_begun:
                self._begin_at_best()
                self._has_begun = True
            self._history.tell(observation)
            looked_up |= beforehand
            if not beforehand:
                self._learn(observation)
        if looked_up and not self._has_begun:
            self._begin_at_best()

    def insight(self) -> Insight:
        """See `Algorithm`."""
        now = self._generations
        said = (
            f"no model; start {self._starts}, generation {now.completed + 1} of {now.population} results each"
        )
        if now.normal is None:
            return Insight(notes=[said])
        deviations = now.deviations
        return Insight(
            notes=[said, f"deviations from {deviations.min():.3g} to {deviations.max():.3g} of the ranges"]
        )

    def _begun(self, mean: FloatArray, population: int) -> Generations:
        return Generations.begun(self._problem.domain, mean, self._options.spread, population)

    def _begin_at_best(self) -> None:
        """At the best of what is known, if anything has a value."""
        if self._history.successes:
            self._generations = self._begun(self._history.best(1)[0], self._generations.population)

    def _learn(self, observation: Observation) -> None:
        """Lines 2 and 3."""
        value = np.nan if observation.value is None else observation.value
        point, slacks = self._history.points[-1].copy(), self._history.slacks[-1].copy()
        rng = stream(self._problem.seed, f"{self.name} sides", len(self._history))
        result = Result(point, value, slacks, rng.random((PASSES, len(point))))
        self._generations = self._generations.told(result)
        if self._options.restarts and not self._generations.waiting and self._generations.is_over:
            rng = stream(self._problem.seed, f"{self.name} restart", self._starts)
            (mean,) = self._problem.domain.sample(1, rng)
            self._generations = self._begun(mean, GROWTH * self._generations.population)
            self._starts += 1

    def _choose(self, turn: Turn) -> Suggestion:
        if not self._has_begun and self._opening.lasts(len(turn.running)):
            return self._opening.suggest(turn)
        domain = turn.domain
        for count in DRAWS:
            drawn = self._generations.draw(count, turn.rng)
            points = domain.rounded(drawn)
            if not len(points):
                continue
            allowed = np.flatnonzero(turn.exclusion.allows(points))
            if len(allowed):
                return self._of_distribution(points[allowed[0]])
        near = domain.snap(self._generations.draw_anywhere(DRAWS[1], turn.rng))
        for point in near[turn.exclusion.allows(near)][:1]:
            return self._of_distribution(point)
        return at_random(domain, turn.exclusion, turn.rng)

    def _of_distribution(self, point: FloatArray) -> Suggestion:
        why = {"source": SOURCE, "generation": self._generations.completed + 1, "start": self._starts}
        return Suggestion(point, why=why)
