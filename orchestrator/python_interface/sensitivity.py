"""What an Optimiser was told, and which parameters matter by a model of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.observed import LARGEST
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.python_interface.results import Place, Result
from orchestrator.wanted_outcomes import is_outcome

if TYPE_CHECKING:
    from orchestrator.sensitivity.analysis import Sensitivity
    from orchestrator.sensitivity.composed import ComposedModel
    from orchestrator.sensitivity.kept_models import KeptModels
    from orchestrator.sensitivity.measured import Measured
    from orchestrator.sensitivity.value_model import ValueModel


@dataclass(slots=True)
class ToldResults:
    """All ``results``, in the order told. ``sign`` is that of the goal, -1 where one minimises, and ``signs``
    are those of the objectives beside the value, by name.
    """

    sign: float
    signs: Mapping[str, float]
    results: list[Result] = field(default_factory=list)
    _models: KeptModels | None = None

    def add(self, result: Result) -> None:
        """One more, which models of the others do not know."""
        self.results.append(result)
        self._models = None

    def put_in_place(self, results: Sequence[Result]) -> None:
        """The same, as they are judged by now."""
        self.results = list(results)
        self._models = None

    def copied(self) -> ToldResults:
        """The same, whatever becomes of this one: two threads may ask models of their own."""
        return replace(self, results=list(self.results), _models=deepcopy(self._models))

    @property
    def models(self) -> KeptModels:
        """Of these results."""
        # SciPy's statistics take a second to import.
        from orchestrator.sensitivity.kept_models import KeptModels

        if self._models is None:
            self._models = KeptModels()
        return self._models

    @property
    def seen(self) -> list[Result]:
        """Those with a value that was not only foreseen."""
        return [one for one in self.results if one.value is not None and one.measured]

    @property
    def highest(self) -> float:
        """The best value of those that stand, in the sense of maximisation; minus infinity if none do."""
        values = (self.sign * one.value for one in self.results if one.stands and one.value is not None)
        return max(values, default=-math.inf)

    @property
    def numbers_beside(self) -> list[str]:
        """The names under which numbers came with values, other than outcomes."""
        extras = [one.extras.items() for one in list(self.results)]
        return list(dict.fromkeys(name for own in extras for name, told in own if is_outcome(told)))

    def at(self, place: Place | None) -> list[dict[str, object]]:
        """Of each result at a place that has a value, if one is told, all that came, by name."""
        there = None if place is None else place.parameters
        found = [one for one in self.seen if one.parameters == there]
        return [{**one.extras, **one.outcomes, "value": one.value} for one in found]

    def failed(self, dimension: int) -> FloatArray:
        """(f, D) points of those without a value."""
        points = [one.observation.point for one in self.results if one.value is None]
        return np.array(points).reshape(-1, dimension)

    def sensitivity(
        self, problem: Problem, names: Sequence[str], outcome: str | None, centre: FloatArray | None
    ) -> Sensitivity:
        """Of the value, or of an ``outcome``; profiles run through a (D,) point, or through that of the best
        result. Raises UsageError where there are too few of it.
        """
        # SciPy's statistics take a second to import.
        from orchestrator.sensitivity.analysis import analyse, problem_of_one

        measured = self.measured(outcome)
        through = measured.points[np.argmax(measured.sign * measured.values)] if centre is None else centre
        own = problem_of_one(problem, first=outcome is None)

        def model(of: Problem, results: Measured) -> ValueModel:
            is_computed = problem.composite is not None and outcome is None
            return self.composed(problem) if is_computed else self.models.fitted(of, results)

        return analyse(own, names, measured, through, model)

    def composed(self, problem: Problem) -> ComposedModel:
        """Of the value, where it is computed from outcomes: by models of these. Takes as long as one fit.
        Raises UsageError where results are too few.
        """
        from orchestrator.sensitivity.composed import ComposedModel, Composing

        function, points = problem.composite, self.measured(None).points
        assert function is not None, "who asks knows that it is computed"
        rows = np.array([one.observation.outcomes for one in self.seen])
        return ComposedModel.fitted(Composing(problem, function, points, rows, self.sign))

    def measured(self, outcome: str | None) -> Measured:
        """What was measured of the value, or of an ``outcome``, for a model. Raises UsageError where there is
        too little of it.
        """
        from orchestrator.sensitivity.analysis import FEWEST_RESULTS
        from orchestrator.sensitivity.measured import Measured

        if outcome is None:
            seen, sign = self.seen, self.sign
            values = [one.value for one in seen]
        else:
            seen = [
                one for one in self.seen if outcome in one.outcomes or is_outcome(one.extras.get(outcome))
            ]
            values, sign = [_number(outcome, one) for one in seen], self.signs.get(outcome, 1.0)
        if len(values) < FEWEST_RESULTS:
            what = "results with a value" if outcome is None else f"results with `{outcome}`"
            raise UsageError(
                f"expected {FEWEST_RESULTS} {what} or more, got {len(values)}: of fewer nothing can be said"
            )
        return Measured(
            np.array([one.observation.point for one in seen]),
            np.clip(np.array(values, dtype=float), -LARGEST, LARGEST),
            np.array([one.variance or 0.0 if outcome is None else 0.0 for one in seen]),
            sign,
            np.array([one.observation.held for one in seen]),
            tuple(one.observation.block or "" for one in seen) if outcome is None else None,
            self._derivatives(seen) if outcome is None else None,
        )

    def _derivatives(self, seen: Sequence[Result]) -> FloatArray | None:
        """(n, D) in the values' own units, of n results; None where none brought any."""
        if not any(one.derivatives for one in seen):
            return None
        unknown = np.full(len(seen[0].observation.point), np.nan)
        told = [one.observation.derivatives for one in seen]
        return self.sign * np.array([unknown if one is None else one for one in told])


def _number(outcome: str, result: Result) -> float:
    told: float | Sequence[float] = result.outcomes.get(outcome, result.extras.get(outcome, 0.0))
    if isinstance(told, Sequence):
        raise UsageError(f"expected an outcome that is a number, got `{outcome}`, which is a curve")
    return told
