"""Whether values that a model explains as they are show waves beside, and of which frequency.

The evidence of a frequency is a needle in a haystack, which no climb finds. But how steeply the evidence
rises as waves are let in, at a variance of 0, is known for all frequencies at the cost of one factorisation:
Rao's score test for a component of variance (Rasmussen & Williams 2006, Eq. 5.9, at the boundary).

Notation: n values y of covariance K, alpha = K^-1 y, C = Z Z' (n, n) the waves' covariance at unit variance
with Z (n, 2C) their `phases`; score = (alpha' C alpha - tr K^-1 C) / 2, whose variance is the information
tr (K^-1 C K^-1 C) / 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.numerics.linalg import cholesky
from orchestrator.surrogates.evidence import Data
from orchestrator.surrogates.kernels import Covariance
from orchestrator.surrogates.wave_kernel import phases, wave_columns

FloatArray = NDArray[np.float64]

# Cycles across a parameter's range. Waves this much apart in frequency lose half a cycle from end to end.
SPACING, HIGHEST = 0.5, 32.0
# Frequencies nearer than this are one peak of the score.
SAME_PEAK = 1.0


@dataclass(frozen=True, slots=True)
class LikelyWaves:
    """A ``frequency`` in cycles across a parameter's range, the ``variance`` that Newton's step gives it, and
    how many standard ``deviations`` the score is above what no waves would give.
    """

    frequency: float
    variance: float
    deviations: float


def likely_waves(data: Data, covariance: Covariance, noise_variance: float, count: int) -> list[LikelyWaves]:
    """The ``count`` likeliest, none near another, the likeliest first; none where all inputs are categories.

    Raises FactorisationError.
    """
    columns = wave_columns(data.embedded_parameter)
    if len(columns) == 0:
        return []
    K = covariance.matrix(data.X)
    K.flat[:: len(K) + 1] += noise_variance + (0.0 if data.extra_noise is None else data.extra_noise)
    inverse = cholesky(K, scale=float(covariance.diagonal(data.X[:1])[0])).inverse()
    alpha = inverse @ data.y
    peaks = []
    for frequency in np.arange(2.0 * SPACING, HIGHEST + SPACING, SPACING):
        Z = phases(data.X[:, columns], float(frequency)) / math.sqrt(len(columns))
        within = Z.T @ inverse @ Z
        score = 0.5 * (float(np.square(alpha @ Z).sum()) - float(np.trace(within)))
        information = 0.5 * float(np.square(within).sum())
        peaks.append(LikelyWaves(float(frequency), score / information, score / math.sqrt(information)))
    peaks.sort(key=lambda waves: -waves.deviations)
    chosen: list[LikelyWaves] = []
    for waves in peaks:
        if len(chosen) < count and all(abs(waves.frequency - c.frequency) > SAME_PEAK for c in chosen):
            chosen.append(waves)
    return chosen
