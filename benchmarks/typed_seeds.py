"""How many seeds a person types: of what is no such number argparse says what was expected, and what came."""

from __future__ import annotations

from argparse import ArgumentTypeError


def typed_seeds(text: str) -> int:
    """A whole number, 0 or more: of none, what is kept is shown. Raises `ArgumentTypeError`."""
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"expected a whole number of at least 0, got {text}")
    return int(text)
