"""A search by a mixture of hypotheses: what `auto` has in common with searches for something else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import AskKey, Insight, Observation, Problem, Refit, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.duration_belief import durations_noted
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.penalties import count_penalties_as_failures
from orchestrator.algorithms.mixture.refit import AutoRefit
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.algorithms.mixture.sums_seen import seeing_sums
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


class MixtureSearch(ABC):
    """Its points are of the start design until there is a model, and then as `_chosen` says. Its random
    streams are told from those of other searches by their ``purpose``.
    """

    name: ClassVar[str]
    purpose: ClassVar[str]

    def __init__(self, problem: Problem, options: AutoOptions) -> None:
        problem = seeing_sums(problem)
        self._problem = problem
        self._options = options
        self._history = History(
            problem.domain,
            problem.outcome_constraints,
            problem.further_objectives,
            problem.fidelity,
            exact=problem.noise.is_none,
        )
        self._opening: Opening = Opening(problem, self._history, options.designed(problem))
        self._learned: Learned | None = None
        self._turns = Turns(problem, self._history, self.purpose)

    @property
    def learned(self) -> Learned | None:
        """By the last refit, and since; None before the first."""
        return self._learned

    @abstractmethod
    def _chosen(self, learned: Learned, turn: Turn) -> Suggestion:
        """The point that is worth most by what was learned."""

    @abstractmethod
    def _insight(self, learned: Learned, notes: Sequence[str]) -> Insight:
        """Of what was learned, with ``notes`` to be added to those of its own."""

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, if need be on and on."""
        key = replace(key, within=self._within(key.within))
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(n^2) for each, times the number of hypotheses."""
        for observation in observations:
            self._history.tell(self._options.heeded(observation))
            count_penalties_as_failures(self._history, self._opening.points)
            self._learn(len(self._history) - 1)

    def refit_due(self) -> int | None:
        """See `Algorithm`. The first when the opening is told, then as the options say."""
        if self._learned is not None:
            return self._learned.refit_due(self._options)
        return 1 if self._opening.is_told else None

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. Without a region."""
        return Refit(number, len(self._history), self._refit(number).compute())

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. The belief is made of what the refit saw, then told the rest."""
        if self._learned is not None and refit.number <= self._learned.refit.number:
            return
        self._learned = Learned.by(refit, self._problem, self._history)
        self._begin_from(refit)
        for row in range(refit.observations, len(self._history)):
            self._learn(row)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        if self._learned is None:
            return self._opening.insight()
        weighed = [durations_noted(self._history.durations)] if self._options.weigh_duration else []
        return self._insight(self._learned, weighed)

    def _refit(self, number: int) -> AutoRefit:
        """The next one, without a region."""
        standing = Standing() if self._learned is None else self._learned.standing
        return AutoRefit(self._problem, self._history, number, self._opening.points, standing)

    def _begin_from(self, refit: Refit) -> None:
        """A belief has been made of a refit, and is still to learn what came since."""
        del refit

    def _learn(self, row: int) -> None:
        """Take one result into all that is believed."""
        if self._learned is not None:
            self._learned.learn(row)

    def _within(self, part: Domain | None) -> Domain | None:
        """A part of the domain as models see it."""
        return None if part is None else part.seeing(self._problem.domain.sums)

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._learned is None or self._opening.lasts(len(turn.running)):
            return self._opening.suggest(turn)
        return self._chosen(self._learned, turn)
