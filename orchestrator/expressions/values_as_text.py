"""What a condition says of values as a constraint between parameters would, ``solver in ("cg", "gmres")``, as
conditions say it: ``{solver: [cg, gmres]}``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from orchestrator.expressions.alternatives import HasValue
from orchestrator.expressions.one_of import Parent, written
from orchestrator.values.same import alike
from orchestrator.values.steps import Steps

MOST_LISTED = 10
"""Whole numbers of which the others are listed where some are not meant."""


def as_condition(told: HasValue, parent: Parent) -> str:
    """How a condition says it; empty where that would be a list of too many, or of none."""
    values = _others(told.one_of.values, parent) if told.denied else told.one_of.values
    shown = [written(value) for value in values]
    if not shown:
        return ""
    return f"{{{told.one_of.parent}: {shown[0] if len(shown) == 1 else _listed(shown)}}}"


def _listed(shown: Iterable[str]) -> str:
    return f"[{', '.join(shown)}]"


def _others(values: tuple[Any, ...], parent: Parent) -> tuple[Any, ...]:
    """The values of a parent but for some; none where these are not known, or are many."""
    low, high = parent.bounds
    if parent.kind == "choice" and not isinstance(parent.values, Steps):
        own = tuple(parent.values)
    elif parent.kind == "int" and high - low < MOST_LISTED:
        own = tuple(range(int(low), int(high) + 1))
    else:
        own = ()
    return tuple(one for one in own if not any(alike(one, value) for value in values))
