"""What a state says of a result, here and in the tables of others: that it failed, or was given up early."""

from __future__ import annotations

FAILED = "fail"
"""What the states of failed trials begin with, in capitals or not."""

PRUNED = "prune"
"""What other programs call trials that were given up early: their values are the last that they reported."""


def says_failed(state: object) -> bool:
    """Whether a state is that of a failed trial."""
    return str(state).casefold().startswith(FAILED)


def says_pruned(state: object) -> bool:
    """Whether a state is that of a trial whose value is none that it ended with."""
    return str(state).casefold().startswith(PRUNED)
