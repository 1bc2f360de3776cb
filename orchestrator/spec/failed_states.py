"""What a state says of a result that has no value: whether it failed, here and in the tables of others."""

from __future__ import annotations

from typing import Any

FAILED = "fail"
"""What the states of failed trials begin with, in capitals or not."""


def says_failed(state: Any) -> bool:
    """Whether a state is that of a failed trial."""
    return str(state).casefold().startswith(FAILED)
