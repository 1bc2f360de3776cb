"""Whether something succeeds, as a Gaussian process sees it: probit classification, by Laplace's method.

Successes and failures say on which side of nought a latent function lies, more or less surely. Near its mode
its posterior is that of a process which was told values, each with a noise of its own, so that whatever can
be done with an exact process can be done with this one.

Notation: n labels y_i, 1 or -1; K (n, n) the latent function's prior covariance, m its prior mean, f (n,)
what it is above m at the mode; Phi the normal distribution function, p(y_i | f_i) = Phi(y_i (m + f_i));
g (n,) the gradient of log p(y | f), W (n,) minus its second derivatives, B = I + W^1/2 K W^1/2.
Source: Rasmussen & Williams 2006, Sections 3.4 and 5.5, Algorithms 3.1 and 5.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics import normal
from orchestrator.numerics.linalg import Factorisation, cholesky

MOST_STEPS = 50
ROUNDING = 1e-10
"""Of a step that gains less than this, Newton's own is as good as the mode can be told."""
# Of a step that overshoots a half is tried, and so on down to this part of it.
SHORTEST_STEP = 1e-3
LEAST_CURVATURE = 1e-6
"""Of W: a label that nobody doubts counts as a value with a large noise, not with an endless one."""


@dataclass(frozen=True, eq=False, slots=True)
class Laplace:
    """The mode f, with g and W there, and log p(y) about it. ``factor`` is B's."""

    covariance: FloatArray
    mode: FloatArray
    gradient: FloatArray
    curvature: FloatArray
    factor: Factorisation
    log_evidence: float
    skewness: FloatArray

    @property
    def targets(self) -> FloatArray:
        """(n,) values, above m, that an exact process is told to have this posterior."""
        return self.mode + self.gradient / self.curvature

    @property
    def noise_variances(self) -> FloatArray:
        """(n,) the noise that they have."""
        return 1.0 / self.curvature

    @property
    def evidence_weights(self) -> FloatArray:
        """(n, n) symmetric V, so that d log p(y) / d theta = sum_ij V_ij dK_ij / d theta."""
        root = np.sqrt(self.curvature)
        R = root[:, None] * self.factor.inverse() * root[None, :]
        K, g = self.covariance, self.gradient
        # How the mode moves counts, too: log det B depends on it. Of the posterior variances:
        variances = np.diagonal(K) - np.einsum("ij,jk,ki->i", K, R, K, optimize=True)
        pull = 0.5 * variances * self.skewness
        pull -= R @ (K @ pull)
        moved = 0.5 * (np.outer(pull, g) + np.outer(g, pull))
        return np.asarray(0.5 * (np.outer(g, g) - R) + moved)


def laplace(K: FloatArray, m: float, succeeded: BoolArray) -> Laplace:
    """For (n, n) ``K``, n >= 1, and (n,) whether each succeeded. Deterministic: climbs from f = 0.

    Raises FactorisationError where B, whose eigenvalues are 1 at least, is not even finite.
    """
    y = np.where(succeeded, 1.0, -1.0)
    a = f = np.zeros(len(y))
    height = -math.inf
    for _ in range(MOST_STEPS):
        g, W, _ = _derivatives(y, m + f)
        root = np.sqrt(W)
        b = W * f + g
        target = b - root * _factor(K, root).solve(root * (K @ b))
        step = 1.0
        while True:
            tried = a + step * (target - a)
            at = K @ tried
            reached = float(normal.log_distribution(y * (m + at)).sum() - 0.5 * tried @ at)
            if reached > height - ROUNDING or step < SHORTEST_STEP:
                break
            step *= 0.5
        gained, (a, f, height) = reached - height, (tried, at, reached)
        if gained < ROUNDING:
            break
    g, W, skewness = _derivatives(y, m + f)
    factor = _factor(K, np.sqrt(W))
    return Laplace(K, f, g, W, factor, height - 0.5 * factor.log_determinant, skewness)


def _factor(K: FloatArray, root: FloatArray) -> Factorisation:
    B = root[:, None] * K * root[None, :]
    B.flat[:: len(B) + 1] += 1.0
    return cholesky(B)


def _derivatives(y: FloatArray, latent: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(n,) the first derivatives of log p(y | f) by f, minus the second ones, and the third ones."""
    z = y * latent
    ratio = np.exp(normal.log_density(z) - normal.log_distribution(z))
    W = ratio * (z + ratio)
    third = y * ratio * (2.0 * ratio**2 + 3.0 * z * ratio + z * z - 1.0)
    return y * ratio, np.maximum(W, LEAST_CURVATURE), np.where(W > LEAST_CURVATURE, third, 0.0)
