"""Maximum a posteriori hyperparameters of a function of which derivatives are observed, too, by L-BFGS-B.

Notation: theta the logarithms of what is free: length-scales, variance, the values' noise variance where that
is not known, and the ratio of the derivatives' noise to their variance where there are some.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.with_derivatives import OF_A_VALUE, WithDerivatives, along
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData, evidence_with_derivatives
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, LogNormals, Prior

REACH, ITERATIONS = 3.0, 40
_TOLERANCES = {"ftol": 1e-7, "gtol": 1e-4}
NOISE = LogNormal(1e-4, 3.0)
RATIO = LogNormal(1e-4, 3.5)
"""Derivatives are nearly exact, or they are wrong altogether: then it is more than 1."""


@dataclass(frozen=True, slots=True)
class DerivativeHyperparameters:
    """Length-scales of aspects, the variance, the values' noise variance, and ``ratio``, the derivatives'
    noise variance in parts of what they vary by beforehand, 0 where there are none.
    """

    length_scales: tuple[float, ...]
    variance: float
    noise_variance: float
    ratio: float

    def kernel(self, family: KernelFamily, aspects: IndexArray) -> WithDerivatives:
        """On embedded inputs; ``aspects`` (E,) is `Domain.embedded_aspect`."""
        return WithDerivatives(family, np.array(self.length_scales)[aspects], self.variance)

    def to_json(self) -> Mapping[str, Any]:
        """JSON values, exact to the bit."""
        told = {
            "length_scales": list(self.length_scales),
            "variance": self.variance,
            "noise_variance": self.noise_variance,
        }
        return told | ({"derivative_noise_ratio": self.ratio} if self.ratio else {})


def fit_with_derivatives(
    family: KernelFamily, data: DerivativeData, noise_variance: float | None = None
) -> DerivativeHyperparameters:
    """The likeliest, of which a search from the prior's medians finds the mode. ``noise_variance``: None
    infers that of values, a number holds it. Deterministic.

    Raises FactorisationError if nothing on the way gives a covariance that can be factorised.
    """
    aspects, prior = data.dimension, Prior.for_dimension(data.dimension)
    beliefs = [prior.length_scale] * aspects + [prior.variance]
    has_noise, has_ratio = noise_variance is None, bool((along(data.rows) != OF_A_VALUE).any())
    beliefs += [NOISE] * has_noise + [RATIO] * has_ratio
    believed = LogNormals.of(beliefs)

    def hyperparameters(theta: FloatArray) -> DerivativeHyperparameters:
        noise = math.exp(theta[aspects + 1]) if noise_variance is None else noise_variance
        ratio = math.exp(theta[-1]) if has_ratio else 0.0
        return DerivativeHyperparameters(
            tuple(np.exp(theta[:aspects]).tolist()), math.exp(theta[aspects]), noise, ratio
        )

    def log_posterior(theta: FloatArray) -> tuple[float, FloatArray]:
        own = hyperparameters(theta)
        kernel = own.kernel(family, data.aspects)
        found = evidence_with_derivatives(kernel, data, own.noise_variance, own.ratio)
        slopes = [*found.by_length_scale, found.by_variance]
        slopes += [found.by_noise] * has_noise + [found.by_ratio] * has_ratio
        scores = believed.scores(theta)
        return found.value - 0.5 * float(scores @ scores), np.array(slopes) - scores / believed.deviations

    starts = [believed.medians]
    best = highest_mode(log_posterior, starts, believed.within(REACH), ITERATIONS, _TOLERANCES)
    return hyperparameters(best)
