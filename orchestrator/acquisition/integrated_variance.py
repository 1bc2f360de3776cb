"""How much less would be unknown of a whole function after one more evaluation, by the logarithm.

The variance that a Gaussian process leaves at a place depends on where evaluations were, and not on what
came of them: what one more takes is known beforehand, exactly. Of several processes, each of which may be
right, it is what each of them takes, times how probable it is.

Notation: P places all over the domain; M processes, c_m(z, x) the posterior covariance of a place z with a
point x, v_m the posterior variance, r_m the noise variance of an evaluation, w_mz what a unit of the variance
of process m counts for at place z; E embedded columns, n points. What is taken is

    sum_m sum_z w_mz c_m(z, x)^2 / (v_m(x) + r_m)

Source: Cohn 1996, for Gaussian processes Seo, Wallat, Graepel & Obermayer 2000 (ALC); the integrated
mean squared error of Sacks, Welch, Mitchell & Wynn 1989, one point at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.covariances_with import CovariancesWith

# So that a logarithm is finite where nothing is to be learned.
NOTHING = float(np.finfo(float).tiny)


class Taken(Protocol):
    """What an evaluation takes from one process, at least 0."""

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) what is taken by an evaluation at each of (n, E) inputs."""
        ...

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same with (n, E) gradients."""
        ...


@dataclass(frozen=True, eq=False)
class VarianceTaken:
    """By one process. ``weights`` (P,) are w_z >= 0 of the places that ``covariances`` are with, and
    ``noise_variance`` is r >= 0, both on the scale of the ``posterior``.
    """

    posterior: Posterior
    covariances: CovariancesWith
    weights: FloatArray
    noise_variance: float

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) what is taken by an evaluation at each of (n, E) inputs."""
        variance = self.posterior.mean_and_variance(X)[1]
        return np.asarray(self.covariances.matrix(X) ** 2 @ self.weights / (variance + self.noise_variance))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same with (n, E) gradients."""
        at, cross = self.posterior.value_gradients(X), self.covariances.cross(X)
        total = (at.variance + self.noise_variance)[:, None]
        weighed = cross.values * self.weights
        taken = (weighed * cross.values).sum(axis=1) / total[:, 0]
        by_covariance = cross.weighted_gradient(2.0 * weighed)
        return taken, (by_covariance - taken[:, None] * at.variance_gradient) / total


@dataclass(frozen=True, eq=False)
class LogTaken:
    """By all of M processes, the ``parts``, together: at (n, E) inputs, values (n,) and gradients (n, E)."""

    parts: Sequence[Taken]

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        return np.log(np.maximum(sum(part.values(X) for part in self.parts), NOTHING))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        found = [part.values_and_gradients(X) for part in self.parts]
        taken = np.maximum(sum(values for values, _ in found), NOTHING)
        return np.log(taken), sum(slopes for _, slopes in found) / taken[:, None]

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) ones: means add nothing."""
        return np.ones(len(X))
