"""Limits that a person asks about: inequalities of what comes out, and perhaps of parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from orchestrator.errors import UsageError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, Nameable


def limits_among(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """What is to hold, of constraints of which some are to hold as likely as they say."""
    return tuple(replace(one, text=one.limit, kept=None) for one in constraints)


def limits_asked(texts: Iterable[object], names: Nameable) -> tuple[Constraint, ...]:
    """Raises UsageError for what is no inequality of these, one outcome among them at least."""
    return tuple(_asked(text, names) for text in texts)


def _asked(text: object, names: Nameable) -> Constraint:
    if not isinstance(text, str):
        raise UsageError(f"expected a limit as text, as `stress <= 350`, got {text!r}")
    try:
        limit = names.of_known(text)
    except ArithmeticMistake as mistake:
        raise UsageError(f"limit `{text}`: {mistake}") from None
    if limit.kept is not None:
        raise UsageError(
            f"expected a limit alone, as `{limit.limit}`, got `{text}`: how likely it is, is told"
        )
    if not any(name.name in names.outcomes for name in limit.names):
        raise UsageError(f"limit `{text}`: expected one of what comes out, got parameters alone")
    return limit
