"""A monotone, invertible transform that draws heavy tails in, fitted by likelihood.

Each side of a centre, such as the median, is a power transform of its own, with slope 1 where they meet:

    u = (y - centre) / spread
    w = ((1 + u)^upper - 1) / upper      for u >= 0    (log(1 + u) for upper = 0)
    w = -((1 - u)^lower - 1) / lower     for u < 0

with both exponents in [0, 1], so that tails are only ever drawn in and the map is onto the real line: any
prediction can be undone. This is the transform of Yeo & Johnson 2000 with its two sides untied, which
objectives with one bad tail, two bad tails or none all need. 1 and 1 is the identity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray

_FEWEST_VALUES = 8
_EXPONENTS = np.linspace(0.0, 1.0, 21)
# Of quartiles whose distance is less, a slope may be no number.
_NARROWEST = 1e-306
# In spreads. The largest number there is, told for what broke, lies farther off than a float can say.
_FARTHEST = 1e300


@dataclass(frozen=True, slots=True)
class Warp:
    """The transform above; ``spread`` > 0, exponents in [0, 1]."""

    centre: float
    spread: float
    upper: float
    lower: float

    @classmethod
    def fitted(cls, values: FloatArray) -> Warp | None:
        """The warp under which (n,) values are likeliest to be normal, or None if none is worth having.

        Median and interquartile range set the centre and spread; the exponents maximise the profile
        likelihood over a grid, and must beat the identity by log n (BIC for two parameters). None for
        fewer than 8 values, or where half of them coincide.
        """
        n = len(values)
        if n < _FEWEST_VALUES:
            return None
        low, centre, high = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
        if not _is_wide(low, high):
            return None
        spread = high - low
        u = _in_spreads(values, centre, spread)
        above, below = np.log1p(np.maximum(u, 0.0)), np.log1p(np.maximum(-u, 0.0))
        uppers = [_power(above, exponent) for exponent in _EXPONENTS]
        lowers = np.array([_power(below, exponent) for exponent in _EXPONENTS])
        by_upper, by_lower = above.sum(), below.sum()
        best, chosen = -math.inf, (1.0, 1.0)
        for a, up in zip(_EXPONENTS, uppers, strict=True):
            for b, variance in zip(_EXPONENTS, _variances(up - lowers), strict=True):
                jacobian = (a - 1.0) * by_upper + (b - 1.0) * by_lower
                likelihood = float(-0.5 * n * np.log(variance) + jacobian)
                if likelihood > best:
                    best, chosen = likelihood, (float(a), float(b))
        if best - float(-0.5 * n * np.log(_variances(u))) <= math.log(n):
            return None
        return cls(centre, spread, *chosen)

    @classmethod
    def about(cls, values: FloatArray, upper: float, lower: float, spread: float = 1.0) -> Warp | None:
        """Given exponents about the median of (n,) values; ``spread`` is in their interquartile ranges.

        None for no values, or where half of them coincide.
        """
        if len(values) == 0:
            return None
        low, centre, high = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
        if not _is_wide(low, high):
            return None
        return cls(centre, spread * (high - low), upper, lower)

    @classmethod
    def below_best(cls, values: FloatArray, part: float, narrowest: float = 0.0) -> Warp | None:
        """The logarithm of what (n,) values lack of the best of them, which counts from what their quantile
        ``part`` lacks, or from ``narrowest`` if that is more: it tells those near the best apart, however far
        off the rest are. Affine above.

        None for no values, or where half of them coincide, or that quantile with the best.
        """
        if len(values) == 0:
            return None
        low, high, start, best = (float(q) for q in np.quantile(values, [0.25, 0.75, part, 1.0]))
        if not (_is_wide(low, high) and _is_wide(start, best)):
            return None
        return cls(best, max(best - start, narrowest), 1.0, 0.0)

    @classmethod
    def below_zero(cls, values: FloatArray, narrowest: float = 0.0) -> Warp | None:
        """The logarithm of the magnitudes of (n,) values that all lie below zero, which counts from the least
        of them, or from ``narrowest`` if that is more. Affine above zero.

        None for no values, or where one is not below zero by more than one can divide by.
        """
        if len(values) == 0 or not values.max() < -_NARROWEST:
            return None
        return cls(0.0, max(-float(values.max()), narrowest), 1.0, 0.0)

    def counts_from_best(self, values: FloatArray) -> bool:
        """Whether it is as `below_best` has it of the first so many of (n,) values; NaN is none."""
        bests = np.fmax.accumulate(values)
        return (self.upper, self.lower) == (1.0, 0.0) and bool((bests == self.centre).any())

    def apply(self, values: FloatArray) -> FloatArray:
        """Values to warped ones, of the same shape."""
        u = _in_spreads(values, self.centre, self.spread)
        above, below = np.log1p(np.maximum(u, 0.0)), np.log1p(np.maximum(-u, 0.0))
        return _power(above, self.upper) - _power(below, self.lower)

    def undo(self, warped: FloatArray) -> FloatArray:
        """The inverse of `apply`; held at the largest magnitudes a float can carry."""
        above, below = np.maximum(warped, 0.0), np.maximum(-warped, 0.0)
        u = _inverse_power(above, self.upper) - _inverse_power(below, self.lower)
        return self.centre + self.spread * u

    def slope(self, values: FloatArray) -> FloatArray:
        """d warped / d value at each value; positive."""
        u = _in_spreads(values, self.centre, self.spread)
        exponents = np.where(u >= 0, self.upper, self.lower)
        slope: FloatArray = np.exp((exponents - 1.0) * np.log1p(np.abs(u))) / self.spread
        return slope

    def to_json(self) -> dict[str, float]:
        """JSON values, exact to the bit."""
        return {"centre": self.centre, "spread": self.spread, "upper": self.upper, "lower": self.lower}

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Warp:
        """What `to_json` wrote."""
        return cls(*(float(payload[name]) for name in ("centre", "spread", "upper", "lower")))


def _in_spreads(values: FloatArray, centre: float, spread: float) -> FloatArray:
    """u, held where a float can carry it."""
    with np.errstate(over="ignore"):
        return np.clip((values - centre) / spread, -_FARTHEST, _FARTHEST)


def _variances(values: FloatArray) -> FloatArray:
    """(...) of (..., n) values; infinite where one is beyond a float."""
    with np.errstate(over="ignore"):
        return np.asarray(np.var(values, axis=-1))


def _is_wide(low: float, high: float) -> bool:
    """Whether quantiles are apart by more than rounding, and by so much that one can divide by it."""
    return math.isfinite(high - low) and high - low > max(1e-12 * max(abs(low), abs(high)), _NARROWEST)


def _power(log_one_plus: FloatArray, exponent: float) -> FloatArray:
    """((1 + u)^exponent - 1) / exponent from log(1 + u)."""
    if exponent == 0.0:
        return log_one_plus
    powers: FloatArray = np.expm1(exponent * log_one_plus) / exponent
    return powers


def _inverse_power(warped: FloatArray, exponent: float) -> FloatArray:
    """u from ((1 + u)^exponent - 1) / exponent, u >= 0."""
    logarithm = warped if exponent == 0.0 else np.log1p(exponent * warped) / exponent
    u: FloatArray = np.expm1(np.minimum(logarithm, 300.0))
    return u
