"""Parameters that all trials of a round are to have in common, as they are named for a space."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.spelling import did_you_mean
from orchestrator.values.quoted import quoted
from orchestrator.values.sharing import (
    ALL_SHARED,
    does_not_always_count,
    is_computed,
    is_there_twice,
    varies_in_use,
)


def require_that_they_can_be_shared(space: Space, names: Sequence[str], held: Collection[str]) -> None:
    """Raises SpecError for a name that is unknown or there twice, a parameter that is computed, does not
    always count or varies in use, and where others that are not ``held`` are none.
    """
    for i, name in enumerate(names):
        if sentence := is_there_twice(name) if name in names[:i] else _cannot_be_shared(space, name):
            raise SpecError(sentence)
    chosen = {name for name in space.names if name not in held}
    if chosen and chosen <= {*names}:
        raise SpecError(ALL_SHARED)


def _cannot_be_shared(space: Space, name: str) -> str:
    if name in space.fixed:
        return ""
    if name in {one.name for one in space.computed}:
        return is_computed(name)
    if name not in space.names:
        known = [*space.names, *space.fixed]
        near = did_you_mean(str(name), known)
        return f"expected parameters that trials share ({', '.join(known)}), got {quoted(name)}{near}"
    if name in space.conditions:
        return does_not_always_count(name)
    return varies_in_use(name) if name in space.in_use else ""
