"""Numbers that were in single precision before they came here, as 0.1 that is 0.10000000149011612."""

from __future__ import annotations

from struct import pack, unpack


def bound_beyond_which(bounds: tuple[float, float], told: float) -> float | None:
    """The bound beyond which single precision put it; None where it lies within them, or elsewhere."""
    if bounds[0] <= told <= bounds[1]:
        return None
    try:
        return next((one for one in bounds if unpack("f", pack("f", one))[0] == told), None)
    except OverflowError:
        return None
