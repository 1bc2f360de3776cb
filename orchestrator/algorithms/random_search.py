"""Random search: the baseline that every other algorithm has to beat."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.history import untried
from orchestrator.algorithms.model_free import ModelFree
from orchestrator.algorithms.turns import Turn
from orchestrator.numerics.rng import stream


class RandomSearch(ModelFree):
    """Uniform over the domain, each trial's point drawn from the problem's seed and the trial's number.

    Deviations: none, but that a discrete point is not drawn twice.
    """

    name: ClassVar[str] = "random"

    def _suggest(self, turn: Turn) -> Suggestion:
        rng = stream(self._problem.seed, "random search", turn.trial)
        return Suggestion(untried(self._problem.domain, turn.exclusion, rng), why={"source": "random"})
