"""Options of the searches by successive halving, and what makes no sense with them."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.halving.first_whole import cost_before, trials_before
from orchestrator.algorithms.halving.rungs import has_points, most_rungs, rungs_of
from orchestrator.algorithms.options import Options
from orchestrator.algorithms.problem import Problem
from orchestrator.arrays import FloatArray

NO_LEVELS = (
    "expected evaluations that may look less closely for less, as `fidelity: {parameter: epochs, cost:"
    " epochs}`; say that, or choose another algorithm"
)
NO_SETTINGS = "expected a parameter to choose beside the one that says how closely to look, got none"
A_CLOCK = (
    "expected no `clock`: what was good enough to be looked at more closely need not be so later; leave it"
    " out, or choose `auto`"
)


NO_POINTS = (
    "expected points that satisfy the constraints on parameters however closely it is looked, found none at"
    " one of the rungs; narrow the bounds of the parameter that says how closely to look"
)


class HalvingOptions(Options):
    """``reduction``: of so many that were looked at the best one is looked at more closely, for so many times
    the cost, about. ``rungs``: how often that is so, the first look and full fidelity included; as often as
    there are costs for, from the least on, if left out.
    """

    chooses_fidelity: ClassVar[bool] = True
    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    reduction: int = Field(3, ge=2)
    rungs: int | None = Field(None, ge=2)

    def rungs_in(self, problem: Problem) -> FloatArray:
        """(K,) those of a problem that has a fidelity."""
        assert problem.fidelity is not None
        return rungs_of(problem.domain, problem.fidelity, self.reduction, self.rungs)

    def is_too_little(self, problem: Problem) -> bool:
        """Whether the budget may be spent before any settings come to full fidelity."""
        levels = problem.fidelity
        if levels is None:
            return False
        rungs = self.rungs_in(problem)
        few = problem.trials is not None and problem.trials <= trials_before(len(rungs), self.reduction)
        cost = cost_before(levels, rungs, self.reduction)
        return few or (levels.budget is not None and levels.budget <= cost)

    def check(self, problem: Problem) -> list[str]:
        """See `Options`."""
        levels = problem.fidelity
        if levels is None:
            return [NO_LEVELS]
        if problem.domain.dimension == 1:
            return [NO_SETTINGS]
        if problem.clock is not None:
            return [A_CLOCK]
        most = min(most_rungs(levels, self.reduction), len(rungs_of(problem.domain, levels, self.reduction)))
        if self.rungs is not None and self.rungs > most:
            return [
                f"expected no more `rungs` than costs are apart by a factor of {self.reduction}, {most}, got"
                f" {self.rungs}"
            ]
        parts = (problem.domain.holding({levels.coordinate: float(one)}) for one in self.rungs_in(problem))
        return [] if all(map(has_points, parts)) else [NO_POINTS]
