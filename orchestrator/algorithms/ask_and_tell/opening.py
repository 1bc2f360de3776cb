"""What a search does before it believes anything: the start design, and how far it is."""

from __future__ import annotations

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign, before_a_model
from orchestrator.algorithms.ask_and_tell.start_points import start_points
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Problem, Suggestion
from orchestrator.algorithms.history import History


class Opening:
    """Of a search that has no options to say how long it is: as the ``problem`` says, or else a number of
    points ``beyond`` that of the parameters, and no more than ``most``.
    """

    def __init__(self, problem: Problem, *, beyond: int, most: int) -> None:
        self.points = start_points(problem, min(problem.domain.dimension + beyond, most))
        self._design = StartDesign(problem.domain, problem.seed)

    def lasts(self, known_soon: int) -> bool:
        """Whether so many results, with those that are on their way, are too few."""
        return known_soon < self.points

    def suggest(self, turn: Turn) -> Suggestion:
        """The point of the design, on and on."""
        return self._design.within(turn.domain).suggest(turn.trial, turn.exclusion)

    def insight(self, history: History) -> Insight:
        """How far it is."""
        return Insight(notes=[before_a_model(len(history), history.successes, self.points)])
