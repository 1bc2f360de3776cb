"""What an Optimiser was told, and which parameters matter by a model of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.sensitivity.analysis import Sensitivity


@dataclass(slots=True)
class ToldResults:
    """Results with a value, as they were told. ``signs`` are those of the objectives beside the value, by
    name: -1 where one minimises.
    """

    sign: float
    signs: Mapping[str, float]
    _points: list[FloatArray] = field(default_factory=list)
    _values: list[float] = field(default_factory=list)
    _variances: list[float] = field(default_factory=list)
    _outcomes: list[Mapping[str, float]] = field(default_factory=list)

    def add(
        self, point: FloatArray, value: float, variance: float | None, outcomes: Mapping[str, float]
    ) -> None:
        """One more, at a (D,) point."""
        self._points.append(point)
        self._values.append(value)
        self._variances.append(variance or 0.0)
        self._outcomes.append(dict(outcomes))

    def copied(self) -> ToldResults:
        """The same, whatever becomes of this one."""
        return replace(
            self,
            _points=list(self._points),
            _values=list(self._values),
            _variances=list(self._variances),
            _outcomes=list(self._outcomes),
        )

    def sensitivity(
        self, problem: Problem, names: Sequence[str], outcome: str | None, centre: FloatArray | None
    ) -> Sensitivity:
        """Of the value, or of an ``outcome``; profiles run through a (D,) point, or through that of the best
        result. Raises UsageError where there are too few of it.
        """
        # SciPy's statistics take a second to import.
        from orchestrator.sensitivity.analysis import FEWEST_RESULTS, analyse, problem_of_one
        from orchestrator.sensitivity.results_model import Measured

        rows = list(range(len(self._values)))
        if outcome is None:
            values, sign = self._values, self.sign
        else:
            rows = [row for row in rows if outcome in self._outcomes[row]]
            values = [self._outcomes[row][outcome] for row in rows]
            sign = self.signs.get(outcome, 1.0)
        if len(values) < FEWEST_RESULTS:
            what = "results with a value" if outcome is None else f"results with `{outcome}`"
            raise UsageError(
                f"expected {FEWEST_RESULTS} {what} or more, got {len(values)}: of fewer nothing can be said"
            )
        measured = Measured(
            np.array([self._points[row] for row in rows]),
            np.array(values),
            np.array([self._variances[row] if outcome is None else 0.0 for row in rows]),
            sign,
        )
        through = measured.points[np.argmax(sign * measured.values)] if centre is None else centre
        return analyse(problem_of_one(problem, first=outcome is None), names, measured, through)
