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

from orchestrator.numerics.linalg import cholesky
from orchestrator.surrogates.covariances.covariance import Covariance
from orchestrator.surrogates.covariances.wave import Waves, phases, wave_columns
from orchestrator.surrogates.evidence.data import Data

# Cycles across a parameter's range. Waves this much apart in frequency lose half a cycle from end to end.
SPACING, HIGHEST = 0.5, 32.0
# Frequencies nearer than this are one peak of the score.
SAME_PEAK = 1.0


@dataclass(frozen=True, slots=True)
class LikelyWaves:
    """``waves`` of the variance that Newton's step gives them, which may be negative, and how many standard
    ``deviations`` the score is above what no waves would give.
    """

    waves: Waves
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
    if data.blocks is not None:
        K += data.blocks.matrix
    inverse = cholesky(K, scale=float(covariance.diagonal(data.X[:1])[0])).inverse()
    alpha = inverse @ data.y
    peaks = []
    for frequency in np.arange(2.0 * SPACING, HIGHEST + SPACING, SPACING):
        Z = phases(data.X[:, columns], float(frequency)) / math.sqrt(len(columns))
        within = Z.T @ inverse @ Z
        score = 0.5 * (float(np.square(alpha @ Z).sum()) - float(np.trace(within)))
        information = 0.5 * float(np.square(within).sum())
        waves = Waves(float(frequency), score / information)
        peaks.append(LikelyWaves(waves, score / math.sqrt(information)))
    peaks.sort(key=lambda peak: -peak.deviations)
    chosen: list[LikelyWaves] = []
    for peak in peaks:
        apart = [abs(peak.waves.frequency - other.waves.frequency) for other in chosen]
        if len(chosen) < count and all(gap > SAME_PEAK for gap in apart):
            chosen.append(peak)
    return chosen
