"""What designs are expected to be worth over conditions that vary in use, by the models of their search.

How far bounds reach is held against results that models have not seen, as elsewhere (`held_out`): against
values, each in its one condition, as none was measured of a design over all of them.

Notation: n results, f failures, D parameters, p designs.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.in_use.believed_designs import BelievedDesigns
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.composed import NINE_IN_TEN
from orchestrator.sensitivity.held_out import FOLDS, MOST, MOST_HELD, asked_for
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.prediction import Expected
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse


@dataclass(frozen=True, eq=False, slots=True)
class DesignsModel:
    """Of a ``problem`` with conditions ``in_use``, by what was ``measured``, n >= 1, and by (f, D) points
    that ``failed``.
    """

    problem: Problem
    in_use: ConditionsInUse
    measured: Measured
    failed: FloatArray

    def expected(self, designs: FloatArray) -> Expected:
        """Of what (p, D) designs are worth, without noise; their conditions do not count. Takes as long as
        six fits.
        """
        believed = self._believed(np.arange(len(self.measured)))
        own = self.in_use.as_designs(designs)
        # Of each the same is said, whatever is asked beside it.
        told = [believed.predicted(own[row]) for row in range(len(own))]
        mean = self.measured.sign * np.array([one.mean for one in told])
        deviation = self._stretch() * np.array([one.deviation for one in told])
        return Expected(mean, deviation, mean - NINE_IN_TEN * deviation, mean + NINE_IN_TEN * deviation)

    def _believed(self, rows: IndexArray) -> BelievedDesigns:
        """By some of the results, and all failures."""
        history = self.measured.at(rows).history(self.problem)
        for number, point in enumerate(self.failed):
            history.tell(Observation(len(rows) + number, point, None))
        found = BelievedDesigns.of(self.problem, self.in_use, history)
        assert found is not None, "there is a result with a value"
        return found

    def _stretch(self) -> float:
        """How many times as far bounds have to reach by results left out, a fifth at a time; 1 at least."""
        count = len(self.measured)
        if count < FOLDS:
            return 1.0
        order = stream(self.problem.seed, "designs held out", count).permutation(count)
        missed, widths = list[float](), list[float]()
        for fold in range(FOLDS):
            held = order[fold::FOLDS][: MOST_HELD // FOLDS]
            believed = self._believed(np.sort(np.setdiff1d(order, order[fold::FOLDS])))
            noise = math.sqrt(np.median(believed.models.noise_variances)) * believed.models.scale.scale
            for row in np.sort(held).tolist():
                told = believed.value_predicted(self.measured.points[row])
                # Of values of any size: the squares of some are no doubles.
                width = NINE_IN_TEN * math.hypot(told.deviation, noise, self._known_deviation(row))
                apart = abs(self.measured.sign * float(self.measured.values[row]) - told.mean)
                missed.append(min(apart / max(width, sys.float_info.min), MOST))
                widths.append(width)
        return float(np.clip(asked_for(np.array(missed), np.array(widths)), 1.0, MOST))

    def _known_deviation(self, row: int) -> float:
        """Of the noise of a result, as far as somebody said it, in the objective's units."""
        noise = self.problem.noise
        known = noise.kind == "known"
        return noise.standard_deviation if known else math.sqrt(self.measured.variances[row])
