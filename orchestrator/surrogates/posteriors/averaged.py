"""The average of a function over where its inputs come out when they are a little off.

The average of a Gaussian process over given points is Gaussian: its mean is the mean of their means, and its
variance the mean of all their covariances with one another.

Notation: p points, each of which comes out in m ways; n observations; E embedded columns; x_i where a point
comes out in way i; K, L, alpha as in `exact`; c(x) = (1/m) sum_i k(x_i, inputs) (n,); the variance is

    (1/m^2) sum_ij k(x_i, x_j) - |L^-1 c(x)|^2

Source: Fröhlich et al. 2020 (noisy-input entropy search), Section 3, with a sum in place of the integral.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Stationary
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.moments import PosteriorGradients, above_rounding
from orchestrator.unit_cube.settings_off import Around, SettingsOff

AT_ONCE = 8
"""Points whose variances are computed together: covariances of one with another are wasted, calls are not."""


class AveragedPosterior:
    """What an exact process believes of its averages; ``off`` is of embedded columns. It learns as that does:
    a value is one of the function itself.
    """

    def __init__(self, posterior: ExactGP, off: SettingsOff) -> None:
        self.posterior = posterior
        self.off = off

    def __len__(self) -> int:
        return len(self.posterior)

    def hallucinating(self, X: FloatArray, *, without_noise: bool = False) -> AbstractContextManager[None]:
        """As of the process: within the block (k, E) points count as observed at their own means."""
        return self.posterior.hallucinating(X, without_noise=without_noise)

    def mean_at(self, X: FloatArray) -> FloatArray:
        """(p,) means alone at (p, E) points: O(n m p)."""
        off = self.off.around(X).points
        means = self.posterior.mean_at(off.reshape(-1, X.shape[1]))
        return np.asarray(means.reshape(off.shape[:2]).mean(axis=1))

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) means and variances at (p, E) points: O(n^2 p + n m p)."""
        around = self.off.around(X)
        prior = self._prior(around)
        if not len(self.posterior):
            return np.zeros(len(X)), prior
        flat = around.points.reshape(-1, X.shape[1])
        inputs = self.posterior.inputs
        cross = self.posterior.covariance.matrix(inputs, flat)
        cross = cross.reshape(len(inputs), *around.points.shape[:2]).mean(axis=2)
        half = self.posterior.half_solve(cross)
        explained = np.einsum("np,np->p", half, half)
        return self.posterior.alpha @ cross, above_rounding(prior - explained, prior)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (p, E) gradients."""
        around = self.off.around(X)
        (p, m, E), n = around.points.shape, len(self.posterior)
        prior, prior_gradient = self._prior(around), self._prior_gradient(around)
        if not n:
            return PosteriorGradients(np.zeros(p), prior, np.zeros(X.shape), prior_gradient)
        cross = self.posterior.covariance.cross(around.points.reshape(-1, E), self.posterior.inputs)
        averaged = cross.values.reshape(p, m, n).mean(axis=1)
        half = self.posterior.half_solve(averaged.T)
        solved = self.posterior.half_solve_transposed(half)
        by_mean = np.broadcast_to(self.posterior.alpha / m, (p * m, n))
        by_explained = np.repeat(-2.0 / m * solved.T, m, axis=0)
        each = cross.weighted_gradient(np.stack([by_mean, by_explained])).reshape(2, p, m, E)
        mean_gradient, explained_gradient = (each * around.slopes).sum(axis=2)
        explained = np.einsum("np,np->p", half, half)
        return PosteriorGradients(
            averaged @ self.posterior.alpha,
            above_rounding(prior - explained, prior),
            mean_gradient,
            prior_gradient + explained_gradient,
        )

    def _prior(self, around: Around) -> FloatArray:
        """(p,) variances of the averages before anything is observed."""
        covariance, (p, m, E) = self.posterior.covariance, around.points.shape
        variances, rows = np.empty(p), self._to_compute(around)
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            own = covariance.matrix(around.points[some].reshape(-1, E)).reshape(len(some), m, len(some), m)
            each = np.arange(len(some))
            variances[some] = own[each, :, each, :].mean(axis=(1, 2))
        if len(rows) < p:
            variances[around.alike] = variances[rows[0]]
        return variances

    def _to_compute(self, around: Around) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """The rows whose variances are others' only if a covariance of differences has them alike: of those
        the first stands for all.
        """
        p = len(around.alike)
        if not isinstance(self.posterior.covariance, Stationary) or not around.alike.any():
            return np.arange(p)
        return np.append(np.argmax(around.alike), np.flatnonzero(~around.alike))

    def _prior_gradient(self, around: Around) -> FloatArray:
        """(p, E) of `_prior`."""
        covariance, (p, m, E) = self.posterior.covariance, around.points.shape
        gradient, weights = np.zeros((p, E)), np.full((m, m), 2.0 / m**2)
        stationary = isinstance(covariance, Stationary)
        for i in range(p):
            if not (stationary and around.alike[i]):
                off = around.points[i]
                each = covariance.cross(off, off).weighted_gradient(weights)
                gradient[i] = (each * around.slopes[i]).sum(axis=0)
        return gradient
