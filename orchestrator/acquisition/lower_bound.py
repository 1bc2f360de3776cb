"""A lower bound: mean - deviations, of what is to be as good as it is believed to be.

A point whose mean is the highest may be one of which least is known, and is then believed to be better than
it is: averages about narrow tops are, whose width few values tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior, share
from orchestrator.arrays import FloatArray

CAUTION = 1.0
"""Deviations, where settings are off."""


@dataclass(frozen=True, eq=False)
class LowerBound:
    """At (n, E) inputs: values (n,) and gradients (n, E), so many deviations below a posterior's mean."""

    posterior: Posterior
    deviations: float = CAUTION

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        mean, variance = self.posterior.mean_and_variance(X)
        return mean - self.deviations * np.sqrt(variance)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        at = self.posterior.value_gradients(X)
        return (
            at.mean - self.deviations * at.deviation,
            at.mean_gradient - self.deviations * at.deviation_gradient,
        )

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) how much of the bound is the deviation's."""
        mean, variance = self.posterior.mean_and_variance(X)
        return share(self.deviations * np.sqrt(variance), mean)
