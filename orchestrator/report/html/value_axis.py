"""The axis along which a chart has values: from where to where, on which scale, and its marks."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.report.magnitudes import falls_by_magnitudes, magnitude
from orchestrator.report.words.wording import number, shortened

MOST_DECADES = 8
"""Each of which has a mark."""
FEW_DECADES = 3
"""Between which 2 and 5 have marks as well."""


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """From ``low`` to ``high``; ``logarithmic`` where both are above 0, or below."""

    low: float
    high: float
    logarithmic: bool = False

    def within(self, value: float) -> float:
        """The value, or the end that it is beyond."""
        return min(max(value, self.low), self.high)

    def share(self, value: float) -> float:
        """How far up a value lies: 0 at the foot, and 1 at the top."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = magnitude(low), magnitude(high), magnitude(value)
        # Halved first: the range of the largest floats overflows.
        return (value / 2 - low / 2) / ((high / 2 - low / 2) or 1)

    def marks(self) -> list[tuple[float, str]]:
        """Round values along it, with the words that tell them apart."""
        return _decades(self.low, self.high) if self.logarithmic else marks(self.low, self.high)

    def named(self, what: str, room: int | None = None) -> str:
        """What stands at it, of ``room`` characters at the most, with its scale."""
        scale = " (log)" if self.logarithmic else ""
        return f"{what if room is None else shortened(what, room - len(scale))}{scale}"


def shown_axis(best: float | None, values: Sequence[float], beside: Sequence[float] = ()) -> ValueAxis:
    """Of `shown_range`, and of what is shown ``beside`` it wherever that is. It is logarithmic where the best
    is nearer to 0 than the others by magnitudes.
    """
    kept = [*_kept(best, values), *beside]
    if best is not None and all(one != 0.0 and (one > 0.0) == (best > 0.0) for one in kept):
        low, high = min(kept), max(kept)
        if falls_by_magnitudes(best, max(kept, key=abs)):
            margin = 10.0 ** (0.04 * (magnitude(high) - magnitude(low)))
            nearest, farthest = sorted((abs(low), abs(high)))
            # Of the smallest floats the margin leaves nothing, which has no logarithm.
            near, far = max(nearest / margin, math.ulp(0.0)), min(farthest * margin, 1.7e308)
            return ValueAxis(*((near, far) if best > 0.0 else (-far, -near)), logarithmic=True)
    low, high = shown_range(best, values)
    return ValueAxis(min([low, *beside]), max([high, *beside]))


def shown_range(best: float | None, values: Sequence[float]) -> tuple[float, float]:
    """The best value, the highest or the lowest of all, and the better nine tenths of the values; of values
    none of which is the best, the middle nine tenths.
    """
    low, high = _kept(best, values)
    if low == high:
        width = abs(low) * 0.1 or 1.0
        return low - width, high + width
    margin = 0.04 * (high / 2 - low / 2) * 2
    return max(low - margin, -1.7e308), min(high + margin, 1.7e308)


def marks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers from low to high, with the words that tell them apart."""
    values = _ticks(low, high)
    digits = next(d for d in range(5, 18) if d == 17 or len({number(v, d) for v in values}) == len(values))
    return [(value, number(value, digits).replace("-", "−")) for value in values]


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high, four to eight of them."""
    span = high / 2 - low / 2
    # Of a part of less than that there is no logarithm, or no power of ten.
    if not math.isfinite(span) or span < sys.float_info.min:
        return [low]
    rough = span / 2.5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    places = 1 - math.floor(math.log10(step))
    return [round(k * step, places) + 0.0 for k in range(first, first + 12) if k * step <= high + 1e-9 * step]


def _decades(low: float, high: float) -> list[tuple[float, str]]:
    """Powers of ten between two values of one sign, where they are many every so many."""
    sign = 1.0 if low > 0.0 else -1.0
    least, most = sorted((abs(low), abs(high)))
    decades = math.log10(most) - math.log10(least)
    apart = math.ceil(decades / MOST_DECADES)
    first, last = math.floor(math.log10(least)), math.floor(math.log10(most))
    factors = (1, 2, 5) if decades < FEW_DECADES else (1,)
    powers = [10.0**k for k in range(first, last + 1) if k % apart == 0]
    values = [sign * factor * power for power in powers for factor in factors]
    return [(one, number(one).replace("-", "−")) for one in values if low <= one <= high]


def _kept(best: float | None, values: Sequence[float]) -> tuple[float, float]:
    """Of what is shown the lowest and the highest; 0 and 1 where there is nothing."""
    ranked = sorted(values, reverse=best is not None and best >= max(values, default=best))
    if best is not None:
        kept = [best, *ranked[: max(1, math.ceil(0.9 * len(ranked)))]]
    else:
        kept = ranked[len(ranked) // 20 : len(ranked) - len(ranked) // 20]
    return (min(kept), max(kept)) if kept else (0.0, 1.0)
