"""Shares as people write them, in percent."""

from __future__ import annotations

from decimal import Decimal

MOST_IN_PERCENT = 100.0
"""What is more than so many times as much is no share of anything that a person would read."""


def percent(share: float, digits: int, *, signed: bool = False) -> str:
    """``2950 %`` of 29.5: to so many significant digits, without an exponent of ten, and of what is not quite
    all, as 0.9999, ``>99.9 %``. Where it is ``signed``, what is above 0 has a plus.
    """
    number = Decimal(f"{100.0 * share + 0.0:.{digits}g}")
    if not signed and share < 1.0 <= number / 100:
        return f">{100 - Decimal(10) ** (2 - digits):f} %"
    return f"{number:{'+' if signed and number > 0 else ''}f} %"
