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
        those of which (k, D) points run come there as well; True where nobody knows the budget.
        """
        pieces, rest = self._to_all_steps(rung)
        for point in running:
            # What ends between two rungs nobody goes on from.
            ends = rung_of(self.rungs, float(point[self.levels.coordinate]))
            more, cost = (
                (1, self._cost(point, went_on=False)) if ends is None else self._to_all_steps(ends - 1)
            )
            pieces, rest = pieces + more, rest + cost
        trials, budget = self.problem.trials, self.levels.budget
        if trials is not None and self.trials + pieces > trials:
            return False
        return budget is None or self.spent + rest <= budget + _ROUNDING

    def _to_all_steps(self, rung: int) -> tuple[int, float]:
        """How many pieces a training is done in from the end of a rung on, -1 for its beginning, and their
        cost.
        """
        pieces = len(self.rungs) - 1 - rung
        return pieces, 1.0 - (self.levels.cost_at(float(self.rungs[rung])) if rung >= 0 else 0.0)

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
