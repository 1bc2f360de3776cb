"""What BOSS measured: the clustering of the CMASS galaxies of its ninth data release.

Chuang et al. 2013, arXiv:1303.4486: five observables at redshift 0.57 and their inverse covariance, as a
Gaussian likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

REDSHIFT: Final = 0.57


@dataclass(frozen=True, slots=True)
class Observable:
    """One measured number. ``symbol`` and ``unit`` are for people; the unit is empty for a pure number."""

    name: str
    symbol: str
    unit: str
    mean: float


OBSERVABLES: Final = (
    Observable("expansion_rate", "H", "km/s/Mpc", 87.6),
    Observable("angular_distance", "D_A", "Mpc", 1396.0),
    Observable("matter_density", "Ω_m h²", "", 0.126),
    Observable("galaxy_amplitude", "b σ₈", "", 1.19),
    Observable("growth_amplitude", "f σ₈", "", 0.428),
)
"""At `REDSHIFT`: the expansion rate, the angular-diameter distance, the density of matter today, and the
amplitudes of the galaxies' clustering and of the growth of structure."""

MEANS: Final[FloatArray] = np.array([observable.mean for observable in OBSERVABLES])
PRECISION: Final[FloatArray] = np.array(
    [
        [0.03850, -0.001141, -13.53, 0.4007, -1.271],
        [-0.001141, 0.0008662, 3.354, -0.1598, -0.3059],
        [-13.53, 3.354, 19370.0, -987.8, -770.0],
        [0.4007, -0.1598, -987.8, 110.8, 78.67],
        [-1.271, -0.3059, -770.0, 78.67, 411.3],
    ]
)
"""The inverse covariance, in the observables' order and units."""

ERRORS: Final[FloatArray] = np.sqrt(np.diag(np.linalg.solve(PRECISION, np.eye(len(MEANS)))))
"""Each observable's standard deviation, whatever the others are."""


def log_likelihood(predicted: FloatArray) -> float:
    """Of five predicted observables: minus half of chi squared, at most 0, as CosmoSIS counts it."""
    missed = predicted - MEANS
    return float(-0.5 * missed @ PRECISION @ missed)
