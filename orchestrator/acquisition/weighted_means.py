"""What is expected of several functions, weighed against each other.

Notation: M functions, w_j their weights, mu_j their posterior means; E embedded columns, n points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class WeightedMeans:
    """sum_j w_j mu_j of M ``posteriors``, at (n, E) inputs: values (n,) and gradients (n, E)."""

    posteriors: Sequence[Posterior]
    weights: Sequence[float]

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        means = [posterior.mean_and_variance(X)[0] for posterior in self.posteriors]
        return np.asarray(np.dot(self.weights, means))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        at = [posterior.value_gradients(X) for posterior in self.posteriors]
        values = np.dot(self.weights, [one.mean for one in at])
        return values, np.tensordot(self.weights, [one.mean_gradient for one in at], axes=1)

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) zeros: uncertainty adds nothing."""
        return np.zeros(len(X))
