"""What a block of results is called, such as a plate: as a result says it, or a person, or a column."""

from __future__ import annotations

from orchestrator.values.finite import is_finite

BY_WORKER = "worker"
"""What a spec calls blocks that are who evaluated."""
OF_NO_BLOCK = ""
"""Where none is said: results that say none are of one block more."""


def block_name(told: object) -> str:
    """A text as it is, and a number as it is written, 7.0 as 7; what is neither says none."""
    if isinstance(told, bool):
        return OF_NO_BLOCK
    if isinstance(told, str):
        return told.strip()
    if isinstance(told, int | float) and is_finite(told):
        return f"{told:.0f}" if told == int(told) else repr(told)
    return OF_NO_BLOCK
