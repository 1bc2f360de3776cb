"""Hyperparameters of one kernel that several outputs share: the likeliest, by L-BFGS-B, and others as draws.

Notation: q outputs, theta the logarithms of what is free: length-scales, variance, and noise variance where
that is not known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.shared_kernel import independent, shared_evidence, shared_log_evidence
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.fits.samples import slice_sweep
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, LogNormals, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import LEAST_POSITIVE, Hyperparameters

# theta is searched this many of the prior's deviations either side of its median.
REACH = 3.0
STARTS, ITERATIONS = 2, 40
_SPREAD_OF_STARTS = 1.5
BURN_IN, SWEEPS_BETWEEN = 10, 3
"""Sweeps before the first draw, and before each further one."""
_TOLERANCES = {"ftol": 1e-9, "gtol": 1e-5}


@dataclass(frozen=True, eq=False, slots=True)
class SharedKernelPosterior:
    """The log density of theta given (n, q) standardised values ``Y``, n >= 1, at the inputs of ``data``.
    ``noise_variance``: None infers it, a number holds it.
    """

    family: KernelFamily
    data: Data
    Y: FloatArray
    prior: Prior
    noise_variance: float | None = None

    @property
    def beliefs(self) -> list[LogNormal]:
        """In theta beforehand."""
        free = [self.prior.length_scale] * self.data.dimension + [self.prior.variance]
        return free + ([self.prior.noise_variance] if self.noise_variance is None else [])

    @property
    def bounds(self) -> FloatArray:
        """(k, 2) of theta."""
        return LogNormals.of(self.beliefs).within(REACH)

    def hyperparameters(self, theta: FloatArray) -> Hyperparameters:
        """What theta says."""
        aspects = self.data.dimension
        noise = math.exp(theta[aspects + 1]) if self.noise_variance is None else self.noise_variance
        return Hyperparameters(tuple(np.exp(theta[:aspects]).tolist()), math.exp(theta[aspects]), noise)

    def theta(self, values: Hyperparameters) -> FloatArray:
        """The inverse, held within the bounds."""
        free = [*values.length_scales, values.variance]
        free += [max(values.noise_variance, LEAST_POSITIVE)] if self.noise_variance is None else []
        return np.asarray(np.clip(np.log(free), *self.bounds.T))

    def log_prior(self, theta: FloatArray) -> float:
        """Of what is believed beforehand."""
        return sum(float(belief.log_density(at)) for belief, at in zip(self.beliefs, theta, strict=True))

    def log_density(self, theta: FloatArray, share: float) -> float:
        """Up to a constant, of outputs of which a ``share`` is independent: minus infinity outside of the
        bounds, and where nothing can be factorised.
        """
        low, high = self.bounds.T
        if (theta < low).any() or (theta > high).any():
            return -math.inf
        own = self.hyperparameters(theta)
        kernel = own.kernel(self.family, self.data.embedded_parameter)
        try:
            found = shared_log_evidence(kernel, self.data, self.Y, own.noise_variance, share)
        except FactorisationError:
            return -math.inf
        return found + self.log_prior(theta)

    def log_density_and_slopes(self, theta: FloatArray, share: float) -> tuple[float, FloatArray]:
        """The same with its (k,) slopes, anywhere. Raises FactorisationError where there is no factor."""
        own, aspects, beliefs = self.hyperparameters(theta), self.data.dimension, self.beliefs
        kernel = own.kernel(self.family, self.data.embedded_parameter)
        found = shared_evidence(kernel, self.data, self.Y, own.noise_variance, share)
        pairs = list(zip(beliefs, theta, strict=True))
        gradient = np.array([float(belief.log_density_slope(at)) for belief, at in pairs])
        gradient[:aspects] += found.by_length_scale
        gradient[aspects] += found.by_variance
        if self.noise_variance is None:
            gradient[aspects + 1] += found.by_noise
        return found.value + self.log_prior(theta), gradient

    def drawn(self, begun: Hyperparameters, count: int, rng: np.random.Generator) -> list[Hyperparameters]:
        """So many draws of a chain that begins at hyperparameters, by slice sampling."""
        share = independent(self.Y) / self.Y.shape[1]
        theta, draws = self.theta(begun), list[Hyperparameters]()
        for number in range(count):
            for _ in range(SWEEPS_BETWEEN if number else BURN_IN):
                theta = slice_sweep(lambda at: self.log_density(at, share), theta, rng)
            draws.append(self.hyperparameters(theta))
        return draws


def fit_shared(
    family: KernelFamily,
    data: Data,
    Y: FloatArray,
    prior: Prior,
    rng: np.random.Generator,
    noise_variance: float | None = None,
) -> tuple[Hyperparameters, float]:
    """The likeliest for (n, q) standardised values ``Y``, n >= 1, at the inputs of ``data``, and the log
    density there, by which families are compared. ``noise_variance``: None infers it, a number holds it.

    Raises FactorisationError if no start gives a covariance that can be factorised.
    """
    posterior, share = (
        SharedKernelPosterior(family, data, Y, prior, noise_variance),
        independent(Y) / Y.shape[1],
    )

    def log_posterior(theta: FloatArray) -> tuple[float, FloatArray]:
        return posterior.log_density_and_slopes(theta, share)

    believed = LogNormals.of(posterior.beliefs)
    starts = [believed.medians]
    for _ in range(STARTS - 1):
        step = rng.uniform(-_SPREAD_OF_STARTS, _SPREAD_OF_STARTS, size=len(posterior.beliefs))
        starts.append(believed.medians + step * believed.deviations)
    best = highest_mode(log_posterior, starts, posterior.bounds, ITERATIONS, _TOLERANCES)
    return posterior.hyperparameters(best), log_posterior(best)[0]
