"""Which numbers are finite as a float: there is no largest whole number, and floats hold no large ones."""

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


def in_short(value: Any) -> str:
    """What came, as Python writes it; of a whole number beyond a float only how many digits it has."""
    if isinstance(value, int) and not is_finite(value):
        return f"a whole number of {math.floor(math.log10(abs(value))) + 1:,} digits"
    return repr(value)
