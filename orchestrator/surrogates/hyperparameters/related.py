"""The hyperparameters of multiples of known functions with detail besides, and their covariances by these.

Notation: that of `covariances.related` and `scaled_pairs`; theta has the detail's variance, then the v_j,
behind the detail's length-scales; n points, P pairs of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.pairs import above_diagonal
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.covariances.related import RelatedKernel
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, WithDetail
from orchestrator.surrogates.hyperparameters.pair_model import PairCovariances
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs

# Of standardised values: that of a multiple, which is about 1 or -1 where functions differ by little; and the
# detail's, which then is little.
VARIANCE, DETAIL = LogNormal(1.0, 1.5), LogNormal(0.1, 2.0)
# Multiples of the median of the detail's variance from which a cold search starts.
COLD_STARTS = (1.0, 10.0)


@dataclass(frozen=True, slots=True)
class RelatedHyperparameters(WithDetail):
    """Those of the detail, with the noise variance that all values share; and (J,) ``variances`` v_j."""

    variances: tuple[float, ...]

    def kernel(
        self, family: KernelFamily, embedded_parameter: IndexArray, known: Sequence[PosteriorMean]
    ) -> RelatedKernel:
        """The kernel on embedded inputs, upon J ``known`` functions; ``family`` is the detail's."""
        detail = self.detail.kernel(family, embedded_parameter)
        return RelatedKernel(tuple(known), np.array(self.variances), detail)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {"detail": self.detail.to_json(), "related_variances": list(self.variances)}

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> RelatedHyperparameters:
        """What `to_json` wrote."""
        variances = tuple(float(variance) for variance in payload["related_variances"])
        return cls(Hyperparameters.from_json(payload["detail"]), variances)


@dataclass(frozen=True, eq=False)
class RelatedModel:
    """A `PairModel`: ``scaled`` has the detail, ``known`` (J, n) are the known functions at the points that
    the pairs are of.
    """

    scaled: ScaledPairs
    known: FloatArray

    @cached_property
    def products(self) -> tuple[FloatArray, FloatArray]:
        """(J, P) and (J, n): 1 + m_j m_j of pairs, and of each point with itself."""
        of_pairs = [above_diagonal(np.outer(m, m)) for m in self.known]
        return 1.0 + np.array(of_pairs), 1.0 + self.known**2

    @cached_property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        prior = Prior.for_dimension(self.scaled.dimension)
        return self.scaled.believed(prior, [DETAIL, *[VARIANCE] * len(self.known)])

    @property
    def cold_starts(self) -> list[FloatArray]:
        """See `PairModel`."""
        return [self.scaled.start(self.beliefs, own=[multiple]) for multiple in COLD_STARTS]

    def hyperparameters(self, theta: FloatArray) -> RelatedHyperparameters:
        """See `PairModel`."""
        scales, (detail, *variances), noise = self.scaled.natural(theta)
        own = Hyperparameters(tuple(scales.tolist()), float(detail), noise)
        return RelatedHyperparameters(own, tuple(float(variance) for variance in variances))

    def theta(self, values: RelatedHyperparameters) -> FloatArray:
        """See `PairModel`."""
        own = (values.detail.variance, *values.variances)
        return self.scaled.laid_out(values.length_scales, own, values.noise_variance)

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """See `PairModel`."""
        detail, s, J = self.scaled, self.scaled.free_scales, len(self.known)
        scales, own, noise = detail.natural(theta)
        weights = scales**-2.0
        correlation, slope = detail.family.correlation_and_slope(weights @ detail.squared)
        of_pairs, of_points = self.products
        slopes = np.zeros((len(theta), of_pairs.shape[1]))
        variance_slopes = np.zeros((len(theta), of_points.shape[1]))
        detail.write_scale_slopes(slopes[:s], weights, own[0] * slope)
        slopes[s], variance_slopes[s] = own[0] * correlation, own[0]
        slopes[s + 1 : s + 1 + J] = own[1:, None] * of_pairs
        variance_slopes[s + 1 : s + 1 + J] = own[1:, None] * of_points
        return PairCovariances(
            slopes[s : s + 1 + J].sum(axis=0),
            variance_slopes[s : s + 1 + J].sum(axis=0),
            noise,
            slopes,
            variance_slopes,
            detail.noise_slopes(theta),
        )
