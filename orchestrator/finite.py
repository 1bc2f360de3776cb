"""Which numbers are finite as a float: there is no largest whole number, and floats hold no large ones."""

from __future__ import annotations

import math
from typing import Any

LONGEST_LINE = 100
"""Characters of an array that are shown."""


def is_finite(number: Any) -> bool:
    """Whether a number, of Python or numpy, is one that a float can hold: not NaN, infinite or a whole one
    beyond 1.8e308.
    """
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def in_short(value: Any) -> str:
    """What came, as Python writes it; of a whole number beyond a float only how many digits it has, and of
    what has dimensions, as an array or a table, only these where it takes lines.
    """
    if isinstance(value, int) and not is_finite(value):
        return f"a whole number of {math.floor(math.log10(abs(value))) + 1:,} digits"
    text = repr(value)
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and ("\n" in text or len(text) > LONGEST_LINE):
        return f"{type(value).__name__} of shape {shape}"
    return text
