"""Limits that a person asks about: inequalities of what comes out, and perhaps of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from orchestrator.errors import UsageError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, Nameable
from orchestrator.expressions.references import reference_to
from orchestrator.values.levels import levels_of


def limits_among(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """What is to hold, of constraints of which some are to hold as likely as they say."""
    return tuple(replace(one, text=one.limit, kept=None) for one in constraints)


def limits_asked(
    texts: Iterable[object], names: Nameable, at_reference: Sequence[Mapping[str, object]] = ()
) -> tuple[Constraint, ...]:
    """Those that are relative to the reference are so to the mean of what it was measured to have, each
    result ``at_reference`` by the names of what came out. Raises UsageError for what is no inequality of
    these, one outcome among them at least, or relative to what is not known.
    """
    return tuple(_relative(_asked(text, names), at_reference) for text in texts)


def _relative(limit: Constraint, at_reference: Sequence[Mapping[str, object]]) -> Constraint:
    known = limit.relative_to(levels_of(limit.referred, at_reference))
    if known.referred:
        what = reference_to(known.referred[0])
        raise UsageError(f"limit `{limit.text}`: expected `{what}` to be measured before this is asked")
    return known


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
