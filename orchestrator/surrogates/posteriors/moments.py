"""What posteriors of a function have in common, be they exact, in random features or of one factor.

Notation: p points, E embedded columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

# Of the prior's variance: below this part of it a posterior's is rounding error.
SMALLEST_PART = 1e-12


@dataclass(frozen=True, eq=False, slots=True)
class PosteriorGradients:
    """Posterior of the function at (p,) points, and its gradients (p, E) in the embedded inputs."""

    mean: FloatArray
    variance: FloatArray
    mean_gradient: FloatArray
    variance_gradient: FloatArray

    @property
    def deviation(self) -> FloatArray:
        """(p,) standard deviations."""
        return np.sqrt(self.variance)

    @property
    def deviation_gradient(self) -> FloatArray:
        """(p, E)."""
        return self.variance_gradient / (2.0 * self.deviation[:, None])


def above_rounding(variance: FloatArray, prior: FloatArray | float) -> FloatArray:
    """(p,) posterior variances, held above what is rounding error of the ``prior``'s, (p,) or one for all."""
    return np.maximum(variance, SMALLEST_PART * prior)
