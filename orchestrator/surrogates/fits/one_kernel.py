"""Maximum a posteriori hyperparameters of one kernel, by L-BFGS-B from several starts.

Notation: theta the logarithms of what is free: length-scales, then variance, then noise variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import evidence
from orchestrator.surrogates.evidence.thinning import subsample
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, LogNormals, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import LEAST_POSITIVE, Hyperparameters, KernelTemplate

# theta is searched this many of the prior's deviations either side of its median.
_REACH = 3.0
_SPREAD_OF_STARTS = 1.5
# From this many observations on, evidence is sharp and dear: one start beside the warm one, short searches.
_MANY = 300
_STARTS_OF_MANY = 2
_ITERATIONS_OF_MANY = 40
_TOLERANCES = {"ftol": 1e-9, "gtol": 1e-5}


@dataclass(frozen=True, slots=True)
class Search:
    """How hard to look.

    ``starts`` counts the warm start, if given, the prior's median, and draws from the prior for the rest;
    each takes at most ``iterations`` steps. From 300 observations on both are cut, to 2 and 40. Beyond
    ``largest`` observations the fit sees that many of them: see `subsample`.
    """

    starts: int = 4
    iterations: int = 80
    largest: int = 600
    warm: Hyperparameters | None = None


@dataclass(frozen=True, eq=False, slots=True)
class _Target:
    """The log posterior as a function of theta."""

    template: KernelTemplate
    data: Data
    prior: Prior
    noise_variance: float | None

    @property
    def length_scales(self) -> int:
        return self.template.free_length_scales(self.data.dimension)

    def priors(self) -> list[LogNormal]:
        beliefs = [self.prior.length_scale] * self.length_scales + [self.prior.variance]
        return beliefs if self.noise_variance is not None else [*beliefs, self.prior.noise_variance]

    def hyperparameters(self, theta: FloatArray) -> Hyperparameters:
        free, dimension = self.length_scales, self.data.dimension
        if self.template.fixed_length_scale is not None:
            scales = [self.template.fixed_length_scale] * dimension
        else:
            scales = [float(scale) for scale in np.exp(theta[:free])] * (dimension if free < dimension else 1)
        noise = self.noise_variance if self.noise_variance is not None else math.exp(theta[free + 1])
        return Hyperparameters(tuple(scales), math.exp(theta[free]), noise)

    def theta(self, hyperparameters: Hyperparameters) -> FloatArray:
        """The inverse; length-scales that are tied are averaged."""
        logs = np.log(hyperparameters.length_scales)
        free = self.length_scales
        parts = [logs if free == len(logs) else np.full(free, logs.mean())]
        parts.append(np.log([hyperparameters.variance]))
        if self.noise_variance is None:
            parts.append(np.log([max(hyperparameters.noise_variance, LEAST_POSITIVE)]))
        return np.concatenate(parts)

    def log_prior(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Log density and its gradient."""
        pairs = list(zip(self.priors(), theta, strict=True))
        slopes = np.array([belief.log_density_slope(value) for belief, value in pairs], dtype=float)
        return sum(float(belief.log_density(value)) for belief, value in pairs), slopes

    def log_posterior(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Up to a constant, and its gradient. Raises FactorisationError."""
        values = self.hyperparameters(theta)
        kernel = values.kernel(self.template.family, self.data.embedded_parameter)
        found = evidence(kernel, self.data, values.noise_variance)
        free = self.length_scales
        log_prior, gradient = self.log_prior(theta)
        if free:
            by_scale = found.by_length_scale
            gradient[:free] += by_scale if free == len(by_scale) else by_scale.sum()
        gradient[free] += found.by_variance
        if self.noise_variance is None:
            gradient[free + 1] += found.by_noise
        return found.value + log_prior, gradient


def fit(
    template: KernelTemplate,
    data: Data,
    prior: Prior,
    rng: np.random.Generator,
    noise_variance: float | None = None,
    search: Search | None = None,
) -> Hyperparameters:
    """The likeliest given ``data`` and ``prior``. Pure: the same arguments, the same answer.

    ``noise_variance`` is what all observations share: None infers it (noise unknown), a number holds it
    there (known; 0 for a deterministic objective, or where every observation reports its own).

    Survives no observations (the prior's medians), one, constant values and duplicated inputs. Raises
    FactorisationError if no start gives a covariance that can be factorised.
    """
    search = search or Search()
    seen = subsample(data, search.largest, rng)
    target = _Target(template, seen, prior, noise_variance)
    believed = LogNormals.of(target.priors())
    medians, bounds = believed.medians, believed.within(_REACH)
    best = medians
    if len(seen.y):
        starts = [medians]
        if search.warm is not None:
            starts.insert(0, np.clip(target.theta(search.warm), bounds[:, 0], bounds[:, 1]))
        many = len(seen.y) >= _MANY
        count = min(search.starts, _STARTS_OF_MANY) if many else search.starts
        for _ in range(count - len(starts)):
            step = rng.uniform(-_SPREAD_OF_STARTS, _SPREAD_OF_STARTS, size=len(medians))
            starts.append(medians + step * believed.deviations)
        iterations = min(search.iterations, _ITERATIONS_OF_MANY) if many else search.iterations
        best = highest_mode(target.log_posterior, starts[: max(count, 1)], bounds, iterations, _TOLERANCES)
    return target.hyperparameters(best)
