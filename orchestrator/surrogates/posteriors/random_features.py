"""Gaussian processes approximated by random Fourier features: a Bayesian linear model in 2D features.

Lu et al. 2022, Appendix A: a stationary kernel of variance s2 is s2 phi(x)' phi(x') on average over
frequencies drawn from its spectral density, so that f(x) = phi(x)' theta with theta ~ N(0, s2 I).

The posterior is kept as a square root of the information: R upper triangular with R'R = I/s2 + sum of
phi phi'/noise, and z with R theta_mean = z. A new observation is one row rotated into [R z] (orthogonal
transformations only, O(D^2) whatever n is), which loses no digits where a recursion on the covariance
(Eq. 11, with which it agrees) loses them when the noise is small.

Notation: D frequencies, E embedded inputs, n points, X (n, E) inputs, V (D, E) frequencies, phi features,
theta their weights, R and z as above, rho the root of the residual sum of squares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.linalg.lapack import dtpqrt, dtrtri, dtrtrs

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.fourier_features import FeatureFunction, FourierFeatures
from orchestrator.surrogates.posteriors.moments import PosteriorGradients, above_rounding

LOG_TWO_PI = math.log(2 * math.pi)
# The columns that LAPACK rotates together when a row is added.
ROTATION_BLOCK = 16
# Rows triangularised at a time: blocks that the processor's caches hold are several times as fast.
ROWS_AT_ONCE = 1024


@dataclass(frozen=True, eq=False)
class RandomFeatureModel:
    """A posterior over theta. A value: conditioning makes another one.

    ``variance`` is that of the prior. ``noise_variance`` is that of every observation, to which a reported
    one is added; together they must be above 0. ``triangle`` is (2D + 1, 2D + 1), [[R, z], [0, rho]].
    ``evidence_terms`` is what the log evidence has from the prior and the noise variances alone.
    """

    features: FourierFeatures
    variance: float
    noise_variance: float
    triangle: FloatArray
    evidence_terms: float

    @classmethod
    def prior(cls, features: FourierFeatures, variance: float, noise_variance: float) -> RandomFeatureModel:
        """theta ~ N(0, variance I) (Eq. 16), and nothing observed."""
        triangle = np.zeros((features.count + 1, features.count + 1), order="F")
        diagonal = np.arange(features.count)
        triangle[diagonal, diagonal] = 1 / math.sqrt(variance)
        return cls(features, variance, noise_variance, triangle, -features.count * math.log(variance))

    def condition_on_batch(
        self, X: FloatArray, y: FloatArray, variances: Sequence[float] | FloatArray | float = 0.0
    ) -> RandomFeatureModel:
        """Many observations at once (Eq. 17): X (n, E), y (n,), reported noise variances (n,) or one for all.

        O(n D^2) time and O(D^2) memory, by orthogonal triangularisations.
        """
        if len(y) == 0:
            return self
        noise = self.noise_variance + np.broadcast_to(np.asarray(variances, dtype=float), y.shape)
        triangle = self.triangle
        for start in range(0, len(y), ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            rows = np.column_stack([self.features.values(X[some]), y[some]]) / np.sqrt(noise[some])[:, None]
            triangle = np.asarray(np.linalg.qr(np.vstack([triangle, rows]), mode="r"))
        terms = self.evidence_terms - float(np.sum(np.log(noise))) - len(y) * LOG_TWO_PI
        return replace(self, triangle=np.asfortranarray(triangle), evidence_terms=terms)

    def condition(self, x: FloatArray, y: float, variance: float = 0.0) -> tuple[RandomFeatureModel, float]:
        """The posterior with one more observation (Eq. 11), and the log predictive density it had (Eq. 10).

        x is (E,). O(D^2).
        """
        phi = self.features.values(x[None, :])
        noise = self.noise_variance + variance
        spread = self._scaled(phi)[:, 0]
        predictive = float(spread @ spread) + noise
        residual = y - float(spread @ self.triangle[:-1, -1])
        density = -0.5 * (LOG_TWO_PI + math.log(predictive) + residual**2 / predictive)
        row = np.append(phi[0], y)[None, :] / math.sqrt(noise)
        block = min(ROTATION_BLOCK, len(self.triangle))
        triangle, _, _, _ = dtpqrt(0, block, self.triangle, np.asfortranarray(row))
        terms = self.evidence_terms - math.log(noise) - LOG_TWO_PI
        return replace(self, triangle=triangle, evidence_terms=terms), density

    def hallucinated(self, X: FloatArray, extra_noise: float = 0.0) -> RandomFeatureModel:
        """As if (p, E) points had been observed at their means, each with so much more noise variance than
        all have: the mean stays, the variance shrinks.
        """
        model = self
        for x, mean in zip(X, self.features.values(X) @ self.mean_weights, strict=True):
            model, _ = model.condition(x, float(mean), extra_noise)
        return model

    def to_bytes(self) -> bytes:
        """What was learned, exact to the bit: 8 (2D + 1)^2 + 8 bytes, which `restored` reads."""
        return np.append(self.triangle.ravel(order="F"), self.evidence_terms).astype("<f8").tobytes()

    def restored(self, learned: bytes) -> RandomFeatureModel:
        """This prior with what `to_bytes` wrote of a model with the same one.

        Raises ValueError for bytes that cannot come from a model with so many features.
        """
        side = self.features.count + 1
        if len(learned) != 8 * (side * side + 1):
            raise ValueError(
                f"expected the {8 * (side * side + 1)} bytes of a model with {self.features.count} features, "
                f"got {len(learned)}"
            )
        numbers = np.frombuffer(learned, dtype="<f8").astype(float)
        triangle = numbers[:-1].reshape((side, side), order="F")
        return replace(self, triangle=triangle, evidence_terms=float(numbers[-1]))

    @property
    def log_evidence(self) -> float:
        """log p(y | X) of everything conditioned on: the batch form of the marginal likelihood in Eq. 7."""
        diagonal = np.abs(np.diagonal(self.triangle))
        return 0.5 * (self.evidence_terms - float(diagonal[-1]) ** 2) - float(np.sum(np.log(diagonal[:-1])))

    @cached_property
    def mean_weights(self) -> FloatArray:
        """(2D,) the posterior mean of theta."""
        return self._solve(self.triangle[:-1, -1])

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances of f (without noise) at (n, E) inputs."""
        phi = self.features.values(X)
        spread = self._scaled(phi)
        return phi @ self.mean_weights, self._held(np.einsum("ij,ij->j", spread, spread))

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The posterior of f and its gradients at (n, E) inputs."""
        phi = self.features.values(X)
        spread = phi @ self._covariance_root
        return PosteriorGradients(
            phi @ self.mean_weights,
            self._held(np.einsum("ij,ij->i", spread, spread)),
            self.features.gradients(phi, self.mean_weights),
            2 * self.features.gradients(phi, spread @ self._covariance_root.T),
        )

    def draw(self, rng: np.random.Generator) -> FeatureFunction:
        """A function from the posterior: theta = theta_mean + R^-1 e with e standard normal (Eq. 9)."""
        e = rng.standard_normal(self.features.count)
        return FeatureFunction(self.features, self._solve(self.triangle[:-1, -1] + e))

    @cached_property
    def _covariance_root(self) -> FloatArray:
        """(2D, 2D) R^-1, whose product with its transpose is the covariance of theta."""
        root, info = dtrtri(self.triangle[:-1, :-1])
        _check(info)
        return np.asarray(root)

    def _held(self, variances: FloatArray) -> FloatArray:
        return above_rounding(variances, self.variance)

    def _solve(self, right: FloatArray) -> FloatArray:
        solution, info = dtrtrs(self.triangle[:-1, :-1], right)
        _check(info)
        return np.asarray(solution)

    def _scaled(self, phi: FloatArray) -> FloatArray:
        """(2D, n) R'^-1 phi', whose columns' squared lengths are predictive variances."""
        scaled, info = dtrtrs(self.triangle[:-1, :-1], phi.T, trans=1)
        _check(info)
        return np.asarray(scaled)


def _check(info: int) -> None:
    if info != 0:
        raise FloatingPointError(f"expected a triangular factor of full rank, LAPACK reports info = {info}")
