"""A scrambled Sobol sequence: space filling without a model."""

from __future__ import annotations

from typing import Any, ClassVar

from orchestrator.algorithms.base import Problem, Suggestion
from orchestrator.algorithms.model_free import ModelFree
from orchestrator.algorithms.start_design import StartDesign
from orchestrator.algorithms.turns import Turn


class Sobol(ModelFree):
    """The start design, without an end.

    Deviations: none, but that repeats on discrete coordinates are skipped.
    """

    name: ClassVar[str] = "sobol"

    def __init__(self, problem: Problem, options: Any) -> None:
        super().__init__(problem, options)
        self._design = StartDesign(problem.domain, problem.seed)

    def _suggest(self, turn: Turn) -> Suggestion:
        return self._design.suggest(turn.trial, turn.exclusion)
