"""Numbers that were in single precision before they came here, as 0.1 that is 0.10000000149011612."""

from __future__ import annotations

import math
from struct import pack, unpack

DIGITS = 24
"""Binary ones, of a number in single precision."""


def half_a_step(told: float) -> float:
    """By how much a number may have been rounded that single precision has; 0 of any other."""
    try:
        is_single = unpack("f", pack("f", told))[0] == told
    except OverflowError:
        return 0.0
    return math.ldexp(0.5, math.frexp(told)[1] - DIGITS) if is_single and told else 0.0


def bound_beyond_which(bounds: tuple[float, float], told: float) -> float | None:
    """The bound beyond which single precision put it; None where it lies within them, or elsewhere."""
    if bounds[0] <= told <= bounds[1]:
        return None
    try:
        return next((one for one in bounds if unpack("f", pack("f", one))[0] == told), None)
    except OverflowError:
        return None
