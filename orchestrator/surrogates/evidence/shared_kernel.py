"""The log evidence of several outputs at the same inputs under one kernel, and its gradient.

Notation: n observations, q outputs, Y (n, q) standardised values, K = kernel matrix + noise, A = K^-1 Y,
W = (A A' - q K^-1) / 2, so that d log p / d theta = sum_ij W_ij dK_ij / d theta.
Source: Rasmussen & Williams 2006, Eqs. 2.30 and 5.9, summed over outputs.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import multigammaln

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import Factorisation, cholesky
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import Evidence


def shared_evidence(
    kernel: Kernel, data: Data, Y: FloatArray, noise_variance: float, share: float = 1.0
) -> Evidence:
    """Of all outputs, as if they were independent, times the ``share`` of them that are: outputs that say the
    same say it once. ``data`` has the inputs; what it has besides is not looked at. O(n^3 + n^2 (E + q)).

    Raises FactorisationError where the covariance cannot be factorised.
    """
    n, q = Y.shape
    squared = kernel.squared_distances(data.X)
    K = kernel.family.correlation(squared)
    K *= kernel.variance
    K.flat[:: n + 1] += noise_variance
    factor = cholesky(K, scale=kernel.variance)
    A = factor.solve(Y)
    value = -0.5 * (float(np.vdot(Y, A)) + q * (factor.log_determinant + n * math.log(2.0 * math.pi)))
    W = 0.5 * (A @ A.T - q * factor.inverse())
    diagonal = np.diagonal(W)
    by_column = kernel.length_scale_gradient(data.X, W, squared)
    return Evidence(
        share * value,
        share * np.bincount(data.embedded_parameter, weights=by_column).astype(float),
        share * float(np.vdot(W, K) - noise_variance * diagonal.sum()),
        share * noise_variance * float(diagonal.sum()),
    )


def shared_log_evidence(
    kernel: Kernel, data: Data, Y: FloatArray, noise_variance: float, share: float = 1.0
) -> float:
    """The value of `shared_evidence` alone."""
    factor, half = _half_solved(kernel, data, Y, noise_variance)
    n, q = Y.shape
    square = float(np.vdot(half, half))
    return float(share * -0.5 * (square + q * (factor.log_determinant + n * math.log(2.0 * math.pi))))


def log_evidence_together(kernel: Kernel, data: Data, Y: FloatArray, noise_variance: float) -> float:
    """Of (n, q) values whose outputs vary together by a covariance R that nobody knows, which is integrated
    out: beforehand inverse Wishart with q + 2 degrees of freedom and the mean I. A matrix t density
    (Gupta & Nagar 2000, section 4.2). Raises FactorisationError as above.
    """
    factor, half = _half_solved(kernel, data, Y, noise_variance)
    n, q = Y.shape
    freedom = q + 2.0
    _, among = np.linalg.slogdet(np.eye(q) + half.T @ half)
    return float(
        multigammaln((freedom + n) / 2.0, q)
        - multigammaln(freedom / 2.0, q)
        - 0.5 * (freedom + n) * among
        - 0.5 * q * (factor.log_determinant + n * math.log(math.pi))
    )


def _half_solved(
    kernel: Kernel, data: Data, Y: FloatArray, noise_variance: float
) -> tuple[Factorisation, FloatArray]:
    K = kernel.variance * kernel.family.correlation(kernel.squared_distances(data.X))
    K.flat[:: len(K) + 1] += noise_variance
    factor = cholesky(K, scale=kernel.variance)
    return factor, factor.half_solve(Y)


def independent(Y: FloatArray) -> float:
    """How many of q outputs vary on their own, from 1 to q: the participation ratio of the variances that
    (n, q) values have along their principal directions.
    """
    sizes = np.linalg.svd(Y, compute_uv=False) ** 2
    total = float(sizes.sum())
    return max(1.0, total**2 / float(np.sum(sizes**2))) if total > 0.0 else 1.0
