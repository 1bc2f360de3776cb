"""The loop that the peers share: our start design, our record of what may not be repeated, their choice.

A peer fits its model within `ask`, as its own users do, and keeps nothing but the results told (and what
follows from them alone), so there are no refits to adopt and a replay costs nothing.

Notation: D coordinates.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space_conditions import SpaceConditions
from orchestrator.unit_cube.domain import Domain


class Peer(WithoutRefits, ABC):
    """The loop."""

    name: ClassVar[str]
    Options: ClassVar[type[Options]] = DesignOptions

    def __init__(self, problem: Problem, options: DesignOptions) -> None:
        self._problem = problem
        self._history = History(
            problem.domain,
            problem.outcome_constraints,
            problem.further_objectives,
            exact=problem.noise.is_none,
        )
        self._opening = Opening(problem, self._history, options.designed(problem))
        self._turns = Turns(problem, self._history, self.name)

    @abstractmethod
    def _choose(self, turn: Turn) -> Suggestion | None:
        """A feasible point that may be suggested, or None where the peer finds none. At least one result is
        known.
        """

    @abstractmethod
    def _learned(self, observation: Observation) -> None:
        """A result was added to the history."""

    @property
    def _ready(self) -> bool:
        return self._opening.is_told

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Until the start design is told: the start design, on and on."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            self._history.tell(observation)
            self._learned(observation)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        told = len(self._history)
        if not self._ready:
            return self._opening.insight()
        return Insight(notes=[f"a peer, whose model of {told} results is fitted when it is asked"])

    def _suggest(self, turn: Turn) -> Suggestion:
        if not self._ready:
            return self._opening.suggest(turn)
        return self._choose(turn) or at_random(self._problem.domain, turn.exclusion, turn.rng)


def conditions_of(domain: Domain) -> SpaceConditions | None:
    """When coordinates of a domain count, as other programs are told it; None where all always do."""
    activity = domain.activity
    assert activity is None or isinstance(activity, SpaceConditions), "a box has no peers"
    return activity


def known_objectives(observation: Observation, further: int) -> list[float] | None:
    """The value, and the other objectives, of which there are so many; None if not all are known."""
    if observation.value is None or (further and observation.further is None):
        return None
    objectives = [observation.value, *([] if observation.further is None else observation.further.tolist())]
    return objectives if len(objectives) == 1 + further and all(map(math.isfinite, objectives)) else None


def known_slacks(observation: Observation, count: int) -> list[float] | None:
    """The slacks of constraints on outcomes, of which there are so many; None if not all are numbers."""
    slacks = [] if observation.slacks is None else observation.slacks.tolist()
    return slacks if len(slacks) == count and all(map(math.isfinite, slacks)) else None


def deterministic(problem: Problem) -> bool:
    """Whether the problem says that values are exact."""
    return problem.noise.is_none
