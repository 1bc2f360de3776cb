"""What a column, or a key, of ours is called beside the names that an experiment gives."""

from __future__ import annotations

from collections.abc import Container


def own_name(name: str, taken: Container[str]) -> str:
    """The experiment's names are its own; ours gets as many ``run.`` in front as it takes to be another."""
    while name in taken:
        name = f"run.{name}"
    return name
