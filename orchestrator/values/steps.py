"""Numbers that are steps apart, as the decimals that a person means: 0.3, never 0.30000000000000004."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, overload

from orchestrator.values.finite import in_short, is_finite, written

MOST_STEPS = 2**40
"""Positions in the unit interval are told apart about so finely."""
# What a file of results has of a number is rounded: within so much of a step it is the number.
AS_GOOD_AS_EXACT = Fraction(1, 10**6)

BESIDE_A_LOG_SCALE = (
    "expected no `step` beside `scale: log`; what lies evenly on a log scale is written as"
    " `{type: ordered, values: [1, 2, 4, 8], scale: log}`"
)


@dataclass(frozen=True)
class Steps(Sequence[float]):
    """low, low + step, ..., high: whole numbers where ``low`` and ``high`` are of type int, else floats.

    Raises ValueError, with a sentence, for a step that is none, and for bounds that are not a whole number of
    steps apart. The bounds must be finite, ``low`` below ``high``.
    """

    low: float
    high: float
    step: float

    def __post_init__(self) -> None:
        step = self.step
        if isinstance(step, bool) or not isinstance(step, int | float) or not is_finite(step) or step <= 0:
            raise ValueError(f"expected a number above 0 as the step, got {in_short(step)}")
        if self.whole and step != int(step):
            raise ValueError(f"expected a whole number as the step of an int, got {written(step)}")
        apart = (exact(self.high) - exact(self.low)) / exact(step)
        size = max(abs(self.low), abs(self.high))
        if apart > MOST_STEPS or not (self.whole or float(step) > 2 * math.ulp(size)):
            raise ValueError(
                f"expected at most 2^40 steps, each wider than double precision's, got a step of"
                f" {written(step)} between {written(self.low)} and {written(self.high)}; leave `step` out"
            )
        if apart.denominator != 1:
            low, below, above = self.low, self.at(math.floor(apart)), self.at(math.floor(apart) + 1)
            ends = [high for high in (below, above) if high > low and is_finite(high)]
            near = [f"[{written(low)}, {written(high)}]" for high in ends]
            raise ValueError(
                f"expected bounds that are a whole number of steps of {written(step)} apart, as"
                f" {' or '.join(near)}, got [{written(self.low)}, {written(self.high)}]"
            )

    def __str__(self) -> str:
        return f"{written(self.low)} to {written(self.high)} in steps of {written(self.step)}"

    @property
    def whole(self) -> bool:
        """Whether they are whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    @cached_property
    def _units(self) -> tuple[int, int, int]:
        """``low`` and the step as numerators of a common denominator, and that."""
        low, step = exact(self.low), exact(self.step)
        common = math.lcm(low.denominator, step.denominator)
        return int(low * common), int(step * common), common

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return round((exact(self.high) - exact(self.low)) / exact(self.step)) + 1

    @overload
    def __getitem__(self, index: int) -> float: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[float]: ...

    def __getitem__(self, index: int | slice) -> float | Sequence[float]:
        numbers = range(len(self))[index]
        return self.at(numbers) if isinstance(numbers, int) else [self.at(number) for number in numbers]

    def at(self, number: int) -> float:
        """That so many steps above ``low``, also beyond ``high``; infinite beyond a float."""
        low, step, common = self._units
        value = low + step * number
        if self.whole:
            return value
        try:
            # The quotient of whole numbers is the float nearest to it.
            return value / common
        except OverflowError:
            return math.inf if value > 0 else -math.inf

    def __iter__(self) -> Iterator[float]:
        return map(self.at, range(len(self)))

    def __contains__(self, value: object) -> bool:
        return self.number_of(value) is not None

    def number_of(self, value: Any) -> int | None:
        """How many steps above ``low`` a value lies, but for rounding; None for what is none of them."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
            return None
        if (number := self._number_at(value)) is not None:
            return number
        steps = (exact(value) - exact(self.low)) / exact(self.step)
        number = round(steps)
        near = 0 <= number < len(self) and abs(steps - number) <= AS_GOOD_AS_EXACT
        return number if near else None

    def _number_at(self, value: float) -> int | None:
        """The number of what is one of them to the bit, as most are that come: fractions take long."""
        if not self.low <= value <= self.high:
            return None
        with suppress(OverflowError):
            number = round((value - self.low) / self.step)
            if self.at(number) == value:
                return number
        return None

    def beside(self, value: float) -> str:
        """What to write instead of a number between two steps: a part of a sentence; else nothing."""
        if not self.low < value < self.high:
            return ""
        number = math.floor((exact(value) - exact(self.low)) / exact(self.step))
        return f"; the nearest are {written(self.at(number))} and {written(self.at(number + 1))}"

    def from_on(self, value: float) -> float:
        """The first of them that is not below a value between the bounds."""
        return self.at(math.ceil((exact(value) - exact(self.low)) / exact(self.step)))

    def nearest_bounds(self, low: float, high: float) -> tuple[float, float]:
        """The bounds nearest to others, ``low`` below ``high``, that lie on the steps, also beyond these."""
        step = exact(self.step)
        first, last = (round((exact(bound) - exact(self.low)) / step) for bound in (low, high))
        return self.at(first), self.at(max(last, first + 1))


def exact(number: float) -> Fraction:
    """What was written: the shortest decimal that is read as this float."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
