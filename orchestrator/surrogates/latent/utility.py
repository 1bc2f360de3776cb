"""A latent utility, of which comparisons of pairs are known: what is believed of it.

Notation: n points, E embedded columns, m comparisons, q points asked about; A (m, n) makes of the n utilities
the m differences, C = A K A' is their prior covariance; g and W as in `laplace`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.latent.comparisons import ComparisonLikelihood, threshold
from orchestrator.surrogates.latent.laplace import Laplace, laplace_about
from orchestrator.surrogates.posteriors.moments import PosteriorGradients, above_rounding


@dataclass(frozen=True, eq=False, slots=True)
class Compared:
    """(n, E) embedded points, of which (m, 2) ``pairs`` were compared, the better one first, and (m,) whether
    they were found ``alike`` instead; m >= 1.
    """

    X: FloatArray
    pairs: IndexArray
    alike: BoolArray

    @property
    def likelihood(self) -> ComparisonLikelihood:
        """Of the differences."""
        return ComparisonLikelihood(self.alike, threshold(self.alike))

    def differences(self, values: FloatArray) -> FloatArray:
        """(..., m) of (..., n)."""
        return np.asarray(values[..., self.pairs[:, 0]] - values[..., self.pairs[:, 1]])

    def spread(self, weights: FloatArray) -> FloatArray:
        """(..., n) weights of the utilities that (..., m) of their differences come to."""
        A = self.differences(np.eye(len(self.X))).T
        return np.asarray(weights @ A)

    def covariance(self, K: FloatArray) -> FloatArray:
        """(m, m) C."""
        return self.differences(self.differences(K).T)

    def evidence(self, K: FloatArray) -> tuple[float, FloatArray]:
        """The logarithm of that for the comparisons, and (n, n) its derivatives by the numbers of K.

        Raises FactorisationError.
        """
        found = laplace_about(self.covariance(K), self.likelihood)
        return found.log_evidence, self.spread(self.spread(found.evidence_weights).T)


@dataclass(frozen=True, eq=False, slots=True)
class UtilityPosterior:
    """What is believed of a utility after comparisons, by a kernel: up to a constant, which is taken so that
    the prior mean is 0.
    """

    compared: Compared
    kernel: Kernel
    found: Laplace

    @classmethod
    def of(cls, compared: Compared, kernel: Kernel) -> UtilityPosterior:
        """Raises FactorisationError where nothing can be factorised."""
        C = compared.covariance(kernel.matrix(compared.X))
        return cls(compared, kernel, laplace_about(C, compared.likelihood))

    def mean(self, X: FloatArray) -> FloatArray:
        """(q,) of (q, E) embedded points."""
        return np.asarray(self.cross(X) @ self.found.gradient)

    def over(self, other: FloatArray) -> Advantage:
        """By how much points are better than another one, (E,) embedded."""
        return Advantage(self, other[None, :])

    def cross(self, X: FloatArray) -> FloatArray:
        """(q, m) covariances of utilities with the differences that were compared."""
        return self.compared.differences(self.kernel.matrix(X, self.compared.X))


@dataclass(frozen=True, eq=False, slots=True)
class Advantage:
    """f(x) - f(b), by how much a point is better than ``other``, (1, E), in units of the error of whoever
    compares the two. A `Posterior` of embedded points.
    """

    utility: UtilityPosterior
    other: FloatArray

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(q,) means and (q,) variances, above 0, at (q, E) inputs."""
        kernel, found = self.utility.kernel, self.utility.found
        cross = self.utility.cross(X) - self.utility.cross(self.other)
        prior = 2.0 * (kernel.variance - kernel.matrix(X, self.other)[:, 0])
        known = found.factor.half_solve((cross * np.sqrt(found.curvature)).T)
        return cross @ found.gradient, above_rounding(prior - (known**2).sum(axis=0), kernel.variance)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (q, E) gradients."""
        kernel, found, compared = self.utility.kernel, self.utility.found, self.utility.compared
        to_points, to_other = kernel.cross(X, compared.X), kernel.cross(X, self.other)
        cross = compared.differences(to_points.values) - self.utility.cross(self.other)
        root = np.sqrt(found.curvature)
        solved = found.factor.solve((cross * root).T).T * root
        spent = (cross * solved).sum(axis=1)
        variance = 2.0 * (kernel.variance - to_other.values[:, 0]) - spent
        mean_weights = np.tile(compared.spread(found.gradient), (len(X), 1))
        variance_gradient = -2.0 * (
            to_other.weighted_gradient(np.ones((len(X), 1)))
            + to_points.weighted_gradient(compared.spread(solved))
        )
        return PosteriorGradients(
            cross @ found.gradient,
            above_rounding(variance, kernel.variance),
            to_points.weighted_gradient(mean_weights),
            variance_gradient,
        )
