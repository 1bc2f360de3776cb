"""What a spec may say of ``auto``, apart from it: who only reads a spec need not load what takes long."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.algorithms.additive.known_factors import unusable
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.options import GpOptions


class AutoOptions(GpOptions):
    """Options of ``auto``: those of `GpOptions`."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_fidelity: ClassVar[bool] = True
    takes_factors: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        return unusable(problem)
