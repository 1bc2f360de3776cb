"""A command's arguments for one evaluation."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from evaluators.errors import EvaluationError
from orchestrator.programs.placeholders import UnknownPlaceholder, filled


def filled_arguments(command: Sequence[str], values: Mapping[str, object]) -> list[str]:
    """The command with its placeholders filled in. Raises `EvaluationError` for one that names nothing."""
    return [_filled(argument, values) for argument in command]


def _filled(argument: str, values: Mapping[str, object]) -> str:
    try:
        return filled(argument, values)
    except UnknownPlaceholder as unknown:
        near = difflib.get_close_matches(unknown.name, values, 1)
        named = (
            f"expected one of {', '.join(values)}, or --each {unknown.name}=VALUE where its worker is started"
        )
        hint = f"did you mean {{{near[0]}}}?" if near else named
        raise EvaluationError(
            "error",
            f"the argument `{argument}` of the command names no parameter {{{unknown.name}}}; {hint}",
        ) from None
