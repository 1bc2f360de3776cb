"""Paraboloids with detail upon them, drawn from the prior.

Notation: that of `covariances.paraboloid` and `drawn_functions`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.paraboloid import ParaboloidKernel, Paraboloids
from orchestrator.surrogates.covariances.taylor_remainder import TaylorRemainder
from orchestrator.surrogates.draws.drawn_functions import DrawnFunctions, FeatureFunctions


@dataclass(frozen=True, eq=False, slots=True)
class ParaboloidFunctions:
    """``level`` (S,), ``slope`` (S, E) and ``curvature`` (S, E, E), symmetric, by u; and ``detail``."""

    paraboloids: Paraboloids
    level: FloatArray
    slope: FloatArray
    curvature: FloatArray
    detail: DrawnFunctions

    @classmethod
    def from_prior(
        cls, covariance: ParaboloidKernel, frequencies: int, count: int, rng: np.random.Generator
    ) -> ParaboloidFunctions:
        """``count`` draws from a centred process, whose detail has so many ``frequencies``."""
        own, E = covariance.paraboloids, len(covariance.paraboloids.centre)
        deviation = math.sqrt(own.variance)
        # (u_a'u_b)^2 is the covariance of u'G u, with G of E^2 independent numbers; what is off its diagonal
        # counts for as much as the crossing says.
        G = rng.standard_normal((count, E, E))
        G *= np.where(np.eye(E, dtype=bool), 1.0, math.sqrt(own.crossing))
        return cls(
            own,
            deviation * rng.standard_normal(count),
            deviation * math.sqrt(2.0 * own.steepness) * rng.standard_normal((count, E)),
            (0.5 * deviation * own.steepness) * (G + G.transpose(0, 2, 1)),
            _detail(covariance.detail, E, frequencies, count, rng),
        )

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        u = self.paraboloids.within(X)
        bent = np.stack([np.einsum("pe,pe->p", u @ curvature, u) for curvature in self.curvature])
        drawn: FloatArray = self.level[:, None] + self.slope @ u.T + bent + self.detail.values(X)
        return drawn

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        u, slope = self.paraboloids.within(X), self.slope[which]
        turned = np.empty(u.shape)
        # A matrix of every point's own would fill the memory where categories make many columns.
        for s in np.unique(which):
            own = which == s
            turned[own] = np.einsum("pe,ef->pf", u[own], self.curvature[s])
        values, gradients = self.detail.values_and_gradients(X, which)
        values = values + self.level[which] + np.einsum("pe,pe->p", u, slope + turned)
        return values, gradients + (slope + 2.0 * turned) / self.paraboloids.radius


@dataclass(frozen=True, eq=False, slots=True)
class RemainderFunctions:
    """What grows from a point: ``even`` functions times the growth of a ``remainder``."""

    remainder: TaylorRemainder
    even: FeatureFunctions

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        return self.even.values(X) * self.remainder.growth(X)

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        values, gradients = self.even.values_and_gradients(X, which)
        grown = self.remainder.growth(X)
        by_growth = values[:, None] * self.remainder.growth_gradient(X)
        return values * grown, gradients * grown[:, None] + by_growth


def _detail(
    covariance: Kernel | TaylorRemainder, columns: int, frequencies: int, count: int, rng: np.random.Generator
) -> DrawnFunctions:
    if isinstance(covariance, TaylorRemainder):
        even = FeatureFunctions.from_prior(covariance.kernel, columns, frequencies, count, rng)
        return RemainderFunctions(covariance, even)
    return FeatureFunctions.from_prior(covariance, columns, frequencies, count, rng)
