"""A belief that is believed less than it believes itself: its deviations count several times.

Far from all results a model goes by what the function is like where results are, and may be wrong there by
more than it says. Where it is right, nothing changes but which points it is unsure of.

Source: confidence that is enlarged where a model may be wrong, as in Bogunovic & Krause 2021.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.moments import PosteriorGradients


@dataclass(frozen=True, eq=False)
class Doubted:
    """A `Posterior` with the means of one that is ``believed``, and deviations ``times`` > 0 as large."""

    believed: Posterior
    times: float

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances at (n, E) inputs."""
        mean, variance = self.believed.mean_and_variance(X)
        return mean, self.times**2 * variance

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (n, E) gradients."""
        at = self.believed.value_gradients(X)
        more = self.times**2
        return replace(at, variance=more * at.variance, variance_gradient=more * at.variance_gradient)
