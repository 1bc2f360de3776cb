"""Random search: the baseline that every other algorithm has to beat."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.exclusion import Exclusion, at_random
from orchestrator.algorithms.model_free import ModelFree
from orchestrator.numerics.rng import stream


class RandomSearch(ModelFree):
    """Uniform over the domain, each trial's point drawn from the problem's seed and the trial's number.

    Deviations: none, but that a discrete point is not drawn twice.
    """

    name: ClassVar[str] = "random"

    def _suggest(self, trial: int, exclusion: Exclusion) -> Suggestion:
        rng = stream(self._problem.seed, "random search", trial)
        return at_random(exclusion.domain, exclusion, rng)
