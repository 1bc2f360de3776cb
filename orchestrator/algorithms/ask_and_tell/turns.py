"""Points that are asked for together are chosen in turn, each as if those before it ran already.

Notation: D coordinates, k points that run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from orchestrator.algorithms.base import AskKey, Problem, Suggestion
from orchestrator.algorithms.exclusion import Exclusion, at_random
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False)
class Turn:
    """One point to be chosen: the number of its trial, (k, D) points that run, what may not be suggested, and
    what makes its draws.
    """

    trial: int
    running: FloatArray
    exclusion: Exclusion
    draws: Callable[[], np.random.Generator]

    @cached_property
    def rng(self) -> np.random.Generator:
        """Its draws. Made when they are wanted: what chooses by the trial's number alone wants none."""
        return self.draws()

    @property
    def domain(self) -> Domain:
        """Where it is to be chosen: the problem's domain, or a part of it where parameters are held."""
        return self.exclusion.domain

    @property
    def is_held(self) -> bool:
        """Whether parameters are."""
        return bool(self.domain.is_held.any())

    @property
    def running_there(self) -> FloatArray:
        """(k, D) those of the points that run which lie where it is to be chosen."""
        return self.running[self.domain.contains(self.running)] if self.is_held else self.running

    def seed(self) -> int:
        """For a library with a generator of its own: in [0, 2^31), another one at each call."""
        return int(self.rng.integers(2**31))


@dataclass(frozen=True, eq=False)
class Turns:
    """Those of one algorithm, whose name makes its draws its own."""

    problem: Problem
    history: History
    name: str

    def chosen(
        self,
        n: int,
        pending: Sequence[FloatArray],
        key: AskKey,
        choose: Callable[[Turn], Suggestion | None],
    ) -> list[Suggestion]:
        """n suggestions, as `Algorithm.ask` has to give them, by what ``choose`` makes of each turn; fewer
        where every row that may be tried once was, or it makes nothing of one.
        """
        exclusion = self.history.exclusion(pending, key.within)
        dimension = self.problem.domain.dimension
        running = np.empty((len(pending) + n, dimension))
        running[: len(pending)] = np.array(pending).reshape(-1, dimension)
        suggestions = []
        for turn in range(n):
            if exclusion.is_used_up:
                break
            trial, count = key.first_trial + turn, len(pending) + turn
            draws = partial(stream, self.problem.seed, f"{self.name} ask", key.ask, trial)
            own = Turn(trial, running[:count], exclusion, draws)
            found = choose(own)
            if found is None:
                break
            suggestion = self._kept_feasible(found, own)
            suggestion = replace(suggestion, point=exclusion.domain.folded(suggestion.point))
            exclusion.add(suggestion.point)
            running[count] = suggestion.point
            suggestions.append(suggestion)
        return suggestions

    @staticmethod
    def _kept_feasible(suggestion: Suggestion, turn: Turn) -> Suggestion:
        """The suggestion; where ties do not hold of it, a point near by of which nothing is predicted."""
        domain = turn.domain
        if domain.ties is None or domain.feasible(suggestion.point[None, :])[0]:
            return suggestion
        near = domain.snap(suggestion.point)
        if turn.exclusion.allows(near[None, :])[0]:
            return Suggestion(near, why={"source": "random"})
        return at_random(domain, turn.exclusion, turn.rng)
