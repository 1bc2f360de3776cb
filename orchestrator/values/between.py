"""What results from elsewhere have of a parameter that takes only some numbers: one of these, rounded by
whoever wrote it, as 0.125 as 0.13; or a number between two of them, which no trial of ours can have.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from orchestrator.values.steps import AS_GOOD_AS_EXACT, exact

LEFT_OPEN = Fraction(1, 4)
"""Of the distance between two numbers: digits that leave more than that open do not tell which was meant."""
LEFT_OPEN_AT_BOUNDS = Fraction(1, 1000)
"""Of the distance between two bounds, or on a log scale of the lower one."""
MOST_DECIMALS = 400
OF_ARITHMETIC = 4
"""Units in the last place that a few steps of it leave a number off."""
OF_A_RANGE = Fraction(1, 2**41)
"""That they leave of one whose ends are far from 0, as of 0.3 - 3 x 0.1: less than tells positions apart."""


def as_meant(numbers: Sequence[float], told: float, written: str) -> float:
    """The one of ascending ``numbers``, two or more, that was rounded to the decimals that are ``written``;
    what was ``told``, where none was.
    """
    numbers = _about(numbers, told)
    at = min(max(bisect_left(numbers, told), 1), len(numbers) - 1)
    pair = numbers[at - 1], numbers[at]
    apart = exact(pair[1]) - exact(pair[0])
    found = _rounded_from(written, pair, LEFT_OPEN * apart, AS_GOOD_AS_EXACT * apart)
    return told if found is None else found


def bound_meant(bounds: tuple[float, float], written: str, *, logarithmic: bool) -> float | None:
    """The bound that was rounded to the decimals that are ``written``, or None: 3.142 may be 3.14159, and
    0.30000000000000004, as which floats have 3 x 0.1, is 0.3.
    """
    low, high = map(exact, bounds)
    most = LEFT_OPEN_AT_BOUNDS * (low if logarithmic else high - low)
    if (found := _rounded_from(written, bounds, most)) is not None:
        return found
    rounding = [Fraction(OF_ARITHMETIC * math.ulp(bound)) for bound in bounds]
    if not logarithmic:
        rounding = [max(one, OF_A_RANGE * (high - low)) for one in rounding]
    each = zip(bounds, rounding, strict=True)
    return next((bound for bound, off in each if _is_within(written, bound, off)), None)


def nearest(numbers: Sequence[float], told: float, *, logarithmic: bool = False) -> float:
    """The one of ascending ``numbers`` that lies nearest, perhaps by its logarithm; what was ``told``, where
    that lies beyond them.
    """
    if not numbers or not numbers[0] < told < numbers[-1]:
        return told
    numbers = _about(numbers, told)
    at = bisect_left(numbers, told)
    below, above = numbers[at - 1], numbers[at]
    is_low = told / below < above / told if logarithmic else told - below < above - told
    return below if is_low else above


def _about(numbers: Sequence[float], told: float) -> Sequence[float]:
    """Of all whole numbers between bounds the two about one that was ``told``, as there may be more than a
    list has places; anything else as it came.
    """
    if not isinstance(numbers, range):
        return numbers
    first = max(min(math.floor(told), numbers[-1] - 1), numbers[0])
    return range(first, first + 2)


def _is_within(written: str, bound: float, off: Fraction) -> bool:
    try:
        told = Decimal(written)
    except InvalidOperation:
        return False
    return told.is_finite() and abs(Fraction(float(told)) - Fraction(bound)) <= off


def _rounded_from(
    written: str, numbers: tuple[float, float], most: Fraction, least: Fraction = Fraction(0)
) -> float | None:
    """The one of two numbers that may have been rounded to a text, if its last digit leaves no more open than
    ``most``; ``least`` is left open in any case.
    """
    try:
        told = Decimal(written)
    except InvalidOperation:
        return None
    exponent = told.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > MOST_DECIMALS:
        return None
    half = Fraction(1, 2) * Fraction(10) ** min(exponent, 0)
    off = max(half, least)
    if off > most:
        return None
    return next((one for one in numbers if abs(exact(one) - Fraction(told)) <= off), None)
