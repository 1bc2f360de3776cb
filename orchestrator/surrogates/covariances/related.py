"""The covariance of a function that is a multiple of others, which are known, and something smooth besides.

    k(a, b) = sum_j v_j (1 + m_j(a) m_j(b)) + k_d(a, b)

Each known function m_j comes with a level of its own, as nobody says that both have the same mean. A multiple
may be negative: its prior is N(0, v_j).

Source: Kennedy & O'Hagan 2000 (autoregressive co-kriging), with the cheaper code's posterior mean in the
place of the code, and the multiple integrated out.

Notation: J known functions m_j, E embedded columns, A (n, E) and B (m, E) inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernels import Kernel, KernelCross
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean


@dataclass(frozen=True, eq=False, slots=True)
class RelatedKernel:
    """A `Covariance`: ``variances`` (J,) > 0 are v_j."""

    known: tuple[PosteriorMean, ...]
    variances: FloatArray
    detail: Kernel

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        covariances = self.detail.matrix(A, B)
        for known, variance in zip(self.known, self.variances, strict=True):
            at_A = known.values(A)
            covariances += _products(at_A, at_A if B is None else known.values(B), variance)
        return covariances

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances, larger where a known function is far from its mean."""
        variances = self.detail.diagonal(A)
        for known, variance in zip(self.known, self.variances, strict=True):
            variances = variances + variance * (1.0 + known.values(A) ** 2)
        return variances

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `diagonal`."""
        gradient = self.detail.diagonal_gradient(A)
        for known, variance in zip(self.known, self.variances, strict=True):
            gradient = gradient + (2.0 * variance * known.values(A))[:, None] * known.gradients(A)
        return gradient

    def cross(self, A: FloatArray, B: FloatArray) -> RelatedCross:
        """(n, m) covariances together with their gradients."""
        detail, slopes = self.detail.cross(A, B), []
        values = detail.values.copy()
        for known, variance in zip(self.known, self.variances, strict=True):
            at_B = known.values(B)
            values += _products(known.values(A), at_B, variance)
            slopes.append((known.gradients(A), variance * at_B))
        return RelatedCross(detail, values, slopes)


@dataclass(frozen=True, eq=False, slots=True)
class RelatedCross:
    """A `CrossCovariance`; ``slopes`` are, of each known function, its (n, E) gradients at A, and v_j m_j at
    B, (m,).
    """

    detail: KernelCross
    values: FloatArray
    slopes: Sequence[tuple[FloatArray, FloatArray]]

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        gradient = self.detail.weighted_gradient(W)
        for along, at_B in self.slopes:
            gradient = gradient + (W @ at_B)[..., None] * along
        return gradient


def _products(a: FloatArray, b: FloatArray, variance: float) -> FloatArray:
    """(n, m)."""
    products: FloatArray = np.multiply.outer(a, b)
    products += 1.0
    products *= variance
    return products
