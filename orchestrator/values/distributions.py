"""How a quantity is spread, as a person says it: about a mean, within a factor of one, or by chances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.values.finite import is_number, written

LEAST_INSIDE = 0.01
"""Of a distribution that is cut at the bounds."""
ROUNDING = 1e-6
"""Of what chances add up to."""


@dataclass(frozen=True, slots=True)
class AboutMean:
    """Normally distributed in its own units, cut at the bounds."""

    mean: float
    deviation: float

    def until(self, number: float) -> float:
        """How often it would be below a number, were it not cut."""
        return 0.5 * math.erfc((self.mean - number) / (self.deviation * math.sqrt(2.0)))

    def deviations_off(self, number: float) -> float:
        """By how many deviations a number lies above the mean."""
        return (number - self.mean) / self.deviation

    @property
    def told(self) -> dict[str, float]:
        """As a spec says it."""
        return {"mean": self.mean, "deviation": self.deviation}


@dataclass(frozen=True, slots=True)
class WithinFactor:
    """Its logarithm is normally distributed, cut at the bounds: about that of the ``mean``, above 0, with
    that of the ``factor``, above 1, as its deviation.
    """

    mean: float
    factor: float

    def until(self, number: float) -> float:
        """How often it would be below a number, were it not cut."""
        if number <= 0.0:
            return 0.0
        return self.logarithm.until(math.log(number))

    def deviations_off(self, number: float) -> float:
        """By how many deviations its logarithm lies above that of the mean, of a number above 0."""
        return self.logarithm.deviations_off(math.log(number))

    @property
    def logarithm(self) -> AboutMean:
        """How its logarithm is spread."""
        return AboutMean(math.log(self.mean), math.log(self.factor))

    @property
    def told(self) -> dict[str, float]:
        """As a spec says it."""
        return {"mean": self.mean, "factor": self.factor}


@dataclass(frozen=True, slots=True)
class ByChance:
    """Of each of some values how often it comes up."""

    chances: tuple[float, ...]

    @property
    def told(self) -> dict[str, list[float]]:
        """As a spec says it."""
        return {"chances": list(self.chances)}


def about_mean(mean: Any, deviation: Any) -> AboutMean:
    """Raises ValueError, which says what was expected."""
    if not is_number(mean):
        raise ValueError("a number as its `mean`")
    if not is_number(deviation) or deviation <= 0:
        raise ValueError("a number above 0 as its `deviation`")
    return AboutMean(float(mean), float(deviation))


def within_factor(mean: Any, factor: Any) -> WithinFactor:
    """Raises ValueError, which says what was expected."""
    if not is_number(mean) or mean <= 0:
        raise ValueError("a number above 0 as its `mean` beside a `factor`")
    if not is_number(factor) or factor <= 1:
        raise ValueError("a number above 1 as the `factor` that it is known within, up and down")
    return WithinFactor(float(mean), float(factor))


def by_chance(chances: Any) -> ByChance:
    """Raises ValueError, which says what was expected."""
    listed = list(chances) if isinstance(chances, Sequence) and not isinstance(chances, str) else []
    if len(listed) < 2 or not all(is_number(one) and one >= 0 for one in listed):
        raise ValueError("a chance for each value, as `chances: [0.2, 0.8]`")
    total = sum(map(float, listed))
    if abs(total - 1.0) > ROUNDING:
        raise ValueError(f"chances that add up to 1, and not to {written(round(total, 9))}")
    return ByChance(tuple(float(one) for one in listed))


def lies_within(spread: AboutMean | WithinFactor, low: float, high: float) -> bool:
    """Whether bounds hold enough of it to be more than its tail."""
    return spread.until(high) - spread.until(low) >= LEAST_INSIDE


def of_as_many(by_chances: ByChance, count: int) -> None:
    """Raises ValueError, which says what was expected, for chances of another number of values."""
    if len(by_chances.chances) != count:
        raise ValueError(f"as many chances as there are values, {count}, and not {len(by_chances.chances)}")
