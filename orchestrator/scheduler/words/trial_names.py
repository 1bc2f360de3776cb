"""What trials, and results known from elsewhere, are called by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NAMED = 10
"""Trials, at most, that are named where there may be many."""


def trial_name(number: int) -> str:
    """``trial 3``, or ``known result -1`` of what was known from elsewhere."""
    return f"trial {number}" if number > 0 else f"known result {number}"


def one_of(count: int) -> str:
    """What a person is expected to name, of so many trials."""
    return f"a trial from 1 to {count}" if count else "a trial, of which there is none yet"


def trial_names(numbers: Iterable[int]) -> str:
    """``trial 3, known result -1``."""
    return ", ".join(map(trial_name, numbers))


def first_names(numbers: Sequence[int]) -> str:
    """Of the first of them, and how many more there are."""
    more = f" and {len(numbers) - NAMED:,} more" if len(numbers) > NAMED else ""
    return f"{trial_names(numbers[:NAMED])}{more}"
