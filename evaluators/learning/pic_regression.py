"""Regression with the partially independent conditional (PIC) approximation of a Gaussian process.

Snelson and Ghahramani 2007. Inducing inputs carry what is far; within its own block of neighbouring points
the process is exact. With one block it is the exact process, whatever the inducing inputs.

Notation: X (n, d) training inputs, y (n,) targets, Z (m, d) inducing inputs, K_ab = k(a, b) without noise,
L the Cholesky factor of K_zz, V = L^-1 K_zx so that Q = V'V is the part that the inducing inputs explain,
Lambda = blockdiag(K_xx - Q) + noise I, A = I + V Lambda^-1 V', c = A^-1 V Lambda^-1 y,
alpha = Lambda^-1 (y - V'c), which equals (Q + Lambda)^-1 y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular

FloatArray = NDArray[np.float64]
_JITTER = 1e-6


@dataclass(frozen=True, eq=False)
class PicHyperparameters:
    """Positive variances and (d,) positive length-scales of the process, (m, d) inducing inputs."""

    signal_variance: float
    noise_variance: float
    length_scales: FloatArray
    inducing: FloatArray

    def covariance(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """(len(a), len(b)): the squared exponential kernel with a length-scale a dimension."""
        a, b = a / self.length_scales, b / self.length_scales
        squares = np.sum(a * a, axis=1)[:, np.newaxis] + np.sum(b * b, axis=1) - 2.0 * (a @ b.T)
        covariance: FloatArray = self.signal_variance * np.exp(-0.5 * np.maximum(squares, 0.0))
        return covariance


class PicRegression:
    """The posterior mean, given data in blocks."""

    def __init__(
        self, hyperparameters: PicHyperparameters, X: FloatArray, y: FloatArray, blocks: NDArray[np.intp]
    ) -> None:
        """``blocks``: (n,) the block of each point. Raises `LinAlgError` if a matrix is not positive."""
        self._kernel = hyperparameters
        self._X = X
        m = len(hyperparameters.inducing)
        K_zz = hyperparameters.covariance(hyperparameters.inducing, hyperparameters.inducing)
        K_zz[np.diag_indices(m)] += _JITTER * hyperparameters.signal_variance
        self._L = _factor(K_zz)
        self._V = self._explained(X)
        self._rows = {int(block): np.flatnonzero(blocks == block) for block in np.unique(blocks)}
        A = np.eye(m)
        b = np.zeros(m)
        factors: dict[int, tuple[FloatArray, FloatArray]] = {}
        for block, rows in self._rows.items():
            V = self._V[:, rows]
            K = hyperparameters.covariance(X[rows], X[rows]) - V.T @ V
            K[np.diag_indices(len(rows))] += hyperparameters.noise_variance
            factor = _factor(K)
            white = solve_triangular(factor, np.column_stack([V.T, y[rows]]), lower=True, check_finite=False)
            A += white[:, :m].T @ white[:, :m]
            b += white[:, :m].T @ white[:, m]
            factors[block] = (factor, white)
        A_factor = _factor(A)
        self._c = solve_triangular(
            A_factor, solve_triangular(A_factor, b, lower=True), lower=True, trans="T", check_finite=False
        )
        self._alpha = np.zeros(len(y))
        for block, rows in self._rows.items():
            factor, white = factors[block]
            rest = white[:, m] - white[:, :m] @ self._c
            self._alpha[rows] = solve_triangular(factor, rest, lower=True, trans="T", check_finite=False)

    def mean(self, X: FloatArray, blocks: NDArray[np.intp]) -> FloatArray:
        """(k,) posterior means at (k, d) inputs in these (k,) blocks, which may hold no training point."""
        V = self._explained(X)
        means: FloatArray = V.T @ self._c
        for block in np.unique(blocks):
            rows = self._rows.get(int(block))
            if rows is None:
                continue
            asked = np.flatnonzero(blocks == block)
            own = self._kernel.covariance(X[asked], self._X[rows]) - V[:, asked].T @ self._V[:, rows]
            means[asked] += own @ self._alpha[rows]
        return means

    def _explained(self, X: FloatArray) -> FloatArray:
        cross = self._kernel.covariance(self._kernel.inducing, X)
        return np.asarray(solve_triangular(self._L, cross, lower=True, check_finite=False))


def _factor(matrix: FloatArray) -> FloatArray:
    if not np.isfinite(matrix).all():
        raise LinAlgError("a covariance is not finite")
    return np.asarray(cholesky(matrix, lower=True, check_finite=False))
