"""What is expected of a point counts for more where a person said that good settings lie.

Source: Hvarfner et al. 2022 ("piBO"), Eq. 6: an acquisition times a belief, to a power.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.acquisition.posterior import Function
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.hunch import Hunch


@dataclass(frozen=True, eq=False)
class WherePromising:
    """A logarithm, as a ``function`` of (n, D) points of a ``domain``, plus a ``power`` >= 0 times that of
    how promising a ``hunch`` has them.
    """

    function: Function
    hunch: Hunch
    power: float
    domain: Domain

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        return self.function.values(X) + self.power * self.hunch.log(self.domain, X)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, D) gradients."""
        values, gradients = self.function.values_and_gradients(X)
        added, slopes = self.hunch.log_and_gradients(self.domain, X)
        return values + self.power * added, gradients + self.power * slopes
