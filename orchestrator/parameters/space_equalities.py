"""Equalities that tie the parameters of a space that is made already, as further constraints may."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from orchestrator.parameters.described import computed_described, is_computed
from orchestrator.parameters.equalities import without_equalities
from orchestrator.parameters.kinds import FloatParameter, Parameter
from orchestrator.parameters.space import Space


def space_without_equalities(
    space: Space, constraints: Sequence[str], not_computed: Collection[str] = ()
) -> tuple[Space, Sequence[str]]:
    """The space in which as many parameters are computed as there are equalities among further constraints,
    none of them ``not_computed``, and the others of these. Raises SpecError for equalities that cannot be
    solved.
    """
    described = {one.name: _described(space, one) for one in space.parameters}
    described |= {name: {"type": "fixed", "value": value} for name, value in space.fixed.items()}
    told, others = without_equalities(described, constraints, not_computed)
    computed = [computed_described(name, one) for name, one in told.items() if is_computed(one)]
    if not computed:
        return space, constraints
    left = tuple(one for one in space.parameters if not is_computed(told[one.name]))
    return replace(space, parameters=left, computed=(*space.computed, *computed)), others


def _described(space: Space, parameter: Parameter) -> dict[str, Any]:
    """As much of a parameter as an equality asks: only the range of a float that it may have computed."""
    condition = space.conditions.get(parameter.name)
    kept = {} if condition is None else {"otherwise": condition.otherwise, "when": condition.words}
    name = parameter.name
    more = {*space.travel, *space.changes, *space.tolerances, *space.in_use, *space.priors, *space.hunches}
    if isinstance(parameter, FloatParameter) and not (parameter.periodic or name in more):
        bounds = (parameter.low, parameter.high)
        return {"type": "float", "bounds": bounds, "scale": parameter.scale, **kept}
    return {"type": "choice", **kept}
