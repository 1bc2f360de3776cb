"""The posterior of a latent function at the places where something was observed, by Laplace's method.

Near its mode it is that of a process which was told values, each with a noise of its own, so that whatever
can be done with an exact process can be done with this one.

Notation: n latent values with prior covariance K (n, n), f (n,) what they are, above a prior mean, at the
mode; p(y | f) the likelihood of what was observed, a product over them; g (n,) the gradient of log p(y | f),
W (n,) minus its second derivatives, B = I + W^1/2 K W^1/2.
Source: Rasmussen & Williams 2006, Sections 3.4 and 5.5, Algorithms 3.1 and 5.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from orchestrator.arrays import FloatArray
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
    """The mode f, with g, W and the third derivatives of log p(y | f), ``skewness`` (n,), there; and log p(y)
    about it. ``factor`` is B's.
    """

    covariance: FloatArray
    mode: FloatArray
    gradient: FloatArray
    curvature: FloatArray
    factor: Factorisation
    log_evidence: float
    skewness: FloatArray

    @property
    def targets(self) -> FloatArray:
        """(n,) values, above the prior mean, that an exact process is told to have this posterior."""
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


class Likelihood(Protocol):
    """Of what was observed, as each latent value alone decides it, and log-concave in that."""

    @property
    def count(self) -> int:
        """n."""
        ...

    def log_probability(self, f: FloatArray) -> float:
        """log p(y | f)."""
        ...

    def derivatives(self, f: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(n,) the first derivatives of log p(y | f) by f, minus the second ones, `LEAST_CURVATURE` at least,
        and the third ones.
        """
        ...


def laplace_about(K: FloatArray, likelihood: Likelihood) -> Laplace:
    """For (n, n) ``K``, n >= 1. Deterministic: climbs from f = 0.

    Raises FactorisationError where B, whose eigenvalues are 1 at least, is not even finite.
    """
    a = f = np.zeros(likelihood.count)
    height = -math.inf
    for _ in range(MOST_STEPS):
        g, W, _ = likelihood.derivatives(f)
        root = np.sqrt(W)
        b = W * f + g
        target = b - root * factorised(K, root).solve(root * (K @ b))
        step = 1.0
        while True:
            tried = a + step * (target - a)
            at = K @ tried
            reached = float(likelihood.log_probability(at) - 0.5 * tried @ at)
            if reached > height - ROUNDING or step < SHORTEST_STEP:
                break
            step *= 0.5
        gained, (a, f, height) = reached - height, (tried, at, reached)
        if gained < ROUNDING:
            break
    g, W, skewness = likelihood.derivatives(f)
    factor = factorised(K, np.sqrt(W))
    return Laplace(K, f, g, W, factor, height - 0.5 * factor.log_determinant, skewness)


def factorised(K: FloatArray, root: FloatArray) -> Factorisation:
    """B, of (n, n) K and the (n,) square ``root`` of W. Raises FactorisationError where it is not finite."""
    B = root[:, None] * K * root[None, :]
    B.flat[:: len(B) + 1] += 1.0
    return cholesky(B)
