"""A text that patterns are looked for in: what a program printed, or one of the files that it wrote."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """Such a text, and how it is spoken of."""

    told: str
    """What the program was to do, as to print it."""
    text: str
    nothing: str
    """What is said of it where it is empty."""
