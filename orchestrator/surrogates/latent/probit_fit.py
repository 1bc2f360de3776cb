"""The likeliest hyperparameters of a latent function that says where something succeeds.

Notation: D parameters, theta the logarithms of the D length-scales, then of the variance; m the prior mean.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, KernelFamily
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, LogNormals
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.probit import laplace

FAMILY: KernelFamily = MATERN_52
"""Rough: where things fail often ends at an edge."""
LENGTH_OF_THE_DIAGONAL = 0.5
"""The median of a length-scale, as a part of the unit cube's diagonal."""
DEVIATION = 0.8
VARIANCE = LogNormal(30.0, 2.0)
"""Of the latent function, whose label is a toss-up within about 1 of nought."""
REACH, ITERATIONS = 3.0, 20


def base_rate(succeeded: BoolArray) -> float:
    """m, at which an evaluation succeeds as often as (n,) of them did; one success and one failure more are
    counted, so that nothing is certain.
    """
    return float(ndtri((np.count_nonzero(succeeded) + 1.0) / (len(succeeded) + 2.0)))


def fit_success(
    X: FloatArray, succeeded: BoolArray, m: float, embedded_parameter: IndexArray
) -> Hyperparameters:
    """By (n, E) embedded inputs and (n,) whether each succeeded, n >= 1, about a prior mean ``m``;
    ``embedded_parameter`` (E,) is `Domain.embedded_parameter`. Deterministic.

    Raises FactorisationError if nothing can be factorised.
    """
    believed = _believed(embedded_parameter)

    def log_posterior(theta: FloatArray) -> tuple[float, FloatArray]:
        kernel = _hyperparameters(theta).kernel(FAMILY, embedded_parameter)
        squared = kernel.squared_distances(X)
        K = kernel.of_squared(squared)
        found = laplace(K, m, succeeded)
        V = found.evidence_weights
        by_column = kernel.length_scale_gradient(X, V, squared)
        slope = np.append(np.bincount(embedded_parameter, weights=by_column), np.vdot(V, K))
        z = believed.scores(theta)
        return found.log_evidence - 0.5 * float(z @ z), slope - z / believed.deviations

    mode = highest_mode(log_posterior, [believed.medians], believed.within(REACH), ITERATIONS)
    return _hyperparameters(mode)


def typical(embedded_parameter: IndexArray) -> Hyperparameters:
    """What is believed of them before anything is fitted."""
    return _hyperparameters(_believed(embedded_parameter).medians)


def _believed(embedded_parameter: IndexArray) -> LogNormals:
    D = int(embedded_parameter.max()) + 1
    return LogNormals.of([LogNormal(LENGTH_OF_THE_DIAGONAL * math.sqrt(D), DEVIATION)] * D + [VARIANCE])


def _hyperparameters(theta: FloatArray) -> Hyperparameters:
    return Hyperparameters(tuple(np.exp(theta[:-1]).tolist()), math.exp(theta[-1]), 0.0)
