"""What all evidences by pairs of points have in common: the likelihood, and hyperparameters integrated out.

Notation: n values y of covariance A (n, n), with their noise; alpha = A^-1 y; theta (k,) hyperparameters.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import Factorisation


def log_likelihood(y: FloatArray, A: Factorisation) -> tuple[float, FloatArray]:
    """log p(y | theta), and G (n, n) = alpha alpha' - A^-1: its derivative by A_ij is G_ij, as A is symmetric
    and each pair counts twice, and by A_ii it is G_ii / 2.

    Source: Rasmussen & Williams 2006, Eqs. 2.30 and 5.9.
    """
    alpha = A.solve(y)
    value = -0.5 * float(y @ alpha) - 0.5 * A.log_determinant - 0.5 * len(y) * math.log(2.0 * math.pi)
    return value, np.outer(alpha, alpha) - A.inverse()


def integrated_out(log_posterior: float, information: FloatArray, deviation: FloatArray) -> float:
    """log p(y), theta integrated out around its mode by Laplace's approximation.

    ``log_posterior`` is log p(y | theta) + log p(theta) at the mode, ``information`` (k, k) Fisher's there,
    1/2 tr(A^-1 A_a A^-1 A_b), and ``deviation`` (k,) that of each prior. The curvature is the information
    plus the prior's precision: always positive definite, and an unneeded hyperparameter costs nothing because
    it stays as it was believed.
    """
    # In units of the prior's deviations. Noiseless data can round an eigenvalue of 0 to below it.
    eigenvalues = np.linalg.eigvalsh(deviation[:, None] * information * deviation)
    log_determinant = float(np.log1p(np.maximum(eigenvalues, 0.0)).sum() - 2.0 * np.log(deviation).sum())
    return log_posterior + 0.5 * len(deviation) * math.log(2.0 * math.pi) - 0.5 * log_determinant
