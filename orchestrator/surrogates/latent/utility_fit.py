"""The likeliest hyperparameters of a utility of which comparisons are known.

Notation: D parameters, theta the logarithms of the D length-scales, then of the variance; K and V as in
`laplace`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, KernelFamily
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, LogNormals
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.laplace import laplace_about
from orchestrator.surrogates.latent.utility import Compared

FAMILY: KernelFamily = MATERN_52
LENGTH_OF_THE_DIAGONAL = 0.25
"""The median of a length-scale, as a part of the unit cube's diagonal."""
DEVIATION = 0.8
VARIANCE = LogNormal(2.0, 0.5)
"""Of the utility, in which a difference of 1 is mistaken by one in six. Who believes it to be large believes
that there is ever more to find elsewhere: comparisons that a point loses never say by how much."""
REACH, ITERATIONS = 3.0, 30


def fit_utility(compared: Compared, embedded_parameter: IndexArray) -> Hyperparameters:
    """The likeliest; ``embedded_parameter`` (E,) is `Domain.embedded_parameter`. Deterministic.

    Raises FactorisationError if nothing can be factorised.
    """
    believed = _believed(embedded_parameter)
    log_posterior = LogPosterior(compared, embedded_parameter, believed)
    mode = highest_mode(log_posterior, [believed.medians], believed.within(REACH), ITERATIONS)
    return log_posterior.hyperparameters(mode)


@dataclass(frozen=True, eq=False, slots=True)
class LogPosterior:
    """Of theta, the logarithms of the D length-scales, then of the variance, up to a constant, which are
    normal beforehand; with its gradient.
    """

    compared: Compared
    embedded_parameter: IndexArray
    believed: LogNormals

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Raises FactorisationError."""
        compared, kernel = self.compared, self.hyperparameters(theta).kernel(FAMILY, self.embedded_parameter)
        squared = kernel.squared_distances(compared.X)
        K = kernel.of_squared(squared)
        found = laplace_about(compared.covariance(K), compared.likelihood)
        V = compared.spread(compared.spread(found.evidence_weights).T)
        by_column = kernel.length_scale_gradient(compared.X, V, squared)
        slope = np.append(np.bincount(self.embedded_parameter, weights=by_column), np.vdot(V, K))
        z = self.believed.scores(theta)
        return found.log_evidence - 0.5 * float(z @ z), slope - z / self.believed.deviations

    @staticmethod
    def hyperparameters(theta: FloatArray) -> Hyperparameters:
        """Without noise, which is 1 of every difference."""
        return Hyperparameters(tuple(np.exp(theta[:-1]).tolist()), math.exp(theta[-1]), 0.0)


def _believed(embedded_parameter: IndexArray) -> LogNormals:
    D = int(embedded_parameter.max()) + 1
    return LogNormals.of([LogNormal(LENGTH_OF_THE_DIAGONAL * math.sqrt(D), DEVIATION)] * D + [VARIANCE])
