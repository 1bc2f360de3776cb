"""The hyperparameters of a trend with detail upon it, and its covariances as a function of them.

Notation: that of `scaled_pairs`; v_d the detail's variance, L and v_t length-scale and variance of the trend,
which theta has in this order behind the detail's length-scales.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernel_families import RBF, KernelFamily
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.trend import TrendKernel
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, WithDetail
from orchestrator.surrogates.hyperparameters.pair_model import PairCovariances
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs

# The trend's length-scale, in root mean squared distances between the points, and its variance: a paraboloid
# under a unit kernel of that length-scale would hardly vary where the points are.
TREND_LENGTH = LogNormal(2.5, 0.7)
TREND_VARIANCE = LogNormal(10.0, 2.0)
# Multiples of the medians of the detail's length-scales from which a cold search starts.
COLD_STARTS = (1.0, 4.0)


@dataclass(frozen=True, slots=True)
class TrendHyperparameters(WithDetail):
    """Those of the detail, with the noise variance that all values share; and the trend's length-scale and
    variance.
    """

    trend_length_scale: float
    trend_variance: float

    def kernel(self, family: KernelFamily, embedded_parameter: IndexArray) -> TrendKernel:
        """The kernel on embedded inputs; ``family`` is the detail's."""
        everywhere = np.full(len(embedded_parameter), self.trend_length_scale)
        return TrendKernel(
            Kernel(RBF, everywhere, self.trend_variance), self.detail.kernel(family, embedded_parameter)
        )

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "detail": self.detail.to_json(),
            "trend_length_scale": self.trend_length_scale,
            "trend_variance": self.trend_variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> TrendHyperparameters:
        """What `to_json` wrote."""
        detail = Hyperparameters.from_json(payload["detail"])
        return cls(detail, float(payload["trend_length_scale"]), float(payload["trend_variance"]))


class TrendModel(ScaledPairs):
    """A `PairModel`, whose length-scales are the detail's."""

    @cached_property
    def distances(self) -> FloatArray:
        """(P,) squared distances over all parameters."""
        return np.asarray(self.squared.sum(axis=0))

    @cached_property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        prior = Prior.for_dimension(self.dimension)
        typical = math.sqrt(float(self.distances.mean())) if self.distances.any() else 1.0
        length = LogNormal(TREND_LENGTH.median * typical, TREND_LENGTH.deviation)
        return self.believed(prior, [prior.variance, length, TREND_VARIANCE])

    @property
    def cold_starts(self) -> list[FloatArray]:
        """See `PairModel`."""
        return [self.start(self.beliefs, scale) for scale in COLD_STARTS]

    def hyperparameters(self, theta: FloatArray) -> TrendHyperparameters:
        """See `PairModel`."""
        scales, (variance, length, trend_variance), noise = self.natural(theta)
        detail = Hyperparameters(tuple(scales.tolist()), float(variance), noise)
        return TrendHyperparameters(detail, float(length), float(trend_variance))

    def theta(self, values: TrendHyperparameters) -> FloatArray:
        """See `PairModel`."""
        own = (values.detail.variance, values.trend_length_scale, values.trend_variance)
        return self.laid_out(values.length_scales, own, values.noise_variance)

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """See `PairModel`."""
        scales, (variance, length, trend_variance), noise = self.natural(theta)
        s = self.free_scales
        weights = scales**-2.0
        correlation, slope = self.family.correlation_and_slope(weights @ self.squared)
        far = self.distances / length**2
        trend = trend_variance * np.exp(-0.5 * far)
        slopes = np.empty((len(theta), len(far)))
        self.write_scale_slopes(slopes[:s], weights, variance * slope)
        slopes[s] = variance * correlation
        slopes[s + 1] = trend * far
        slopes[s + 2] = trend
        slopes[s + 3 :] = 0.0
        variance_slopes = np.zeros(len(theta))
        variance_slopes[s], variance_slopes[s + 2] = variance, trend_variance
        return PairCovariances(
            slopes[s] + trend,
            float(variance + trend_variance),
            noise,
            slopes,
            variance_slopes,
            self.noise_slopes(theta),
        )
