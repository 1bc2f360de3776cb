"""Arrays of one element, which programs return where they mean a number."""

from __future__ import annotations

from typing import Any


def single_in(told: object) -> Any:
    """What an array of one element, which is a list to JSON, has in it; anything else as it came."""
    while isinstance(told, list) and len(told) == 1:
        told = told[0]
    return told
