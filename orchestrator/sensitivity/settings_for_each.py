"""The settings believed best in conditions that a person asks about, by the models of their search, on the
scales on which results are likelier, and what is expected of them, held against results that models have not
seen (`held_out`).

Notation: D parameters, f failures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Prediction, Problem
from orchestrator.algorithms.best_for_each import BestForEach
from orchestrator.algorithms.mixture.seen_on_scales import SeenOnScales
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity import held_out
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.fitted_mixture import may_be_likelier
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain
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
        The first takes as long as two fits.
        """
        within = self.problem.domain.holding(condition)
        try:
            within.require_feasible_points()
        except NoFeasiblePoint:
            return None
        return self.best_within(within)

    def best_within(self, part: Domain) -> BestSettings:
        """In a part of the domain that holds a condition, and has feasible points. As `best`."""
        scales = self._checked.scales
        found = self._on_scales.recommend(scales.domain(part)) if scales else self._search.recommend(part)
        assert found is not None, "there is a result with a value"
        point = scales.told(found.point, part) if scales else found.point
        (mean,), (deviation,) = self._checked.predicted(point[None, :])
        return BestSettings(point, Prediction(float(mean), float(deviation)))

    def best_of(self, points: FloatArray, condition: Mapping[int, float]) -> int:
        """Which of (k, D) points, k >= 1, has the settings that are believed best in a condition. The first
        takes as long as of `best`.
        """
        moved = points.copy()
        moved[:, list(condition)] = list(condition.values())
        return int(np.argmax(self.measured.sign * self._checked.expected(moved)))

    @cached_property
    def _checked(self) -> ResultsModel:
        """What is believed best is where one hypothesis expects most: that alone is too sure of it. The
        search's own models, with the stretch that results left out of them ask for; where results may be
        likelier on other scales, which it does not look for, models that do.
        """
        alone, learned = problem_of_one(self.problem, first=True), self._search.learned
        assert learned is not None, "a refit was adopted"
        modelled, told = self.measured.modelled(alone), learned.problem
        seen = SeenOnScales(told.domain, Scales(), told, learned.history, learned.refit)
        if may_be_likelier(alone, modelled, seen):
            return held_out.checked(alone, self.measured)
        model = ResultsModel.learned(learned, self.measured.sign, len(self.measured))
        return replace(model, stretch=held_out.fifths_of(alone, modelled, model).stretch)

    @cached_property
    def _search(self) -> BestForEach:
        return self._told(self.problem, self.measured, self.failed)

    @cached_property
    def _on_scales(self) -> BestForEach:
        """One that sees settings as models do."""
        scales = self._checked.scales
        problem = replace(self.problem, domain=scales.domain(self.problem.domain))
        measured = replace(self.measured, points=scales.seen(self.measured.points))
        return self._told(problem, measured, scales.seen(self.failed))

    @staticmethod
    def _told(problem: Problem, measured: Measured, failed: FloatArray) -> BestForEach:
        search = registry.build("auto", problem)
        assert isinstance(search, BestForEach), "conditions have best settings each"
        search.tell(measured.observations)
        count = len(measured)
        search.tell([Observation(count + i, point, None) for i, point in enumerate(failed)])
        search.adopt(search.compute_refit(1))
        return search
