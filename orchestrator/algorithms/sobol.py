"""A scrambled Sobol sequence: space filling without a model."""

from __future__ import annotations

from typing import Any, ClassVar

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.base import Problem, Suggestion
from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.algorithms.model_free import ModelFree


class Sobol(ModelFree):
    """The start design, without an end.

    Deviations: none, but that repeats on discrete coordinates are skipped.
    """

    name: ClassVar[str] = "sobol"

    def __init__(self, problem: Problem, options: Any) -> None:
        super().__init__(problem, options)
        self._design = StartDesign(problem.domain, problem.seed)

    def _suggest(self, trial: int, exclusion: Exclusion) -> Suggestion:
        return self._design.within(exclusion.domain).suggest(trial, exclusion)
