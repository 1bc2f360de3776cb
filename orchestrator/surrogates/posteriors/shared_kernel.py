"""Gaussian processes of several outputs at the same inputs, with one kernel and one Cholesky factor.

Notation: n observations, q outputs, E embedded columns, p points, r <= q columns of a root R (q, r), K (n, n)
the covariance of the inputs plus noise, Y (n, q) the values. A belief at x is N(mean(x), v(x) R R'): with all
outputs seen at every input, K^-1 Y gives the means whatever R is.
Source: intrinsic coregionalisation, Bonilla et al. 2008, section 2.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Covariance
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP

LEAST_SHARE = 1e-8
"""Of what outputs vary by together: a direction with less is left out."""
DOUBT = 0.1
"""How many observations it counts for that each output may go its own way."""


@dataclass(frozen=True, eq=False, slots=True)
class OutputGradients:
    """Beliefs at p points: (p, q) means, (p,) deviations, and their gradients (p, q, E) and (p, E)."""

    mean: FloatArray
    deviation: FloatArray
    mean_gradient: FloatArray
    deviation_gradient: FloatArray


class SharedKernelGP:
    """Told (n, E) inputs ``X`` and (n, q) values ``Y``, n >= 1, under a ``covariance`` with a noise variance
    that all have.

    Attributes:
        root: R, which of one output is 1.
    """

    def __init__(self, covariance: Covariance, noise_variance: float, X: FloatArray, Y: FloatArray) -> None:
        # Of zeros: only how sure it is comes from here, which values say nothing of.
        self._sure = ExactGP(covariance, noise_variance)
        self._sure.append(X, np.zeros(len(X)))
        half = self._sure.half_solve(Y)
        self._alpha = self._sure.half_solve_transposed(half)
        self.root = np.ones((1, 1)) if Y.shape[1] == 1 else _root(half)

    @property
    def outputs(self) -> int:
        """q."""
        return int(self._alpha.shape[1])

    @property
    def results(self) -> int:
        """n."""
        return len(self._alpha)

    @property
    def uncertain(self) -> ExactGP:
        """A process of zeros that is as sure of itself as this is of each output, but for R R'."""
        return self._sure

    @property
    def noise_variance(self) -> float:
        """That of each value."""
        return self._sure.noise_variance

    def beliefs(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p, q) means and (p,) deviations at (p, E) inputs."""
        return self.means(X), np.sqrt(self._sure.mean_and_variance(X)[1])

    def means(self, X: FloatArray) -> FloatArray:
        """(p, q) at (p, E) inputs: O(p n q)."""
        told = self._sure.inputs[: len(self._alpha)]
        return np.asarray(self._sure.covariance.matrix(X, told) @ self._alpha)

    def gradients(self, X: FloatArray) -> OutputGradients:
        """The same with gradients: O(p n (n + q E))."""
        cross = self._sure.covariance.cross(X, self._sure.inputs[: len(self._alpha)])
        weights = np.broadcast_to(self._alpha.T[:, None, :], (self.outputs, len(X), len(self._alpha)))
        slopes = np.moveaxis(cross.weighted_gradient(weights), 0, 1)
        at = self._sure.value_gradients(X)
        return OutputGradients(cross.values @ self._alpha, at.deviation, slopes, at.deviation_gradient)

    def together(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p, q) means and (p, p) covariances of (p, E) inputs, which are R R' times as large for outputs."""
        covariance = covariances_with(self._sure, X).matrix(X)
        return self.beliefs(X)[0], (covariance + covariance.T) / 2.0

    def covariances_between(self, X: FloatArray, places: FloatArray) -> FloatArray:
        """(p, P) of (p, E) inputs with (P, E) places, which are R R' times as large for outputs."""
        return covariances_with(self._sure, places).matrix(X)

    def left_out(self) -> tuple[FloatArray, FloatArray]:
        """(n, q) by how much each value is off what all others predict, and the (n,) deviations of that, for
        outputs as of `beliefs`, noise and all. Source: Rasmussen & Williams 2006, Eqs. 5.10 to 5.12.
        """
        precision = np.square(self._sure.half_solve(np.eye(len(self._alpha)))).sum(axis=0)
        return self._alpha / precision[:, None], 1.0 / np.sqrt(precision)

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        """Within the block (p, E) points count as come out at their means, which leaves all means as they
        are.
        """
        return self._sure.hallucinating(X)


def _root(half: FloatArray) -> FloatArray:
    """Of the likeliest covariance of q outputs given (n, q) L^-1 Y, drawn to the identity by a little, so
    that it says something of every direction.
    """
    n, q = half.shape
    among = (half.T @ half + DOUBT * np.eye(q)) / (n + DOUBT)
    sizes, directions = np.linalg.eigh(among)
    kept = sizes > LEAST_SHARE * sizes.sum()
    return np.asarray(directions[:, kept] * np.sqrt(sizes[kept]))
