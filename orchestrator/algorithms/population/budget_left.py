"""What is left of a budget, where trainings are done in pieces: whether one still comes to all steps.

Notation: K pieces, k points that run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.population.rungs import rung_of
from orchestrator.algorithms.problem import Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.fidelity_levels import Levels

_ROUNDING = 1e-9


@dataclass(slots=True)
class BudgetLeft:
    """Of a ``problem`` whose pieces end at (K,) ``rungs``; ``trials`` were told that cost ``spent`` together.
    Learns in place.
    """

    problem: Problem
    levels: Levels
    rungs: FloatArray
    trials: int = 0
    spent: float = 0.0

    def tell(self, observation: Observation) -> None:
        """One result; what is known from elsewhere costs nothing."""
        if observation.trial >= 1:
            self.trials += 1
            self.spent += self._cost(observation.point, went_on=bool(observation.continues))

    def pays_from(self, rung: int, running: FloatArray) -> bool:
        """Whether a training can still go on from the end of a rung, -1 for its beginning, to all steps, when
        (k, D) points run; True where nobody knows the budget.
        """
        pieces, rest = len(self.rungs) - 1 - rung, 1.0
        if rung >= 0:
            rest -= self.levels.cost_at(float(self.rungs[rung]))
        trials, budget = self.problem.trials, self.levels.budget
        if trials is not None and self.trials + len(running) + pieces > trials:
            return False
        runs = sum(self._cost(point, went_on=True) for point in running)
        return budget is None or self.spent + runs + rest <= budget + _ROUNDING

    def _cost(self, point: FloatArray, *, went_on: bool) -> float:
        position = float(point[self.levels.coordinate])
        cost, rung = self.levels.cost_at(position), rung_of(self.rungs, position)
        if went_on and rung:
            cost -= self.levels.cost_at(float(self.rungs[rung - 1]))
        return cost


def affordable(problem: Problem, levels: Levels, rungs: FloatArray, most: int) -> int:
    """How many trainings side by side, ``most`` if so many, leave enough for one that comes to all steps."""
    found = float(most)
    if problem.trials is not None:
        found = min(found, (problem.trials - 1) / max(len(rungs) - 1, 1))
    if levels.budget is not None and len(rungs) > 1:
        before = levels.cost_at(float(rungs[-2]))
        found = min(found, (levels.budget - (1.0 - before)) / before + _ROUNDING)
    return int(np.floor(found))
