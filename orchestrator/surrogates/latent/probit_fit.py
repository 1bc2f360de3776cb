"""The likeliest hyperparameters of a latent function that says where something succeeds.

Notation: m the prior mean; K and V as in `likeliest_kernel`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.likeliest_kernel import LogPosterior, believed, hyperparameters
from orchestrator.surrogates.latent.probit import laplace

LENGTH_OF_THE_DIAGONAL = 0.5
"""The median of a length-scale, as a part of the unit cube's diagonal."""
VARIANCE = LogNormal(30.0, 2.0)
"""Of the latent function, whose label is a toss-up within about 1 of nought."""
ITERATIONS = 20


def base_rate(succeeded: BoolArray) -> float:
    """m, at which an evaluation succeeds as often as (n,) of them did; one success and one failure more are
    counted, so that nothing is certain.
    """
    return float(ndtri((np.count_nonzero(succeeded) + 1.0) / (len(succeeded) + 2.0)))


def fit_success(
    X: FloatArray, succeeded: BoolArray, m: float, embedded_parameter: IndexArray
) -> Hyperparameters:
    """By (n, E) embedded inputs and (n,) whether each succeeded, n >= 1, about a prior mean ``m``;
    ``embedded_parameter`` (E,) as of `Data`. Deterministic.

    Raises FactorisationError if nothing can be factorised.
    """

    def evidence(K: FloatArray) -> tuple[float, FloatArray]:
        found = laplace(K, m, succeeded)
        return found.log_evidence, found.evidence_weights

    beforehand = believed(LENGTH_OF_THE_DIAGONAL, VARIANCE, embedded_parameter)
    return LogPosterior(evidence, X, embedded_parameter, beforehand).highest(ITERATIONS)


def typical(embedded_parameter: IndexArray) -> Hyperparameters:
    """What is believed of them before anything is fitted."""
    return hyperparameters(believed(LENGTH_OF_THE_DIAGONAL, VARIANCE, embedded_parameter).medians)
