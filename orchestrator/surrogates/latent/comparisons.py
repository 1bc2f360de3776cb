"""What comparisons of pairs say of the differences of a latent utility.

Whoever compares sees each utility with an error, and says which is the higher, or that they cannot tell
where that is less clear than a threshold. Utilities are in units of the deviation of a difference's error;
nothing is said of their level.

Notation: m comparisons, d (m,) the utility of the better less that of the other, tau >= 0 the threshold; Phi
and phi the normal distribution function and its density. p = Phi(d - tau) where one was found better, and
Phi(d + tau) - Phi(d - tau) where they were found alike.
Source: Thurstone 1927, Chu & Ghahramani 2005; ties after Glenn & David 1960.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics import normal
from orchestrator.surrogates.latent.laplace import LEAST_CURVATURE


def threshold(alike: BoolArray) -> float:
    """tau, at which two of which nothing is known but that they differ by about the error are found alike as
    often as (m,) of them were; one more that was not is counted.
    """
    share = float(np.count_nonzero(alike)) / (len(alike) + 1.0)
    return math.sqrt(2.0) * float(ndtri(0.5 * (1.0 + share)))


@dataclass(frozen=True, eq=False, slots=True)
class ComparisonLikelihood:
    """Of (m,) whether each pair was found ``alike``, with the threshold ``tau``, above 0 where any was; see
    `laplace.Likelihood`.
    """

    alike: BoolArray
    tau: float

    @property
    def count(self) -> int:
        """m."""
        return len(self.alike)

    def log_probability(self, d: FloatArray) -> float:
        """log p of all together."""
        decided, tied = d[~self.alike], -np.abs(d[self.alike])
        told = normal.log_distribution(decided - self.tau).sum()
        return float(told + (self._log_tie(tied).sum() if len(tied) else 0.0))

    def derivatives(self, d: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(m,) each; see `laplace.Likelihood`."""
        first, second, third = (np.empty(len(d)) for _ in range(3))
        alike, tau = self.alike, self.tau
        decided = normal.log_distribution_derivatives(d[~alike] - tau)
        first[~alike], second[~alike], third[~alike] = decided
        # Where d is far above 0, p is the small difference of two numbers near 1; it is the same at -d.
        sign, tied = -np.sign(d[alike]), -np.abs(d[alike])
        high, low = tied + tau, tied - tau
        log_p = self._log_tie(tied) if len(tied) else tied
        above, below = (np.exp(normal.log_density(x) - log_p) for x in (high, low))
        g = above - below
        slope = low * below - high * above
        curve = (high * high - 1.0) * above - (low * low - 1.0) * below
        first[alike], second[alike] = sign * g, g * g - slope
        third[alike] = sign * (curve - 3.0 * slope * g + 2.0 * g**3)
        known = second > LEAST_CURVATURE
        return first, np.maximum(second, LEAST_CURVATURE), np.where(known, third, 0.0)

    def _log_tie(self, d: FloatArray) -> FloatArray:
        """Of differences of at most 0."""
        high, low = normal.log_distribution(d + self.tau), normal.log_distribution(d - self.tau)
        return np.asarray(high + np.log1p(-np.exp(low - high)))
