"""Multiples of known functions with detail besides, drawn from the prior.

Notation: that of `covariances.related` and `drawn_functions`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.covariances.related import RelatedKernel
from orchestrator.surrogates.draws.drawn_functions import FeatureFunctions


@dataclass(frozen=True, eq=False, slots=True)
class RelatedFunctions:
    """``level`` (S,) and ``multiples`` (S, J) of what is ``known``; and ``detail``."""

    known: tuple[PosteriorMean, ...]
    level: FloatArray
    multiples: FloatArray
    detail: FeatureFunctions

    @classmethod
    def from_prior(
        cls, covariance: RelatedKernel, columns: int, frequencies: int, count: int, rng: np.random.Generator
    ) -> RelatedFunctions:
        """``count`` draws from a centred process, whose detail has so many ``frequencies``."""
        deviations = np.sqrt(covariance.variances)
        return cls(
            covariance.known,
            rng.standard_normal((count, len(deviations))) @ deviations,
            rng.standard_normal((count, len(deviations))) * deviations,
            FeatureFunctions.from_prior(covariance.detail, columns, frequencies, count, rng),
        )

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        known = np.array([known.values(X) for known in self.known])
        drawn: FloatArray = self.level[:, None] + self.multiples @ known + self.detail.values(X)
        return drawn

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        values, gradients = self.detail.values_and_gradients(X, which)
        values = values + self.level[which]
        for known, multiples in zip(self.known, self.multiples.T, strict=True):
            own = multiples[which]
            values = values + own * known.values(X)
            gradients = gradients + own[:, None] * known.gradients(X)
        return values, gradients
