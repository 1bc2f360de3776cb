"""The evidence of an interaction kernel as a function of its hyperparameters, with gradients.

Notation: n points, P = n (n - 1) / 2 pairs, D parameters, S (D, P) squared differences, l length-scales,
v_1 and v_2 the orders' variances, c_1 and c_2 their weights (`InteractionKernel.order_weights`), K the
covariance of the values with their noise, alpha = K^-1 y, theta (k,) the logarithms of what is free:
length-scales (D, or 1 where they are shared), v_1, v_2, and the noise variance where it is inferred.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.spatial.distance import squareform

from orchestrator.numerics.linalg import Factorisation, FactorisationError, cholesky
from orchestrator.surrogates.additive_evidence import PairwiseData
from orchestrator.surrogates.hyperparameters import LogNormal, Prior
from orchestrator.surrogates.interaction_kernel import InteractionKernel, order_weights
from orchestrator.surrogates.kernels import KernelFamily

FloatArray = NDArray[np.float64]

UNUSABLE = 1e25
"""What the search is told of hyperparameters that cannot be factorised: finite, so that it backs away."""
REACH = 4.0
# Multiples of the median length-scale and variance from which a cold search starts.
COLD_STARTS = ((2.0, 1.0), (7.5, 3.0))
ORDERS = 2


@dataclass(frozen=True, slots=True)
class InteractionHyperparameters:
    """(D,) length-scales, the variance of either order, and the noise variance that all values share."""

    length_scales: tuple[float, ...]
    variances: tuple[float, float]
    noise_variance: float

    def kernel(self, family: KernelFamily, embedded_parameter: NDArray[np.intp]) -> InteractionKernel:
        """The kernel on embedded inputs."""
        return InteractionKernel(family, np.array(self.length_scales), self.variances, embedded_parameter)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "length_scales": list(self.length_scales),
            "variances": list(self.variances),
            "noise_variance": self.noise_variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> InteractionHyperparameters:
        """What `to_json` wrote."""
        first, second = (float(v) for v in payload["variances"])
        scales = tuple(float(scale) for scale in payload["length_scales"])
        return cls(scales, (first, second), float(payload["noise_variance"]))


@dataclass(frozen=True, slots=True)
class InteractionFit:
    """The mode of the posterior of the hyperparameters, and log p(y) with them integrated out (Laplace)."""

    hyperparameters: InteractionHyperparameters
    log_marginal: float


@dataclass(frozen=True, eq=False)
class InteractionEvidence:
    """``shared`` ties the length-scales to one; ``noise_variance`` holds the noise where it is known, and
    None infers it. Needs D >= 2.
    """

    pairs: PairwiseData
    family: KernelFamily
    shared: bool
    noise_variance: float | None = None

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.pairs.squared)

    @cached_property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter: no favour to either order."""
        prior = Prior.for_dimension(ORDERS)
        order = LogNormal(prior.variance.median / ORDERS, prior.variance.deviation)
        free = [prior.length_scale] * (1 if self.shared else self.dimension) + [order] * ORDERS
        return (*free, prior.noise_variance) if self.noise_variance is None else tuple(free)

    def hyperparameters(self, theta: FloatArray) -> InteractionHyperparameters:
        """theta as a value that other parts can read."""
        scales, (first, second), noise = self._natural(theta)
        return InteractionHyperparameters(tuple(scales.tolist()), (float(first), float(second)), noise)

    def theta(self, values: InteractionHyperparameters) -> FloatArray:
        """(k,) the free logarithms nearest to ``values``."""
        scales = np.log(values.length_scales)
        parts = [[scales.mean()] if self.shared else scales, np.log(values.variances)]
        if self.noise_variance is None:
            parts.append(np.log([max(values.noise_variance, 1e-300)]))
        return np.concatenate(parts)

    def log_posterior(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """log p(y | theta) + log p(theta) and its gradient (k,). Raises FactorisationError."""
        scales, variances, noise = self._natural(theta)
        single, double = self._weights(variances)
        scaled, correlations, total = self._correlations(scales)
        squares = np.einsum("dp,dp->p", correlations, correlations)
        first, second = single * total, 0.5 * double * (total * total - squares)
        L = self._factorise(first + second, variances, noise)
        y, n = self.pairs.y, len(self.pairs)
        alpha = L.solve(y)
        value = -0.5 * float(y @ alpha) - 0.5 * L.log_determinant - 0.5 * n * math.log(2.0 * math.pi)

        # d value / d K_ij, with each pair counted twice as K is symmetric, and the diagonal on its own.
        G = np.outer(alpha, alpha) - L.inverse()
        off_diagonal = squareform(G, force="tovector", checks=False)
        trace = 0.5 * float(np.trace(G))
        by_scale = -2.0 * np.einsum(
            "dp,p->d", self._scale_slopes(scaled, correlations, total, variances), off_diagonal
        )
        gradient = [
            [by_scale.sum()] if self.shared else by_scale,
            [first @ off_diagonal + variances[0] * trace, second @ off_diagonal + variances[1] * trace],
        ]
        if self.noise_variance is None:
            gradient.append([noise * trace])
        slope: FloatArray = np.concatenate(gradient)
        for i, belief in enumerate(self.beliefs):
            value += float(belief.log_density(theta[i]))
            slope[i] += float(belief.log_density_slope(theta[i]))
        return value, slope

    def log_marginal(self, theta: FloatArray) -> float:
        """log p(y), theta integrated out around its mode: Laplace's approximation with expected information,
        as in `AdditiveEvidence.log_marginal`.
        """
        scales, variances, noise = self._natural(theta)
        single, double = self._weights(variances)
        scaled, correlations, total = self._correlations(scales)
        squares = np.einsum("dp,dp->p", correlations, correlations)
        orders = np.stack([single * total, 0.5 * double * (total * total - squares)])
        inverse = self._factorise(orders.sum(axis=0), variances, noise).inverse()
        by_scale = -2.0 * self._scale_slopes(scaled, correlations, total, variances)
        if self.shared:
            by_scale = by_scale.sum(axis=0)[None]
        slopes = [self._symmetric(row, 0.0) for row in by_scale]
        slopes += [self._symmetric(row, float(v)) for row, v in zip(orders, variances, strict=True)]
        products = [inverse @ slope for slope in slopes]
        if self.noise_variance is None:
            products.append(inverse * noise)
        flat = np.array([product.ravel() for product in products])
        transposed = np.array([product.T.ravel() for product in products])
        information = 0.25 * (flat @ transposed.T + transposed @ flat.T)
        deviation = np.array([belief.deviation for belief in self.beliefs])
        eigenvalues = np.linalg.eigvalsh(deviation[:, None] * information * deviation)
        log_determinant = float(np.log1p(np.maximum(eigenvalues, 0.0)).sum() - 2.0 * np.log(deviation).sum())
        value, _ = self.log_posterior(theta)
        return value + 0.5 * len(theta) * math.log(2.0 * math.pi) - 0.5 * log_determinant

    def fit(self, warm: InteractionHyperparameters | None, starts: int, iterations: int) -> InteractionFit:
        """The best of the local modes found from ``warm``, if given, and fixed starts. Deterministic.

        Raises FactorisationError if no start can be factorised.
        """
        medians = np.log([belief.median for belief in self.beliefs])
        reach = REACH * np.array([belief.deviation for belief in self.beliefs])
        bounds = np.stack([medians - reach, medians + reach], axis=1)

        def loss(theta: FloatArray) -> tuple[float, FloatArray]:
            try:
                value, gradient = self.log_posterior(theta)
            except FactorisationError:
                return UNUSABLE, np.zeros_like(theta)
            return -value, -gradient

        best, lowest = medians, math.inf
        for start in self._starts(medians, warm)[: max(1, starts)]:
            found = minimize(
                loss,
                np.clip(start, bounds[:, 0], bounds[:, 1]),
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                options={"maxiter": iterations},
            )
            if float(found.fun) < lowest:
                best, lowest = np.asarray(found.x, dtype=float), float(found.fun)
        return InteractionFit(self.hyperparameters(best), self.log_marginal(best))

    def _starts(self, medians: FloatArray, warm: InteractionHyperparameters | None) -> list[FloatArray]:
        starts = [] if warm is None else [self.theta(warm)]
        scales = 1 if self.shared else self.dimension
        for scale, variance in COLD_STARTS:
            start = medians.copy()
            start[:scales] += math.log(scale)
            start[scales : scales + ORDERS] += math.log(variance)
            starts.append(start)
        return starts

    def _natural(self, theta: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        scales = 1 if self.shared else self.dimension
        lengths = np.broadcast_to(np.exp(theta[:scales]), self.dimension)
        noise = math.exp(theta[-1]) if self.noise_variance is None else self.noise_variance
        return lengths, np.exp(theta[scales : scales + ORDERS]), noise

    def _weights(self, variances: FloatArray) -> tuple[float, float]:
        return order_weights((float(variances[0]), float(variances[1])), self.dimension)

    def _correlations(self, scales: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Squared scaled distances (D, P), correlations (D, P) and their sum (P,)."""
        scaled = self.pairs.squared / (scales**2)[:, None]
        correlations = self.family.correlation(scaled)
        return scaled, correlations, correlations.sum(axis=0)

    def _scale_slopes(
        self, scaled: FloatArray, correlations: FloatArray, total: FloatArray, variances: FloatArray
    ) -> FloatArray:
        """(D, P) dK / d log l_p, over -2."""
        single, double = self._weights(variances)
        slopes = self.family.slope(scaled)
        slopes *= scaled
        slopes *= single + double * (total - correlations)
        return slopes

    def _symmetric(self, pairs: FloatArray, diagonal: float) -> FloatArray:
        n = len(self.pairs)
        matrix: FloatArray = squareform(pairs, checks=False) if n > 1 else np.zeros((n, n))
        matrix.flat[:: n + 1] = diagonal
        return matrix

    def _factorise(self, off_diagonal: FloatArray, variances: FloatArray, noise: float) -> Factorisation:
        prior_variance = float(variances.sum())
        K = self._symmetric(off_diagonal, prior_variance + noise)
        K.flat[:: len(self.pairs) + 1] += self.pairs.extra_noise
        return cholesky(K, scale=prior_variance)
