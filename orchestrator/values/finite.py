"""Which numbers are finite as a float, there being no largest whole number, and how they are written."""

from __future__ import annotations

import math
from typing import Any


def is_finite(number: Any) -> bool:
    """Whether a number, of Python or numpy, is one that a float can hold: not NaN, infinite or a whole one
    beyond 1.8e308.
    """
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def is_number(value: Any) -> bool:
    """Whether a value is a number that a float can hold; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value)


def in_short(value: Any) -> str:
    """What came, as Python writes it; of a whole number beyond a float only how many digits it has."""
    if isinstance(value, int) and not is_finite(value):
        return f"a whole number of {math.floor(math.log10(abs(value))) + 1:,} digits"
    return repr(value)


def written(number: float) -> str:
    """A number as a person would write it: 1.0 as 1, and how many digits it has where those are hundreds."""
    whole = isinstance(number, float) and number.is_integer() and abs(number) < 1e15
    return str(int(number)) if whole else in_short(number)
