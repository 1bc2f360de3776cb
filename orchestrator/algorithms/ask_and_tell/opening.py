"""What a search does before it believes anything: the start design, and how far it is."""

from __future__ import annotations

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign, before_a_model
from orchestrator.algorithms.ask_and_tell.start_points import start_points
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Problem, Suggestion
from orchestrator.algorithms.history import History


class Opening:
    """A start ``design`` of so many ``points``, of which the ``history`` knows how far it is; on and on,
    while there is no model.
    """

    def __init__(self, problem: Problem, history: History, points: int) -> None:
        self.points = points
        self._history = history
        self.design = StartDesign(problem.domain, problem.seed)

    @classmethod
    def by_dimension(cls, problem: Problem, history: History, *, beyond: int, most: int) -> Opening:
        """Of a search that has no options to say how long it is: as the ``problem`` says, or else a number of
        points ``beyond`` that of the parameters, and no more than ``most``.
        """
        return cls(problem, history, start_points(problem, min(problem.domain.dimension + beyond, most)))

    def lasts(self, running: int) -> bool:
        """Whether all results, with so many that are on their way, are too few: see `History.designed`."""
        return self._history.designed() + running < self.points

    @property
    def is_told(self) -> bool:
        """Whether there is enough for a model: so many results, and among them one with a value."""
        return self._history.designed() >= self.points and self._history.successes > 0

    def suggest(self, turn: Turn) -> Suggestion:
        """The trial's point of the design."""
        return self.design.within(turn.domain).suggest(turn.trial, turn.exclusion)

    def insight(self) -> Insight:
        """How far it is."""
        return Insight(notes=[before_a_model(self._history.designed(), self._history.successes, self.points)])
