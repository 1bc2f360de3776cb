"""Shares as people write them, in percent: in whole ones, in tenths near the ends, or to so many digits."""

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


def plus_or_minus(share: float, digits: int) -> str:
    """``± 2.3 %`` of how far something may be off: to so many significant digits, without an exponent."""
    return f"± {Decimal(f'{100.0 * share:.{digits}g}'):f} %"


def percentage(share: float) -> str:
    """``41 %`` of a share from 0 to 1; what is not quite nothing, or not quite all, is not said to be."""
    whole = round(100.0 * share)
    if share > 0.0 and whole == 0:
        return "<1 %"
    if share < 1.0 and whole == 100:
        return ">99 %"
    return f"{whole} %"


def fine_percentage(share: float) -> str:
    """As `percentage`, with a tenth near to nothing and to all: ``2.3 %``, from ``<0.1 %`` to ``>99.9 %``."""
    if 0.0 < share < 0.0005:
        return "<0.1 %"
    if 0.9995 <= share < 1.0:
        return ">99.9 %"
    whole = 100.0 * share
    near = min(whole, 100.0 - whole)
    return f"{whole:.0f} %" if near >= 9.95 or near == 0.0 else f"{whole:.1f} %"
