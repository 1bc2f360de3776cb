"""What a point promises, less what that is unlikely to count: as a maximiser climbs it.

Notation: k points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.feasibility import LogFeasibility
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False)
class FeasibleObjective:
    """The sum of a log ``improvement`` and a log ``probability``, where there is anything to be unsure of."""

    improvement: Objective
    probability: Objective | None

    @classmethod
    def of(
        cls, improvement: Objective, domain: Domain, feasibility: LogFeasibility | None
    ) -> FeasibleObjective:
        """By how likely that is which is asked of outcomes, at points of a domain."""
        return cls(improvement, None if feasibility is None else Embedded(domain, feasibility))

    def values(self, X: FloatArray) -> FloatArray:
        """(k,) at (k, D) points."""
        values = self.improvement.values(X)
        return values if self.probability is None else values + self.probability.values(X)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k,) values and (k, D) gradients."""
        values, gradients = self.improvement.values_and_gradients(X)
        if self.probability is None:
            return values, gradients
        added, slopes = self.probability.values_and_gradients(X)
        return values + added, gradients + slopes
