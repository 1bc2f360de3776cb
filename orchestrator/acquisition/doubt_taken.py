"""How much less doubt an evaluation is expected to leave of on which side of a threshold values lie.

By a Gaussian process a value is above the threshold with a probability p, and p (1 - p) is the doubt of it:
the variance of being above. What an evaluation makes of p depends on what comes of it, and what it makes of
the doubt, on average, is known beforehand.

Notation: P places all over the domain; M processes, c_m(z, x) the posterior covariance of a place z with a
point x, v_m the posterior variance at x, r_m the noise variance of an evaluation; a_mz by how many deviations
s_mz the mean at z is above the threshold; w_mz what the doubt of process m counts for at place z; E embedded
columns, n points. With q = c_m(z, x)^2 / ((v_m(x) + r_m) s_mz^2), the part of the variance at z that an
evaluation at x takes, the doubt there is expected to be less by

    (1 / 2 pi) int_0^{arcsin q} exp(-a_mz^2 / (1 + sin t)) dt

which Plackett's identity makes of the bivariate normal integral of Proposition 2 of Bect et al. 2012, and of
which the derivative by q is exp(-a^2 / (1 + q)) / (2 pi sqrt(1 - q^2)).

Source: Bect, Ginsbourger, Li, Picheny & Vazquez 2012, the criterion J_2 of stepwise uncertainty reduction;
Chevalier, Bect, Ginsbourger, Vazquez, Picheny & Richet 2014; the integral in one dimension, ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.covariances_with import CovariancesWith

# The whole of a variance is taken where an exact value is evaluated: the derivative there is infinite.
MOST_TAKEN = 1.0 - 1e-9
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True, eq=False)
class DoubtTaken:
    """By one process. ``above`` (P,) are a_z of the places that ``covariances`` are with, ``deviations`` (P,)
    their s_z > 0, ``weights`` (P,) their w_z >= 0, and ``noise_variance`` is r >= 0, all on the scale of the
    ``posterior``.
    """

    posterior: Posterior
    covariances: CovariancesWith
    above: FloatArray
    deviations: FloatArray
    weights: FloatArray
    noise_variance: float

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) what is taken by an evaluation at each of (n, E) inputs."""
        total = self.posterior.mean_and_variance(X)[1] + self.noise_variance
        return np.asarray(
            doubt_less(self.above, self._parts(self.covariances.matrix(X), total)) @ self.weights
        )

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same with (n, E) gradients."""
        at, cross = self.posterior.value_gradients(X), self.covariances.cross(X)
        total = at.variance + self.noise_variance
        parts = self._parts(cross.values, total)
        taken = doubt_less(self.above, parts) @ self.weights
        steep = np.exp(-(self.above**2) / (1.0 + parts)) / (2.0 * math.pi * np.sqrt(1.0 - parts**2))
        by_part = self.weights * steep / total[:, None]
        by_covariance = cross.weighted_gradient(2.0 * by_part * cross.values / self.deviations**2)
        return taken, by_covariance - (by_part * parts).sum(axis=1)[:, None] * at.variance_gradient

    def _parts(self, covariances: FloatArray, total: FloatArray) -> FloatArray:
        """(n, P) of the variance at each place."""
        return np.minimum((covariances / self.deviations) ** 2 / total[:, None], MOST_TAKEN)


def doubt_less(above: FloatArray, parts: FloatArray) -> FloatArray:
    """(n, P) by how much p (1 - p) is expected to be less at (P,) means ``above`` the threshold, in their
    deviations, where (n, P) ``parts`` of their variances are taken, each in [0, 1).
    """
    half = np.arcsin(parts) / 2.0
    squared = above**2
    integral = np.zeros(parts.shape)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        integral += weight * np.exp(-squared / (1.0 + np.sin(half * (1.0 + node))))
    return half * integral / (2.0 * math.pi)
