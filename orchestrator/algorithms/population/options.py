"""Options of the searches that train a population, and what makes no sense with them."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.options import Options
from orchestrator.algorithms.population.budget_left import affordable
from orchestrator.algorithms.population.rungs import rungs_of
from orchestrator.algorithms.problem import Problem

POPULATION = 8

NO_PIECES = (
    "expected trainings that go on in pieces, as `fidelity: {parameter: epochs, cost: epochs, continues:"
    " true}`, in which one may go on from what another left; say that, or choose another algorithm"
)
NO_SETTINGS = "expected a parameter to choose beside the one that says how many steps are done, got none"


class PopulationOptions(Options):
    """``population``: how many trainings begin, before any goes on; as many as the problem says how many come
    from the start design, or 8, or fewer where the budget has none of these come to all steps, if left out.
    ``pieces``: in how many a whole one is done, as equal as the
    values of the parameter allow on its scale; by the levels of fidelity, 12 at most, if left out.
    """

    counts_designed: ClassVar[bool] = True
    chooses_fidelity: ClassVar[bool] = True
    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    population: int | None = Field(None, ge=2)
    pieces: int | None = Field(None, ge=2)

    def size(self, problem: Problem) -> int:
        """How many trainings there are, at least 2."""
        told, levels = self.population or problem.start_points, problem.fidelity
        if told is not None or levels is None:
            return max(2, told or POPULATION)
        rungs = rungs_of(problem.domain, levels, self.pieces)
        return max(2, affordable(problem, levels, rungs, POPULATION))

    def is_too_many(self, problem: Problem) -> bool:
        """Whether the budget has none of so many come to all steps."""
        levels, size = problem.fidelity, self.size(problem)
        if levels is None:
            return False
        return affordable(problem, levels, rungs_of(problem.domain, levels, self.pieces), size) < size

    def check(self, problem: Problem) -> list[str]:
        """See `Options`."""
        levels = problem.fidelity
        if levels is None or not levels.continues:
            return [NO_PIECES]
        if problem.domain.dimension == 1:
            return [NO_SETTINGS]
        found = len(rungs_of(problem.domain, levels, self.pieces))
        if self.pieces is not None and found < self.pieces:
            return [f"expected no more `pieces` than there are numbers of steps, {found}, got {self.pieces}"]
        return []
