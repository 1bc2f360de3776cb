"""What the baselines share: they remember what was told in order not to repeat it, and learn nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from orchestrator.algorithms.ask_and_tell.turns import Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray


class ModelFreeOptions(Options):
    """There are none to set; what all of these can do."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True


class ModelFree(WithoutRefits, ABC):
    """An algorithm whose suggestion depends on the trial's number and on what may not be repeated."""

    name: ClassVar[str]
    Options: ClassVar[type[Options]] = ModelFreeOptions

    def __init__(self, problem: Problem, options: Any) -> None:
        del options
        self._problem = problem
        self._history = History(
            problem.domain, further_objectives=problem.further_objectives, exact=problem.noise.is_none
        )
        self._turns = Turns(problem, self._history, self.name)

    @abstractmethod
    def _suggest(self, trial: int, exclusion: Exclusion) -> Suggestion: ...

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, lambda turn: self._suggest(turn.trial, turn.exclusion))

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            self._history.tell(observation)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        return Insight(notes=[f"no model; {len(self._history)} results told"])
