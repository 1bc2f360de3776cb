"""What a spec may say of ``auto``, apart from it: who only reads a spec need not load what takes long."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

from orchestrator.algorithms.additive.known_factors import unusable
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.gaussian_process.options import GpOptions

BOTH_COSTS = (
    "`fidelity` says what an evaluation costs, or learns it, and `weigh_duration` would learn it as well:"
    " leave one of them out"
)


FEWEST_TOPS = 2
"""Of a single related experiment the best points of two hills are tried."""


class AutoOptions(GpOptions):
    """``weigh_duration``: how long evaluations take is learned as well, and what a point promises counts for
    its time. And those of `GpOptions`.
    """

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    chooses_fidelity: ClassVar[bool] = True
    seeks_averages: ClassVar[bool] = True
    heeds_use: ClassVar[bool] = True
    finds_crossings: ClassVar[bool] = True
    learns_derivatives: ClassVar[bool] = True
    infers_offsets: ClassVar[bool] = True
    learns_from_related: ClassVar[bool] = True
    learns_comparisons: ClassVar[bool] = True
    takes_factors: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True
    keeps_limits: ClassVar[bool] = True
    heeds_hunches: ClassVar[bool] = True

    weigh_duration: bool = False

    def designed(self, problem: Problem) -> int:
        """A third of a known number of trials at the most, or half of them where that is no more than a point
        for each parameter and one. Half as many as without them where related experiments say something of
        the function already, and those points where they were best: they are not taken from the spread ones,
        should they mislead.
        """
        whole = super().designed(problem)
        if problem.start_points is not None or self.start_points is not None:
            return whole
        if self.improves and problem.trials is not None:
            least = min(problem.domain.dimension + 1, math.ceil(problem.trials / 2))
            whole = min(whole, max(least, math.ceil(problem.trials / 3)))
        if not problem.related:
            return whole
        return min(whole, math.ceil(whole / 2) + max(FEWEST_TOPS, len(problem.related)))

    def heeded(self, observation: Observation) -> Observation:
        """What is learned of an observation: without its duration, unless that is weighed."""
        return observation if self.weigh_duration else replace(observation, seconds=None)

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        if self.weigh_duration and problem.fidelity is not None:
            return [*unusable(problem), BOTH_COSTS]
        return unusable(problem)


class LearningOptions(AutoOptions):
    """Of searches for something else than the best point, as for all of a function."""

    improves: ClassVar[bool] = False
    chooses_fidelity: ClassVar[bool] = False
    seeks_averages: ClassVar[bool] = False
    heeds_use: ClassVar[bool] = False
    learns_derivatives: ClassVar[bool] = False
    learns_comparisons: ClassVar[bool] = False
    learns_from_related: ClassVar[bool] = False
    keeps_limits: ClassVar[bool] = False
    heeds_hunches: ClassVar[bool] = False
