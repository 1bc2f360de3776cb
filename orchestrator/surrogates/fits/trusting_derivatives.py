"""Hyperparameters and which derivatives are right, the likeliest together: one that is wrong would be taken
for the noise of all derivatives, and noise so large contradicts none.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import BoolArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.evidence.trusted_derivatives import Trust, trust_of
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData
from orchestrator.surrogates.fits.with_derivatives import (
    RATIO,
    DerivativeHyperparameters,
    fit_with_derivatives,
)

ROUNDS = 3
RATIOS = (1e-3, 1e-6)
"""Of derivatives' noise, that all may have but those that are wrong."""


def fit_trusting_derivatives(
    family: KernelFamily, data: DerivativeData, noise_variance: float | None = None
) -> tuple[DerivativeHyperparameters, BoolArray]:
    """As `fit_with_derivatives`, of the (N,) rows that are kept, which are found in turn with the rest."""
    own, kept = fit_with_derivatives(family, data, noise_variance), np.ones(len(data.y), dtype=bool)
    for _ in range(ROUNDS):
        if not own.ratio:
            break
        found = _likeliest(family, data, own)
        if np.array_equal(found.kept, kept):
            break
        kept = found.kept
        own = fit_with_derivatives(family, data.of(kept), noise_variance)
    return own, kept


def _likeliest(family: KernelFamily, data: DerivativeData, own: DerivativeHyperparameters) -> Trust:
    """With the noise of derivatives that was found, or less."""
    kernel = own.kernel(family, data.aspects)
    ratios = [own.ratio, *(ratio for ratio in RATIOS if ratio < own.ratio)]
    found = [trust_of(kernel, data, own.noise_variance, ratio) for ratio in ratios]
    prior = RATIO.log_density(np.log(ratios))
    return found[int(np.argmax([one.score + own for one, own in zip(found, prior, strict=True)]))]
