"""Blocks of results that differ by an offset, as callers of the Python interface tell of them."""

from __future__ import annotations

from orchestrator.algorithms.base import Problem
from orchestrator.errors import UsageError
from orchestrator.values.block_name import block_name
from orchestrator.values.foreign import in_a_line, single_number


def block_of(told: object, problem: Problem) -> str | None:
    """What a result is of; None where there are no blocks. Raises UsageError for what cannot be the name of
    one.
    """
    if not problem.blocks:
        if told is None:
            return None
        raise UsageError(
            f"expected no block, as results come in none, got {in_a_line(told)}; say `blocks=True` of the"
            " Optimiser"
        )
    plain = single_number(told)
    name = block_name(plain)
    if told is not None and not name:
        raise UsageError(f"expected a block by its name or number, got {in_a_line(told)}")
    return name
