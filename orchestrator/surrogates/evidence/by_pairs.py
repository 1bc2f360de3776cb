"""What all evidences by pairs of points have in common: the likelihood, and hyperparameters integrated out.

Notation: n values y, P pairs of them; A (n, n) their covariance, with noise; alpha = A^-1 y; theta (k,)
hyperparameters, A_a the derivative of A by one of them.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import Factorisation
from orchestrator.numerics.pairs import above_diagonal, symmetric


def log_likelihood(y: FloatArray, A: Factorisation) -> tuple[float, FloatArray]:
    """log p(y | theta), and alpha (n,). Source: Rasmussen & Williams 2006, Eq. 2.30."""
    alpha = A.solve(y)
    value = -0.5 * float(y @ alpha) - 0.5 * A.log_determinant - 0.5 * len(y) * math.log(2.0 * math.pi)
    return value, alpha


def by_covariances(alpha: FloatArray, A: Factorisation) -> tuple[FloatArray, FloatArray]:
    """(P,) and (n,): derivatives of `log_likelihood` by the covariances of pairs, and by the variances on A's
    diagonal. With G = alpha alpha' - A^-1 they are G_ij, as A is symmetric and each pair counts twice, and
    G_ii / 2.

    Source: Rasmussen & Williams 2006, Eq. 5.9.
    """
    G: FloatArray = alpha[:, None] * alpha
    # Below the diagonal nobody looks.
    G -= A.inverse_above()
    return above_diagonal(G), 0.5 * G.diagonal()


def expected_information(inverse: FloatArray, slopes: FloatArray, diagonal_slopes: FloatArray) -> FloatArray:
    """(k, k) Fisher's information of theta, 1/2 tr(A^-1 A_a A^-1 A_b), of A^-1 (n, n) and derivatives of A:
    ``slopes`` (k, P) of all pairs, and ``diagonal_slopes`` (k, n), or (k, 1) where they are the same for all.
    """
    k, n = len(slopes), len(inverse)
    # In one array: two of this size go back to the system time and again, whose new pages are dear.
    products, turned = np.empty((2, k, n, n))
    for product, pairs, diagonal in zip(products, slopes, diagonal_slopes, strict=True):
        np.matmul(inverse, symmetric(pairs, n, diagonal), out=product)
    turned[...] = products.transpose(0, 2, 1)
    traces: FloatArray = products.reshape(k, -1) @ turned.reshape(k, -1).T
    return 0.25 * (traces + traces.T)


def integrated_out(log_posterior: float, information: FloatArray, deviation: FloatArray) -> float:
    """log p(y), theta integrated out around its mode by Laplace's approximation.

    ``log_posterior`` is log p(y | theta) + log p(theta) at the mode, ``information`` (k, k) Fisher's there,
    and ``deviation`` (k,) that of each prior. The curvature is the information plus the prior's precision:
    always positive definite, and an unneeded hyperparameter costs nothing because it stays as it was
    believed.
    """
    # In units of the prior's deviations. Noiseless data can round an eigenvalue of 0 to below it.
    eigenvalues = np.linalg.eigvalsh(deviation[:, None] * information * deviation)
    log_determinant = float(np.log1p(np.maximum(eigenvalues, 0.0)).sum() - 2.0 * np.log(deviation).sum())
    return log_posterior + 0.5 * len(deviation) * math.log(2.0 * math.pi) - 0.5 * log_determinant
