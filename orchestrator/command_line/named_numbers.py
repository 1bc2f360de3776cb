"""Numbers and durations that are typed in an option, alone or behind a parameter's name."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from contextlib import suppress

from orchestrator.errors import UsageError
from orchestrator.values.durations import duration_of

NONE = "none"


def numbers_by_name(
    texts: Sequence[str], option: str, parameters: Collection[str]
) -> dict[str, float | None]:
    """Of texts as ``current=2``; None where `none` is said. Raises UsageError."""
    told: dict[str, float | None] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if not name:
            raise UsageError(f"expected {option} NAME=NUMBER, got {text}")
        if name not in parameters and "=" in name and "," in name:
            again = " ".join(f"{option} {one}" for one in text.split(","))
            raise UsageError(f"expected {option} of one parameter at a time, got {text}; say {again}")
        if name in told:
            raise UsageError(f"expected {option} of each parameter once, got `{name}` again")
        told[name] = None if number == NONE else number_typed(number, f"{option} {text}")
    return told


def number_typed(text: str, option: str) -> float:
    """A finite one. Raises UsageError."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"expected a finite number, got `{text}` in {option}")
    return number


def duration_typed(text: str, option: str) -> float:
    """In seconds, above 0; a bare number is seconds. Raises UsageError."""
    told: object = text
    with suppress(ValueError):
        told = float(text)
    try:
        return duration_of(told)
    except ValueError as error:
        raise UsageError(f"{option}: expected {error}, got `{text}`") from None
