"""What is believed of gains, of a training that stands where it does: a function of settings alone.

Notation: E embedded columns, n points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.moments import PosteriorGradients


@dataclass(frozen=True, eq=False, slots=True)
class InContext:
    """A ``posterior`` over E + 1 columns, of which the last is what a training ``stands`` at."""

    posterior: Posterior
    stands: float

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances at (n, E) inputs."""
        return self.posterior.mean_and_variance(beside(X, self.stands))

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (n, E) gradients."""
        at = self.posterior.value_gradients(beside(X, self.stands))
        return replace(
            at, mean_gradient=at.mean_gradient[:, :-1], variance_gradient=at.variance_gradient[:, :-1]
        )


def beside(X: FloatArray, stands: FloatArray | float) -> FloatArray:
    """(n, E + 1) columns: (n, E) inputs, and where trainings stand, (n,) or all the same."""
    return np.column_stack([X, np.broadcast_to(stands, len(X))])
