"""A factor's function, as if the factor alone had been observed at some points and had come out as predicted.

Observing a total at a point leaves each factor's deviation there almost what it was: a sum of factor
bounds then asks for the same point again, although nothing is left to learn. What a choice is to turn away
from (what runs already, what the total is sure of) is therefore put to each factor.

Most of that deviation is of constants that factors may trade with one another, which no total ever reveals
and no choice depends on. `anchored_at` the best point told, a factor's deviation is of its change from there.
`revealed`, it counts only how far its own coordinates are from those told.

Notation: n inputs X, p points P of the factor, L the Cholesky factor of the total's covariance at X, k the
factor's covariance. The factor's values at P join the observations: the new rows of the Cholesky factor are
[B D] with B = k(P, X) L'^-1 and D D' = k(P, P) - B B', and alpha has zeros for them, as the mean stays.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor
from orchestrator.numerics.linalg import cholesky, solve_lower

# Of the factor's variance, left at P: what is known already, or twice among P, must not be singular.
REMAINDER = 1e-6


def known_at(factor: GaussianFactor, P: FloatArray) -> GaussianFactor:
    """The factor with its deviation shrunk about (p, d) points of its own coordinates."""
    if len(P) == 0:
        return factor
    return _conditioned(factor, P, REMAINDER * factor.kernel.variance)


def anchored_at(factor: GaussianFactor, x: FloatArray, variance: float) -> GaussianFactor:
    """The factor with its variance at (d,) coordinates x brought down to ``variance``, the total's there.

    One that is as sure of itself already stays as it is: so does a factor that is alone.
    """
    P = x[None, :]
    own = float(factor.parts(P).shared[0]) * factor.divisor**2
    least = max(variance, REMAINDER * factor.kernel.variance)
    if own <= least:
        return factor
    return _conditioned(factor, P, own * least / (own - least))


def revealed(factor: GaussianFactor, noise: FloatArray) -> GaussianFactor:
    """The factor with the deviation it had if its own values had been told, with (n,) noise variances.

    Its mean stays: what it is believed to be is learned from totals.
    """
    n, variance = len(factor.inputs), factor.kernel.variance
    if n == 0:
        return factor
    K = factor.kernel.matrix(factor.inputs)
    K.flat[:: n + 1] += np.maximum(noise, REMAINDER * variance)
    return replace(factor, inverse_lower=solve_lower(cholesky(K, scale=variance).lower, np.eye(n)))


def _conditioned(factor: GaussianFactor, P: FloatArray, noise: float) -> GaussianFactor:
    """As if observed at (p, d) coordinates with this noise variance, and come out as predicted."""
    A = factor.domain.embed(P)
    n, p = len(factor.inputs), len(A)
    variance = factor.kernel.variance
    B = factor.kernel.matrix(A, factor.inputs) @ factor.inverse_lower.T
    left = factor.kernel.matrix(A) - B @ B.T
    left.flat[:: p + 1] = np.maximum(np.diagonal(left), 0.0) + noise
    D_inverse = solve_lower(cholesky(left, scale=variance).lower, np.eye(p))
    inverse_lower = np.zeros((n + p, n + p))
    inverse_lower[:n, :n] = factor.inverse_lower
    inverse_lower[n:, :n] = -D_inverse @ B @ factor.inverse_lower
    inverse_lower[n:, n:] = D_inverse
    return replace(
        factor,
        inputs=np.vstack([factor.inputs, A]),
        alpha=np.concatenate([factor.alpha, np.zeros(p)]),
        inverse_lower=inverse_lower,
    )
