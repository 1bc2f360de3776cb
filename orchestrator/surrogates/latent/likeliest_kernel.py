"""The likeliest hyperparameters of the kernel of a latent function, by whatever is known of that.

Notation: n points, D parameters, E embedded columns; theta (D + 1,) the logarithms of the D length-scales,
then of the variance; K (n, n) the kernel's matrix.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, KernelFamily
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, LogNormals
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters

FAMILY: KernelFamily = MATERN_52
DEVIATION = 0.8
"""Of the logarithm of a length-scale, beforehand."""
REACH = 3.0
"""theta is searched this many deviations either side of the median."""

Evidence: TypeAlias = Callable[[FloatArray], tuple[float, FloatArray]]
"""Of K: the logarithm of the evidence, and V (n, n), its derivatives by the numbers of K. Raises
FactorisationError."""


def believed(length: float, variance: LogNormal, embedded_parameter: IndexArray) -> LogNormals:
    """Of theta beforehand: ``length`` is the median of a length-scale, as a part of the cube's diagonal."""
    D = int(embedded_parameter.max()) + 1
    return LogNormals.of([LogNormal(length * math.sqrt(D), DEVIATION)] * D + [variance])


def hyperparameters(theta: FloatArray) -> Hyperparameters:
    """Without noise, of which the likelihood tells."""
    return Hyperparameters(tuple(np.exp(theta[:-1]).tolist()), math.exp(theta[-1]), 0.0)


@dataclass(frozen=True, eq=False, slots=True)
class LogPosterior:
    """Of theta, which is normal beforehand, up to a constant; with its gradient. ``X`` (n, E) are embedded
    points, ``embedded_parameter`` (E,) is as of `Data`.
    """

    evidence: Evidence
    X: FloatArray
    embedded_parameter: IndexArray
    believed: LogNormals

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Raises FactorisationError."""
        kernel = hyperparameters(theta).kernel(FAMILY, self.embedded_parameter)
        squared = kernel.squared_distances(self.X)
        K = kernel.of_squared(squared)
        log_evidence, V = self.evidence(K)
        by_column = kernel.length_scale_gradient(self.X, V, squared)
        slope = np.append(np.bincount(self.embedded_parameter, weights=by_column), np.vdot(V, K))
        z = self.believed.scores(theta)
        return log_evidence - 0.5 * float(z @ z), slope - z / self.believed.deviations

    def highest(self, iterations: int) -> Hyperparameters:
        """Where it is most, climbed to from the medians. Deterministic.

        Raises FactorisationError if nothing can be factorised.
        """
        within = self.believed.within(REACH)
        return hyperparameters(highest_mode(self, [self.believed.medians], within, iterations))
