"""Gaussian processes of one function, under hyperparameters drawn from their posterior.

Few results say little of how fast a function changes. What is drawn is as unsure as they leave it, and what
follows is believed under all draws together: one that changes fast counts as much as it is likely.

Notation: S draws, n results, k points, E embedded columns, L aspects; theta the logarithms of L
length-scales, of the variance and, where there is noise, of its variance.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.gaussian_process.kernel_dictionary import FAMILIES
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import log_evidence
from orchestrator.surrogates.fits.samples import slice_sweep
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation

FAMILY = FAMILIES["matern-5/2"]
# How many are drawn, after how many sweeps of the sampler at first, and how many between two of them.
DRAWS, BURN_IN, SWEEPS = 16, 8, 1
# More results than that say nothing more of hyperparameters, and each costs a sweep its cube.
MOST_SAMPLED = 150
# Of values that are known to have no noise: what rounding leaves.
NO_NOISE = 1e-8


@dataclass(frozen=True, slots=True)
class LogNormal:
    """A prior of something positive by its ``median`` and the ``deviation`` of its logarithm, 0 outside of
    ``ends``.
    """

    median: float
    deviation: float
    ends: tuple[float, float]

    def log_density(self, logarithm: float) -> float:
        """Of a logarithm, up to a constant."""
        if not math.log(self.ends[0]) <= logarithm <= math.log(self.ends[1]):
            return -math.inf
        return -0.5 * ((logarithm - math.log(self.median)) / self.deviation) ** 2


def smooth(dimension: int) -> LogNormal:
    """Length-scales of what may change fast or slowly, in the unit cube of so many coordinates."""
    return LogNormal(0.3 * math.sqrt(dimension), 0.8, (0.01, 30.0))


# Of standardised values.
VARIANCE = LogNormal(1.0, 1.0, (0.05, 100.0))
SOME_NOISE = LogNormal(1e-3, 1.2, (1e-6, 1.0))


@dataclass(frozen=True, slots=True)
class Priors:
    """Of length-scales in the unit cube, and of the variance that noise has; None where values are exact, or
    bring their own.
    """

    length_scale: LogNormal
    noise_variance: LogNormal | None = SOME_NOISE


@dataclass(frozen=True, eq=False, slots=True)
class DrawnModels:
    """S posteriors, all as likely, of a function on its ``scale``."""

    posteriors: tuple[ExactGP, ...]
    drawn: tuple[Hyperparameters, ...]
    scale: Standardisation

    @classmethod
    def of(cls, data: Data, scale: Standardisation, priors: Priors, rng: np.random.Generator) -> DrawnModels:
        """Conditioned on standardised ``data``, of which there must be some: O(S n^3)."""
        rows = np.arange(len(data.y))
        if len(rows) > MOST_SAMPLED:
            rows = np.sort(rng.choice(len(rows), MOST_SAMPLED, replace=False))
        seen, aspects = data.take(rows), data.dimension

        def log_density(theta: FloatArray) -> float:
            own = _hyperparameters(theta, aspects)
            logs = [priors.length_scale.log_density(float(log)) for log in theta[:aspects]]
            logs.append(VARIANCE.log_density(float(theta[aspects])))
            if priors.noise_variance is not None:
                logs.append(priors.noise_variance.log_density(float(theta[aspects + 1])))
            if -math.inf in logs:
                return -math.inf
            try:
                kernel = own.kernel(FAMILY, data.embedded_parameter)
                return sum(logs) + log_evidence(kernel, seen, own.noise_variance)
            except FactorisationError:
                return -math.inf

        noise = [] if priors.noise_variance is None else [priors.noise_variance]
        medians = [*[priors.length_scale] * aspects, VARIANCE, *noise]
        theta = np.log([prior.median for prior in medians])
        posteriors, drawn = [], []
        for draw in range(DRAWS):
            for _ in range(SWEEPS + (BURN_IN if draw == 0 else 0)):
                theta = slice_sweep(log_density, theta, rng)
            own = _hyperparameters(theta, aspects)
            posterior = ExactGP(own.kernel(FAMILY, data.embedded_parameter), own.noise_variance)
            posterior.append(data.X, data.y, data.extra_noise)
            posteriors.append(posterior)
            drawn.append(own)
        return cls(tuple(posteriors), tuple(drawn), scale)

    def thinned(self, count: int) -> DrawnModels:
        """About ``count`` of them, as far apart in the chain as can be."""
        step = max(1, len(self.posteriors) // count)
        return DrawnModels(self.posteriors[step - 1 :: step], self.drawn[step - 1 :: step], self.scale)

    @property
    def noise_variances(self) -> FloatArray:
        """(S,) of an evaluation, standardised."""
        return np.array([posterior.noise_variance for posterior in self.posteriors])

    def moments(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(S, k) means and variances, without noise, standardised, at (k, E) inputs."""
        found = [posterior.mean_and_variance(X) for posterior in self.posteriors]
        return np.array([mean for mean, _ in found]), np.array([variance for _, variance in found])

    def told_of(self, X: FloatArray, target: FloatArray) -> FloatArray:
        """(k,) what part of the variance at a (1, E) ``target`` an evaluation at (k, E) inputs would take
        away, on average over the draws: in [0, 1].
        """
        parts = []
        for posterior in self.posteriors:
            at, there = (posterior.half_solve(_with_known(posterior, Z)) for Z in (X, target))
            covariance = posterior.covariance.matrix(X, target)[:, 0] - at.T @ there[:, 0]
            _, variance = posterior.mean_and_variance(X)
            _, of_target = posterior.mean_and_variance(target)
            parts.append(covariance**2 / ((variance + posterior.noise_variance) * of_target[0]))
        return np.asarray(np.clip(np.mean(parts, axis=0), 0.0, 1.0))

    def share_known(self, X: FloatArray) -> FloatArray:
        """(k,) what part of the variance at (k, E) inputs is explained, on average over the draws."""
        _, variances = self.moments(X)
        prior = np.array([posterior.covariance.diagonal(X) for posterior in self.posteriors])
        return np.asarray((1.0 - variances / prior).mean(axis=0))

    def hallucinating(self, X: FloatArray, *, without_noise: bool = False) -> AbstractContextManager[None]:
        """Within the block (k, E) points count as come out at each model's mean, or as known to be there."""
        return in_all(one.hallucinating(X, without_noise=without_noise) for one in self.posteriors)

    @property
    def typical(self) -> Hyperparameters:
        """The medians of the draws, for people."""
        scales = np.median([one.length_scales for one in self.drawn], axis=0)
        variance = float(np.median([one.variance for one in self.drawn]))
        return Hyperparameters(tuple(scales.tolist()), variance, float(np.median(self.noise_variances)))


def _with_known(posterior: ExactGP, X: FloatArray) -> FloatArray:
    return posterior.covariance.matrix(posterior.inputs, X)


def _hyperparameters(theta: FloatArray, aspects: int) -> Hyperparameters:
    noise = math.exp(theta[aspects + 1]) if len(theta) > aspects + 1 else NO_NOISE
    return Hyperparameters(tuple(np.exp(theta[:aspects]).tolist()), math.exp(theta[aspects]), noise)
