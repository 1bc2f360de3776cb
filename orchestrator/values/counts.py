"""How large a count may be, in a spec and as it is typed on the command line."""

from __future__ import annotations

MOST_DIGITS = 18
"""So that every program that reads the journal can hold it."""
MOST = 10**MOST_DIGITS - 1
MOST_TIMES = 1_000
"""That a point is evaluated on one word."""


def count_in(text: str) -> int:
    """A whole number above 0. Raises `ValueError` with what was expected, and what came."""
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"expected a whole number above 0, got {text}")
    digits = text.lstrip("0")
    if not digits:
        raise ValueError(f"expected a whole number above 0, got {text[:MOST_DIGITS]}")
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"expected a whole number of at most {MOST_DIGITS} digits, got {len(digits)} digits")
    return int(digits)
