"""Maximum a posteriori hyperparameters of one kernel that several outputs share, by L-BFGS-B.

Notation: q outputs, theta the logarithms of what is free: length-scales, variance, and noise variance where
that is not known.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.shared_kernel import independent, shared_evidence
from orchestrator.surrogates.fits.mode_search import highest_mode
from orchestrator.surrogates.hyperparameters.beliefs import LogNormals, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters

# theta is searched this many of the prior's deviations either side of its median.
REACH = 3.0
STARTS, ITERATIONS = 2, 40
_SPREAD_OF_STARTS = 1.5
_TOLERANCES = {"ftol": 1e-9, "gtol": 1e-5}


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
    aspects, share = data.dimension, independent(Y) / Y.shape[1]
    beliefs = [prior.length_scale] * aspects + [prior.variance]
    beliefs += [prior.noise_variance] if noise_variance is None else []
    believed = LogNormals.of(beliefs)

    def hyperparameters(theta: FloatArray) -> Hyperparameters:
        noise = math.exp(theta[aspects + 1]) if noise_variance is None else noise_variance
        return Hyperparameters(tuple(np.exp(theta[:aspects]).tolist()), math.exp(theta[aspects]), noise)

    def log_posterior(theta: FloatArray) -> tuple[float, FloatArray]:
        own = hyperparameters(theta)
        kernel = own.kernel(family, data.embedded_parameter)
        found = shared_evidence(kernel, data, Y, own.noise_variance, share)
        pairs = list(zip(beliefs, theta, strict=True))
        gradient = np.array([float(belief.log_density_slope(at)) for belief, at in pairs])
        gradient[:aspects] += found.by_length_scale
        gradient[aspects] += found.by_variance
        if noise_variance is None:
            gradient[aspects + 1] += found.by_noise
        return found.value + sum(float(belief.log_density(at)) for belief, at in pairs), gradient

    starts = [believed.medians]
    for _ in range(STARTS - 1):
        step = rng.uniform(-_SPREAD_OF_STARTS, _SPREAD_OF_STARTS, size=len(beliefs))
        starts.append(believed.medians + step * believed.deviations)
    best = highest_mode(log_posterior, starts, believed.within(REACH), ITERATIONS, _TOLERANCES)
    return hyperparameters(best), log_posterior(best)[0]
