"""How quickly an evaluation ends, by the logarithm of its duration: what a point promises, for its time.

Notation: mu the posterior mean of the logarithm of seconds, in standardised units of so much each; E embedded
columns, n points.
Source: Snoek, Larochelle & Adams 2012, Section 3.2 (expected improvement per second).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class LogQuickness:
    """-unit * mu at (n, E) inputs: values (n,) and gradients (n, E). It is 0 where an evaluation is expected
    to take what evaluations have typically taken.
    """

    posterior: Posterior
    unit: float

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        mean, _ = self.posterior.mean_and_variance(X)
        return np.asarray(-self.unit * mean)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        at = self.posterior.value_gradients(X)
        return -self.unit * at.mean, -self.unit * at.mean_gradient
