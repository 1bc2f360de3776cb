"""What weighted hypotheses believe of a function's values at points, each by itself, without noise.

Notation: M hypotheses, m points, k draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import norm

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.scales.standardise import Standardisation

SURELY_NOT = 1e-9
"""Of luck: what is less likely is not drawn."""
HALVINGS = 64
"""Of the interval in which a quantile lies: to the last digit of a float."""
CERTAIN = float(np.finfo(float).tiny)
"""A deviation that stands for none where one is divided by it."""


@dataclass(frozen=True, eq=False, slots=True)
class BelievedValues:
    """(M,) ``weights`` of hypotheses, each with the scale on which it sees values; and on these scales (M, m)
    ``means`` and ``deviations`` of normal beliefs. ``sign``: -1 where they are of the values' negatives.
    ``stretch``: how many times as far from its median the mixture reaches.
    """

    weights: FloatArray
    scales: tuple[Standardisation, ...]
    means: FloatArray
    deviations: FloatArray
    sign: float = 1.0
    stretch: float = 1.0

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """(m,) values expected, and (m,) deviations of the mixture, in which there is what lies between the
        hypotheses, too. Of a hypothesis that sees values through a warp, its median counts as what it
        expects, and the nearer of the points one deviation either side says how unsure it is.
        """
        told = np.array(
            [
                [scale.undo_prediction(*map(float, one)) for one in zip(means, deviations, strict=True)]
                for scale, means, deviations in self._hypotheses()
            ]
        )
        means, deviations = np.moveaxis(told.reshape(len(self.scales), -1, 2), 2, 0)
        mean = self._weighed(means)
        # Squares of what is near 1 are numbers, and halvings round nothing.
        halvings = np.frexp(np.maximum(deviations, np.abs(means - mean)).max(axis=0))[1]
        near_one = np.ldexp(deviations, -halvings), np.ldexp(means - mean, -halvings)
        variance = self._weighed(near_one[0] ** 2 + near_one[1] ** 2)
        return self.sign * mean, self.stretch * np.ldexp(np.sqrt(variance), halvings)

    def quantile(self, share: float) -> FloatArray:
        """(m,) values that so large a ``share`` of all that is believed lies below, from 0 to 1, neither
        included: of the mixture, and no average of its hypotheses' own.
        """
        if self.stretch == 1.0:
            return self._quantile(share)
        return self._stretched(self._quantile(share), self._quantile(0.5))

    def above(self, bound: float) -> FloatArray:
        """(m,) how likely each value is to lie above a bound: one known to be there is not above it."""
        median = self._quantile(0.5) if self.stretch != 1.0 else np.zeros(self.means.shape[1])
        bounds = median + (bound - median) / self.stretch if self.stretch != 1.0 else median + bound
        if self.sign < 0:
            return self._below(-bounds)
        return 1.0 - self._under([scale.barely_above(bounds) for scale in self.scales])

    def _stretched(self, values: FloatArray, median: FloatArray) -> FloatArray:
        return median + self.stretch * (values - median)

    def _quantile(self, share: float) -> FloatArray:
        """Of what is not stretched."""
        below = share if self.sign > 0 else 1.0 - share
        z = norm.ppf(below)
        own = np.array([scale.undo(mean + z * spread) for scale, mean, spread in self._hypotheses()])
        low, high = own.min(axis=0), own.max(axis=0)
        for _ in range(HALVINGS):
            middle = low + (high - low) / 2.0
            enough = self._below(middle) >= below
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.asarray(self.sign * high)

    def _below(self, values: FloatArray) -> FloatArray:
        """(m,) how likely each is not to be exceeded at its point, whatever the sign."""
        return self._under([scale.apply(values) for scale in self.scales])

    def _under(self, bounds: Sequence[FloatArray]) -> FloatArray:
        """The same of (m,) bounds on the scale of each hypothesis."""
        with np.errstate(over="ignore"):
            shares = [
                norm.cdf((own - mean) / np.maximum(spread, CERTAIN))
                for own, mean, spread in zip(bounds, self.means, self.deviations, strict=True)
            ]
        return self._weighed(np.array(shares))

    def _weighed(self, own: FloatArray) -> FloatArray:
        """(m,) the average of (M, m) numbers. No product of matrices: of each point it is the same to the
        bit, however many there are.
        """
        return np.asarray((self.weights[:, None] * own).sum(axis=0))

    def _hypotheses(self) -> Iterator[tuple[Standardisation, FloatArray, FloatArray]]:
        """Of each its scale, and its (m,) means and deviations."""
        return zip(self.scales, self.means, self.deviations, strict=True)

    def drawn(self, point: int, luck: FloatArray) -> FloatArray:
        """(k,) values drawn at one of the points, as (k,) ``luck`` in (0, 1) says; see `by_luck`."""
        by, z = by_luck(self.weights, self.sign, luck)
        values = np.empty(len(luck))
        for i, scale in enumerate(self.scales):
            rows = by == i
            values[rows] = scale.undo(self.means[i, point] + z[rows] * self.deviations[i, point])
        values *= self.sign
        return values if self.stretch == 1.0 else self._stretched(values, self._at(point)._quantile(0.5))

    def _at(self, point: int) -> BelievedValues:
        """At one of the points alone."""
        row = slice(point, point + 1)
        return replace(self, means=self.means[:, row], deviations=self.deviations[:, row])


def by_luck(weights: FloatArray, sign: float, luck: FloatArray) -> tuple[IndexArray, FloatArray]:
    """(k,) by which of M hypotheses each of k values is drawn, by one as often as it is likely, and (k,) how
    many deviations from what that expects, on its scale. Of what one hypothesis gives, values are the higher
    the more there is of the (k,) ``luck`` in (0, 1).
    """
    ends = np.cumsum(weights)
    by = np.minimum(np.searchsorted(ends, luck, side="right"), len(weights) - 1)
    within = (luck - (ends - weights)[by]) / weights[by]
    return by, sign * normals_of(within)


def normals_of(luck: FloatArray) -> FloatArray:
    """Standard normal numbers, the higher the more there is of ``luck`` in (0, 1)."""
    return np.asarray(norm.ppf(np.clip(luck, SURELY_NOT, 1.0 - SURELY_NOT)))
