"""The settings believed best in conditions that a person asks about, by the models of their search, and what
is expected of them, held against results that models have not seen (`held_out`).

Notation: D parameters, f failures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Observation, Prediction, Problem, Recommends
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint


@dataclass(frozen=True, eq=False)
class BestSettings:
    """A (D,) ``point`` in a condition, and what is ``predicted`` of its value, without noise, in its own
    units and sense.
    """

    point: FloatArray
    predicted: Prediction


@dataclass(frozen=True, eq=False)
class SettingsForEach:
    """Of a ``problem`` whose conditions have best settings each, by what was ``measured``, n >= 1, and by
    (f, D) points that ``failed``.
    """

    problem: Problem
    measured: Measured
    failed: FloatArray

    def best(self, condition: Mapping[int, float]) -> BestSettings | None:
        """In the condition in which coordinates have these positions; None where no settings are feasible.
        The first takes as long as five fits.
        """
        within = self.problem.domain.holding(condition)
        try:
            within.require_feasible_points()
        except NoFeasiblePoint:
            return None
        assert isinstance(self._learned, Recommends)
        found = self._learned.recommend(within)
        assert found is not None, "there is a result with a value"
        (mean,), (deviation,) = self._checked.predicted(found.point[None, :])
        return BestSettings(found.point, Prediction(float(mean), float(deviation)))

    def best_of(self, points: FloatArray, condition: Mapping[int, float]) -> int:
        """Which of (k, D) points, k >= 1, has the settings that are believed best in a condition. The first
        takes as long as of `best`.
        """
        moved = points.copy()
        moved[:, list(condition)] = list(condition.values())
        return int(np.argmax(self.measured.sign * self._checked.expected(moved)))

    @cached_property
    def _checked(self) -> ResultsModel:
        """What is believed best is where one hypothesis expects most: that alone is too sure of it."""
        return checked(problem_of_one(self.problem, first=True), self.measured)

    @cached_property
    def _learned(self) -> Algorithm:
        algorithm = registry.build("auto", self.problem)
        algorithm.tell(self.measured.observations)
        count = len(self.measured)
        algorithm.tell([Observation(count + i, point, None) for i, point in enumerate(self.failed)])
        algorithm.adopt(algorithm.compute_refit(1))
        return algorithm
