"""What weighted hypotheses believe of a function's values at a few points together, without noise: where two
lie near each other they err alike, so that their difference is known better than either.

Notation: M hypotheses, k draws, p points, m ways to be off, q = p m places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm, qmc

from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.believed_values import CERTAIN, BelievedValues, by_luck, normals_of
from orchestrator.surrogates.scales.standardise import Standardisation

ONE_DEVIATION = (float(norm.cdf(-1.0)), 0.5, float(norm.cdf(1.0)))
"""Which shares of a normal belief lie below one deviation either side, and below its middle."""


@dataclass(frozen=True, eq=False, slots=True)
class BelievedTogether:
    """(M,) ``weights`` of hypotheses, each with the scale on which it sees values; and on these scales (M, q)
    ``means`` and (M, q, q) ``covariances`` of normal beliefs of places, those of each point together, whose
    average its value is. ``sign``: -1 where they are of the values' negatives. ``stretch``: how many times as
    far from its median each value reaches, as in `BelievedValues`.
    """

    weights: FloatArray
    scales: tuple[Standardisation, ...]
    means: FloatArray
    covariances: FloatArray
    points: int
    sign: float = 1.0
    stretch: float = 1.0

    @property
    def places(self) -> int:
        """How many normal numbers a draw takes."""
        return int(self.means.shape[1])

    def expected(self) -> FloatArray:
        """(p,) values expected. Of a hypothesis that sees values through a warp, its median counts."""
        own = [scale.undo(mean) for scale, mean in zip(self.scales, self.means, strict=True)]
        return self.sign * np.asarray(self.weights @ self._averaged(np.array(own)))

    def drawn(self, normals: FloatArray) -> Drawn:
        """Values of (k, q) standard ``normals``, by each of the hypotheses."""
        own = []
        for scale, mean, covariance in zip(self.scales, self.means, self.covariances, strict=True):
            own.append(scale.undo(mean + normals @ singular_root(covariance).T))
        drawn = Drawn(self.weights, self.sign * self._averaged(np.array(own)))
        if self.stretch == 1.0:
            return drawn
        middle = np.array([drawn.at(point).quantiles((0.5,))[0] for point in range(self.points)])
        return Drawn(self.weights, middle + self.stretch * (drawn.values - middle))

    def second_beside(self, luck: FloatArray, further: FloatArray) -> FloatArray:
        """(k,) values drawn at the second of two points, beside those that `BelievedValues.drawn` has at the
        first by the same (k,) ``luck``: what that leaves open is as (k,) ``further`` luck in (0, 1) says.
        """
        by, z = by_luck(self.weights, self.sign, luck)
        own = normals_of(further)
        deviations = np.sqrt(np.maximum(np.diagonal(self.covariances, axis1=1, axis2=2), 0.0))
        values = np.empty(len(luck))
        for i, scale in enumerate(self.scales):
            rows, (first, second) = by == i, deviations[i]
            shared = np.clip(self.covariances[i, 0, 1] / max(first, CERTAIN), -second, second)
            rest = np.sqrt(second**2 - shared**2)
            values[rows] = scale.undo(self.means[i, 1] + z[rows] * shared + own[rows] * rest)
        values *= self.sign
        if self.stretch == 1.0:
            return values
        told = self.weights, self.scales, self.means[:, 1:], deviations[:, 1:]
        middle = BelievedValues(*told, sign=self.sign).quantile(0.5)
        return np.asarray(middle + self.stretch * (values - middle))

    def _averaged(self, places: FloatArray) -> FloatArray:
        """(…, p) averages of (…, q) values over the ways that each point is off."""
        return np.asarray(places.reshape(*places.shape[:-1], self.points, -1).mean(axis=-1))


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """(M, k, …) ``values``: those of each hypothesis together have its weight, of (M,)."""

    weights: FloatArray
    values: FloatArray

    def at(self, point: int) -> Drawn:
        """The (M, k) values at one of the points."""
        return Drawn(self.weights, self.values[:, :, point])

    def quantiles(self, shares: tuple[float, ...]) -> FloatArray:
        """Values of (M, k) that such shares of all lie below, hypotheses counted by their weights."""
        flat = self.values.ravel()
        order = np.argsort(flat, kind="stable")
        each = np.repeat(self.weights / self.values.shape[1], self.values.shape[1])
        below = np.cumsum(each[order]) - each[order] / 2.0
        return np.interp(np.array(shares) * float(self.weights.sum()), below, flat[order])

    def above(self, bound: float) -> float:
        """Which share of (M, k) values lies above a bound; those that lie there count half. Where all lie on
        one side, it is half a draw from 0 or 1: more is not known of draws.
        """
        own = (self.values > bound).mean(axis=1) + (self.values == bound).mean(axis=1) / 2.0
        least = 0.5 / self.values.shape[1]
        return float(np.clip(self.weights @ own / self.weights.sum(), least, 1.0 - least))

    def deviation(self) -> float:
        """Of the mixture, of (M, k) values, in which there is what lies between hypotheses, too. Of each its
        own is as far as the nearer of the points one deviation either side: the other may lie in a tail.
        """
        # Squares may be too large for a double, or too small, and halvings round nothing.
        halvings = int(np.frexp(np.abs(self.values).max())[1])
        low, middle, high = np.quantile(np.ldexp(self.values, -halvings), ONE_DEVIATION, axis=1)
        own = np.minimum(high - middle, middle - low)
        mean = float(self.weights @ middle) / float(self.weights.sum())
        near_one = np.sqrt(self.weights @ (own**2 + (middle - mean) ** 2) / self.weights.sum())
        return float(np.ldexp(near_one, halvings))


def even_normals(count: int, places: int, purpose: str) -> FloatArray:
    """(k, q) standard normal numbers that fill their space evenly, the same for whatever is asked; k is a
    power of two.
    """
    return normals_of(qmc.Sobol(places, seed=stream(0, purpose, places)).random(count))


def singular_root(covariance: FloatArray) -> FloatArray:
    """(q, q) A with A A' the covariance, which is singular where points are one and the same."""
    squares, directions = np.linalg.eigh(covariance)
    return np.asarray(directions * np.sqrt(np.maximum(squares, 0.0)))
