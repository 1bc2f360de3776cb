"""The log evidence of an exact GP and its gradient in the logarithms of its hyperparameters.

Notation: y (n,) values with mean zero, K = kernel matrix + noise, alpha = K^-1 y,
W = (alpha alpha' - K^-1) / 2, so that d log p / d theta = sum_ij W_ij dK_ij / d theta.
Source: Rasmussen & Williams 2006, Eqs. 2.30 and 5.9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import cholesky
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.evidence.data import Data


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """log p(y) and its derivatives: (D,) in the log length-scales, in log variance, in log noise variance.
    What is added to the diagonal, so that it can be factorised, they take as given.
    """

    value: float
    by_length_scale: FloatArray
    by_variance: float
    by_noise: float


def evidence(kernel: Kernel, data: Data, noise_variance: float) -> Evidence:
    """Value and gradient for n >= 1 observations: O(n^3 + n^2 E) time, O(n^2) memory.

    Raises FactorisationError where the covariance cannot be factorised.
    """
    n = len(data.y)
    squared = kernel.squared_distances(data.X)
    K = kernel.family.correlation(squared)
    K *= kernel.variance
    noise = np.full(n, noise_variance) if data.extra_noise is None else noise_variance + data.extra_noise
    K.flat[:: n + 1] += noise
    factor = cholesky(K, scale=kernel.variance)
    alpha = factor.solve(data.y)
    value = -0.5 * (float(data.y @ alpha) + factor.log_determinant + n * math.log(2.0 * math.pi))
    W = np.outer(alpha, alpha)
    W -= factor.inverse()
    W *= 0.5
    diagonal = np.diagonal(W)
    by_column = kernel.length_scale_gradient(data.X, W, squared)
    return Evidence(
        value,
        np.bincount(data.embedded_parameter, weights=by_column).astype(float),
        float(np.vdot(W, K) - diagonal @ noise),
        noise_variance * float(diagonal.sum()),
    )


def log_evidence(kernel: Kernel, data: Data, noise_variance: float) -> float:
    """The value alone; 0 for no observations."""
    n = len(data.y)
    if n == 0:
        return 0.0
    K = kernel.matrix(data.X)
    K.flat[:: n + 1] += noise_variance + (0.0 if data.extra_noise is None else data.extra_noise)
    factor = cholesky(K, scale=kernel.variance)
    half = factor.half_solve(data.y)
    return -0.5 * (float(half @ half) + factor.log_determinant + n * math.log(2.0 * math.pi))
