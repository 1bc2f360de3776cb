"""The hyperparameters of an interaction kernel, and its covariances as a function of them.

Notation: that of `scaled_pairs`; v_1 and v_2 the orders' variances, which theta has behind the length-scales.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.interaction import InteractionKernel, order_weights
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.pair_model import PairCovariances
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs

# Multiples of the median length-scale and variance from which a cold search starts.
COLD_STARTS = ((2.0, 1.0), (7.5, 3.0))
ORDERS = 2


@dataclass(frozen=True, slots=True)
class InteractionHyperparameters:
    """(D,) length-scales, the variance of either order, and the noise variance that all values share."""

    length_scales: tuple[float, ...]
    variances: tuple[float, float]
    noise_variance: float

    def kernel(self, family: KernelFamily, embedded_parameter: IndexArray) -> InteractionKernel:
        """The kernel on embedded inputs."""
        return InteractionKernel(family, np.array(self.length_scales), self.variances, embedded_parameter)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "length_scales": list(self.length_scales),
            "variances": list(self.variances),
            "noise_variance": self.noise_variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> InteractionHyperparameters:
        """What `to_json` wrote."""
        first, second = (float(v) for v in payload["variances"])
        scales = tuple(float(scale) for scale in payload["length_scales"])
        return cls(scales, (first, second), float(payload["noise_variance"]))


class InteractionModel(ScaledPairs):
    """A `PairModel`. Needs D >= 2."""

    @cached_property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter: no favour to either order."""
        prior = Prior.for_dimension(ORDERS)
        order = LogNormal(prior.variance.median / ORDERS, prior.variance.deviation)
        return self.believed(prior, [order] * ORDERS)

    @property
    def cold_starts(self) -> list[FloatArray]:
        """See `PairModel`."""
        return [self.start(self.beliefs, scale, [variance] * ORDERS) for scale, variance in COLD_STARTS]

    def hyperparameters(self, theta: FloatArray) -> InteractionHyperparameters:
        """See `PairModel`."""
        scales, (first, second), noise = self.natural(theta)
        return InteractionHyperparameters(tuple(scales.tolist()), (float(first), float(second)), noise)

    def theta(self, values: InteractionHyperparameters) -> FloatArray:
        """See `PairModel`."""
        return self.laid_out(values.length_scales, values.variances, values.noise_variance)

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """See `PairModel`."""
        scales, variances, noise = self.natural(theta)
        s = self.free_scales
        single, double = order_weights((float(variances[0]), float(variances[1])), self.dimension)
        # A parameter at a time: all of them at once would be too much for the processor's caches.
        P = self.squared.shape[1]
        slopes, others = np.empty((len(theta), P)), np.empty_like(self.squared)
        by_scale = np.empty_like(self.squared) if self.shared else slopes[:s]
        total, squares = np.zeros(P), np.zeros(P)
        for p, weight in enumerate(scales**-2.0):
            scaled = weight * self.squared[p]
            k, along = self.family.correlation_and_slope(scaled)
            np.multiply(scaled, along, out=by_scale[p])
            np.multiply(k, 2.0 * double, out=others[p])
            total += k
            k *= k
            squares += k
        level = -2.0 * (single + double * total)
        for other, change in zip(others, by_scale, strict=True):
            other += level
            change *= other
        if self.shared:
            slopes[0] = by_scale.sum(axis=0)
        slopes[s] = single * total
        slopes[s + 1] = 0.5 * double * (total * total - squares)
        slopes[s + ORDERS :] = 0.0
        variance_slopes = np.zeros(len(theta))
        variance_slopes[s : s + ORDERS] = variances
        return PairCovariances(
            slopes[s] + slopes[s + 1],
            float(variances.sum()),
            noise,
            slopes,
            variance_slopes,
            self.noise_slopes(theta),
        )
