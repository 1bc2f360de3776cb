"""The hyperparameters of paraboloids with detail upon them, and their covariances as a function of them.

Notation: that of `covariances.paraboloid` and `scaled_pairs`; theta has the detail's variance, then those of
the paraboloids, v_p and w, and x where it is learned, behind the detail's length-scales.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.pairs import above_diagonal
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.paraboloid import ALIKE, ParaboloidKernel, Paraboloids
from orchestrator.surrogates.covariances.taylor_remainder import TaylorRemainder
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, WithDetail
from orchestrator.surrogates.hyperparameters.pair_model import PairCovariances
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs

# Of standardised values: the paraboloids' at the centre, and the detail's, which may be next to nothing; and
# what slope and curvature weigh where the values are.
VARIANCE, DETAIL = LogNormal(1.0, 2.0), LogNormal(0.03, 2.5)
STEEPNESS = LogNormal(1.0, 1.0)
# What curvature between two parameters weighs against that along each, where it is learned: they may all act
# together, as in a turned valley, or hardly any two, as where parts are added up.
CROSSING = LogNormal(0.4, 1.5)
# Multiples of the median of the detail's variance from which a cold search starts.
COLD_STARTS = (10.0, 0.1)


@dataclass(frozen=True, slots=True)
class ParaboloidHyperparameters(WithDetail):
    """Those of the detail, with the noise variance that all values share; and those of `Paraboloids`.

    ``expanded``: they are an expansion about the centre, and the detail is its `TaylorRemainder`.
    """

    centre: tuple[float, ...]
    radius: float
    variance: float
    steepness: float
    crossing: float
    expanded: bool

    def kernel(self, family: KernelFamily, embedded_parameter: IndexArray) -> ParaboloidKernel:
        """The kernel on embedded inputs; ``family`` is the detail's."""
        centre = np.array(self.centre)
        detail = self.detail.kernel(family, embedded_parameter)
        return ParaboloidKernel(
            Paraboloids(centre, self.radius, self.variance, self.steepness, self.crossing),
            TaylorRemainder(detail, centre, self.radius) if self.expanded else detail,
        )

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "detail": self.detail.to_json(),
            "centre": list(self.centre),
            "radius": self.radius,
            "paraboloid_variance": self.variance,
            "steepness": self.steepness,
            "crossing": self.crossing,
            "expanded": self.expanded,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> ParaboloidHyperparameters:
        """What `to_json` wrote."""
        return cls(
            Hyperparameters.from_json(payload["detail"]),
            tuple(float(c) for c in payload["centre"]),
            float(payload["radius"]),
            float(payload["paraboloid_variance"]),
            float(payload["steepness"]),
            # Runs from before December 2026 have none: those were alike in all directions.
            float(payload.get("crossing", ALIKE)),
            bool(payload["expanded"]),
        )


@dataclass(frozen=True, eq=False)
class ParaboloidModel:
    """A `PairModel`: ``scaled`` has the detail, ``inputs`` (n, E) are the points that the pairs are of.

    ``about`` (E,) is the point that an expansion is about; None for an even detail upon paraboloids about the
    middle of all. ``crossed``: what curvature between two parameters weighs is learned, too.
    """

    scaled: ScaledPairs
    inputs: FloatArray
    about: FloatArray | None = None
    crossed: bool = False

    @cached_property
    def centre(self) -> FloatArray:
        """(E,) c."""
        return np.asarray(self.inputs.mean(axis=0) if self.about is None else self.about)

    @cached_property
    def radius(self) -> float:
        """r: the root mean squared distance of the inputs from the centre; 1 where they are one point."""
        squared = np.square(self.inputs - self.centre).sum(axis=1).mean()
        return math.sqrt(float(squared)) or 1.0

    @cached_property
    def products(self) -> tuple[FloatArray, FloatArray]:
        """(P,) u_a'u_b of pairs, and (n,) of each point with itself."""
        return _pairs_and_points(self._within @ self._within.T)

    @cached_property
    def of_squares(self) -> tuple[FloatArray, FloatArray]:
        """The same of (u_a * u_a)'(u_b * u_b)."""
        squares = np.square(self._within)
        return _pairs_and_points(squares @ squares.T)

    @cached_property
    def growth(self) -> tuple[FloatArray, FloatArray] | tuple[float, float]:
        """(P,) and (n,) by what the detail's covariances are multiplied."""
        if self.about is None:
            return 1.0, 1.0
        grown = self.products[1] ** 1.5
        return _pairs_and_points(np.outer(grown, grown))

    @cached_property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        prior = Prior.for_dimension(self.scaled.dimension)
        crossing = [CROSSING] if self.crossed else []
        return self.scaled.believed(prior, [DETAIL, VARIANCE, STEEPNESS, *crossing])

    @property
    def cold_starts(self) -> list[FloatArray]:
        """See `PairModel`."""
        return [self.scaled.start(self.beliefs, own=[multiple]) for multiple in COLD_STARTS]

    def hyperparameters(self, theta: FloatArray) -> ParaboloidHyperparameters:
        """See `PairModel`."""
        scales, (detail, variance, steepness, *crossing), noise = self.scaled.natural(theta)
        return ParaboloidHyperparameters(
            Hyperparameters(tuple(scales.tolist()), float(detail), noise),
            tuple(self.centre.tolist()),
            self.radius,
            float(variance),
            float(steepness),
            float(crossing[0]) if crossing else ALIKE,
            self.about is not None,
        )

    def theta(self, values: ParaboloidHyperparameters) -> FloatArray:
        """See `PairModel`."""
        crossing = (values.crossing,) if self.crossed else ()
        own = (values.detail.variance, values.variance, values.steepness, *crossing)
        return self.scaled.laid_out(values.length_scales, own, values.noise_variance)

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """See `PairModel`."""
        detail, s = self.scaled, self.scaled.free_scales
        scales, (own, variance, steepness, *crossing), noise = detail.natural(theta)
        weights = scales**-2.0
        correlation, slope = detail.family.correlation_and_slope(weights @ detail.squared)
        of_pairs, of_points = (steepness * products for products in self.products)
        grown_pairs, grown_points = self.growth
        slopes = np.empty((len(theta), len(of_pairs)))
        slopes[s + 3 + len(crossing) :] = 0.0
        variance_slopes = np.zeros((len(theta), len(of_points)))
        detail.write_scale_slopes(slopes[:s], weights, own * grown_pairs * slope)
        slopes[s], variance_slopes[s] = own * grown_pairs * correlation, own * grown_points
        for which, (place, products) in enumerate(((slopes, of_pairs), (variance_slopes, of_points))):
            place[s + 1] = variance * (1.0 + products) ** 2
            place[s + 2] = (2.0 * variance) * (1.0 + products) * products
            if crossing:
                crossed = variance * (products * products - steepness**2 * self.of_squares[which])
                place[s + 1] -= (1.0 - crossing[0]) * crossed
                place[s + 2] -= 2.0 * (1.0 - crossing[0]) * crossed
                place[s + 3] = crossing[0] * crossed
        return PairCovariances(
            slopes[s] + slopes[s + 1],
            variance_slopes[s] + variance_slopes[s + 1],
            noise,
            slopes,
            variance_slopes,
            detail.noise_slopes(theta),
        )

    @cached_property
    def _within(self) -> FloatArray:
        """(n, E) u of the inputs."""
        u: FloatArray = (self.inputs - self.centre) / self.radius
        return u


def _pairs_and_points(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(P,) what is above the diagonal of an (n, n) matrix, and (n,) what is on it."""
    return above_diagonal(matrix), np.diagonal(matrix).copy()
