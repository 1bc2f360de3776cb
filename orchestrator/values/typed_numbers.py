"""Numbers that people type: of what is none argparse says what was expected, and what came."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError

from orchestrator.values.counts import MOST_DIGITS, count_in


def typed_count(text: str) -> int:
    """A whole number above 0. Raises `ArgumentTypeError`."""
    try:
        return count_in(text)
    except ValueError as error:
        # Of any other error argparse says what this function is called.
        raise ArgumentTypeError(str(error)) from None


def typed_trial_or_name(text: str) -> int | str:
    """The number of a trial, or `best` or `reference`. Raises `ArgumentTypeError`."""
    if text in ("best", "reference"):
        return text
    if text.isascii() and text.isdigit():
        return typed_count(text)
    raise ArgumentTypeError(f"expected the number of a trial, `best` or `reference`, got {text}")


def typed_trial(text: str) -> int:
    """The number of a trial, or of a known result, 0 or below. Raises `ArgumentTypeError`."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= MOST_DIGITS:
        return int(text)
    raise ArgumentTypeError(f"expected the number of a trial, or of a known result (0, -1, ...), got {text}")


def typed_number(text: str) -> float:
    """A number, which need not be finite. Raises `ArgumentTypeError`."""
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"expected a number, got {text}{decimals_hint(text)}") from None


def typed_tolerance(text: str) -> tuple[str, float]:
    """``span=0.5``: a name and a number, which is not looked at. Raises `ArgumentTypeError`."""
    name, _, width = text.rpartition("=")
    if not name:
        raise ArgumentTypeError(f"expected a parameter and by how much it may be off, span=0.5, got {text}")
    return name, typed_number(width)


def decimals_hint(text: str) -> str:
    """What is to be done about a number with a comma, as ``3,2``, or a list of them, as ``[0,1; 0,25]``;
    empty for any other text.
    """
    if re.fullmatch(r"\[.*;.*\]", text):
        return "; in a list decimals come after points, and commas between its numbers, as in [0.1, 0.25]"
    return "; decimals come after a point, as in 3.2" if re.fullmatch(r"[-+]?\d+,\d+", text) else ""
