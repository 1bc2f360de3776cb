"""Blocks of results that differ by an offset, as callers of the Python interface tell of them."""

from __future__ import annotations

from orchestrator.algorithms.base import Problem
from orchestrator.errors import UsageError
from orchestrator.values.block_name import block_name
from orchestrator.values.foreign import in_a_line, single_number

BESIDE = "expected no {} beside `blocks`: {}"


def refuse_beside_blocks(problem: Problem, stop_when: object) -> None:
    """Raises UsageError for what makes no sense where results come in blocks: see `spec.checks.blocks`."""
    if not problem.blocks:
        return
    alone = "offsets are taken off the value alone"
    for is_there, what, why in (
        (problem.outcome_constraints > 0, "constraints on outcomes", alone),
        (problem.further_objectives > 0, "second objective", alone),
        (
            problem.off is not None,
            "`tolerance`",
            "what is best on average is sought among values as they are",
        ),
        (problem.fidelity is not None, "`fidelity`", "what a cheap look is off by is learned as a function"),
        (problem.clock is not None, "`clock`", "an offset of a block cannot be told from the drift"),
        (stop_when is not None, "`stop_when`", "what is poor in its block may be good without the offset"),
    ):
        if is_there:
            raise UsageError(BESIDE.format(what, why))


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
