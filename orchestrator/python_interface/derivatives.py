"""What callers of the Python interface say of derivatives, and tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from orchestrator.errors import UsageError
from orchestrator.parameters.derivatives import differentiable
from orchestrator.parameters.space import Space
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.derivatives import NO_COMPUTED, derivatives_of
from orchestrator.values.foreign import in_a_line, single_number
from orchestrator.values.plain import plain

DifferentiatedBy: TypeAlias = bool | Sequence[str]
"""Whether derivatives are told of all real parameters, or by which."""


def derivatives_by(told: DifferentiatedBy, space: Space) -> tuple[str, ...]:
    """The parameters by which derivatives are told, in the order of the space. Raises UsageError."""
    able, named = differentiable(space), plain(told)
    if isinstance(named, bool):
        names = able if named else ()
    elif isinstance(named, str) or not isinstance(named, Sequence):
        raise UsageError(f"expected `derivatives` as True or a list of parameters, got {in_a_line(told)}")
    else:
        for name in named:
            if name not in able:
                expected = (
                    f"real parameters ({listed(able)})" if able else "no `derivatives`, as there is no float"
                )
                raise UsageError(f"expected {expected}, got {name!r}{did_you_mean(str(name), able)}")
        names = tuple(name for name in able if name in named)
    if named is True and not names:
        raise UsageError("expected a parameter that is a float beside `derivatives`, got none")
    if names and space.computed:
        raise UsageError(NO_COMPUTED.format(space.computed[0].name))
    return names


def derivatives_told(told: object, names: Sequence[str]) -> dict[str, float]:
    """Those of a value that are known: what is None, NaN or infinite is not. Raises UsageError."""
    if told is None:
        return {}
    if not names:
        raise UsageError("expected no derivatives, as the search is told of none: say derivatives=True to it")
    if not isinstance(told, Mapping):
        example = dict.fromkeys(names[:2], 0.5)
        raise UsageError(
            f"expected derivatives by the names of parameters, as {example}, got {in_a_line(told)}"
        )
    try:
        return derivatives_of({name: _known(one) for name, one in told.items()}, names)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _known(told: object) -> Any:
    number = single_number(told)
    return None if isinstance(number, float) and not math.isfinite(number) else number
