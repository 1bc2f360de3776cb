"""A belief in a function that has detail besides, which nothing that is known tells of elsewhere.

Ripples on a wide hill, say, of which results are too few to resolve any: the belief is in the hill, and at
each new point they add to it what nobody can foretell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.moments import PosteriorGradients


@dataclass(frozen=True, eq=False)
class Detailed:
    """A `Posterior` with the means of one of the hill, and the detail's ``variance`` > 0 beside its own."""

    hill: Posterior
    variance: float

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances at (n, E) inputs."""
        mean, variance = self.hill.mean_and_variance(X)
        return mean, variance + self.variance

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (n, E) gradients."""
        at = self.hill.value_gradients(X)
        return replace(at, variance=at.variance + self.variance)
