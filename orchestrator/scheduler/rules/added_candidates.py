"""Rows that were added to the candidates of a run since it began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Columns: TypeAlias = Mapping[str, tuple[str | int | float | bool, ...]]
"""The values of rows, by the name of the column: of each as many as there are rows."""


def with_rows(before: Columns, more: Columns) -> Columns:
    """Rows, and those that follow them; either may be none at all."""
    if not before or not more:
        return before or more
    return {name: (*values, *more[name]) for name, values in before.items()}


def row_count(columns: Columns) -> int:
    """How many there are."""
    return len(next(iter(columns.values()), ()))


def more_words(columns: Columns) -> str:
    """``12 more candidates``."""
    count = row_count(columns)
    return f"{count:,} more candidate{'' if count == 1 else 's'}"
