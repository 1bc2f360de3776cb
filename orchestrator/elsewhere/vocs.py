"""What a VOCS of gest-api says (variables, objectives, constraints, constants), as an `Optimiser` is told it.

Everything raises SpecError, with what was expected and what came.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gest_api.vocs import (
    VOCS,
    BaseConstraint,
    BaseVariable,
    BoundsConstraint,
    ContextualVariable,
    ContinuousVariable,
    DiscreteVariable,
    ExploreObjective,
    GreaterThanConstraint,
    LessThanConstraint,
    MaximizeObjective,
    MinimizeObjective,
)

from orchestrator.elsewhere.names import nameable
from orchestrator.errors import SpecError
from orchestrator.objectives import OF_THE_VALUE, Goal
from orchestrator.parameters.values import number_in

GOALS: Mapping[type, Goal] = {
    MinimizeObjective: "minimise",
    MaximizeObjective: "maximise",
    # Of what is explored neither end is sought.
    ExploreObjective: "maximise",
}


@dataclass(frozen=True, slots=True)
class VocsProblem:
    """``parameters`` are described as for an `Optimiser`, constants among them. ``objective`` is what results
    have the value as, ``value`` a name of its own for it, and ``goal`` its goal; ``objectives`` are the
    further ones, and ``constraints`` those on outcomes, by names for which ``outcomes`` has the results' own.
    ``contextual`` parameters are observed, and not chosen; ``explored``: the whole function is sought, and
    not its best point.
    """

    parameters: Mapping[str, object]
    contextual: tuple[str, ...]
    objective: str
    value: str
    goal: Goal
    objectives: Mapping[str, Goal]
    constraints: tuple[str, ...]
    outcomes: Mapping[str, str]
    explored: bool

    @classmethod
    def of(cls, vocs: VOCS, more: Mapping[str, Mapping[str, object]]) -> VocsProblem:
        """``more`` is said of variables, by name, than a VOCS can say, as ``{"scale": "log"}``."""
        if unknown := [name for name in more if name not in vocs.variables]:
            known = ", ".join(vocs.variables)
            raise SpecError(f"expected more of the variables {known}, got it of `{unknown[0]}`")
        parameters = {name: _parameter(name, one, more.get(name, {})) for name, one in vocs.variables.items()}
        constants = {name: {"type": "fixed", "value": one.value} for name, one in vocs.constants.items()}
        (objective, goal), *further = _goals(vocs)
        taken = {*parameters, *constants, *OF_THE_VALUE}
        value = nameable(objective, taken)
        own: dict[str, str] = {}
        for name, _ in further:
            own[nameable(name, taken)] = name
        objectives = {mine: goal for mine, (_, goal) in zip(own, further, strict=True)}
        texts: list[str] = []
        for name, constraint in vocs.constraints.items():
            # Even where it is an objective: the value has no name in a constraint.
            mine = nameable(name, taken)
            own[mine] = name
            texts += _text(mine, name, constraint)
        return cls(
            parameters={**parameters, **constants},
            contextual=tuple(n for n, one in vocs.variables.items() if isinstance(one, ContextualVariable)),
            objective=objective,
            value=value,
            goal=goal,
            objectives=objectives,
            constraints=tuple(texts),
            outcomes=own,
            explored=any(isinstance(one, ExploreObjective) for one in vocs.objectives.values()),
        )

    def parted(self, parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Those that are chosen, or constant, and those that are contextual."""
        observed = {name: value for name, value in parameters.items() if name in self.contextual}
        return {name: value for name, value in parameters.items() if name not in observed}, observed


def _parameter(name: str, variable: BaseVariable, more: Mapping[str, object]) -> dict[str, object]:
    dtype = _scalar_type(name, variable.dtype)
    if isinstance(variable, ContinuousVariable):
        low, high = variable.domain
        if not (math.isfinite(low) and math.isfinite(high)):
            raise SpecError(
                f"variable `{name}`: expected finite bounds, got [{low}, {high}]; give it a domain"
            )
        if dtype is not None and dtype.kind in "iu":
            return {"type": "int", "bounds": [math.ceil(low), math.floor(high)], **more}
        return {"type": "float", "bounds": [low, high], **more}
    if isinstance(variable, DiscreteVariable):
        if isinstance(described := more.get("values"), Mapping):
            if set(described) != set(variable.values):
                raise SpecError(
                    f"variable `{name}`: expected each of its values described, {_listed(variable.values)},"
                    f" got {_listed(described)}"
                )
            return {"type": "choice", **more}
        # A set of texts has another order in each process.
        if all(number_in(value) is not None for value in variable.values) and len(variable.values) > 1:
            return {"type": "ordered", "values": sorted(variable.values), **more}
        values = sorted(variable.values, key=lambda value: (type(value).__name__, repr(value)))
        return {"type": "choice", "values": values, **more}
    came = type(variable).__name__
    raise SpecError(f"variable `{name}`: expected a continuous, discrete or contextual one, got a {came}")


def _listed(values: Collection[object]) -> str:
    return ", ".join(sorted(map(repr, values)))


def _scalar_type(name: str, told: object) -> np.dtype | None:
    """Raises SpecError for that of an array: each variable is one number, text or choice here."""
    if told is None:
        return None
    dtype: np.dtype = np.dtype(told)  # type: ignore[call-overload]  # whatever numpy takes for one
    if dtype.shape:
        raise SpecError(
            f"variable `{name}`: expected a scalar, got an array of the shape {dtype.shape}; make a variable"
            " of each of its numbers"
        )
    return dtype


def _goals(vocs: VOCS) -> Sequence[tuple[str, Goal]]:
    if not vocs.objectives:
        raise SpecError("expected at least one objective, got none")
    kinds = {type(objective) for objective in vocs.objectives.values()}
    if ExploreObjective in kinds and len(kinds) > 1:
        raise SpecError("expected objectives that are all explored, or none of them, got both")
    return [(name, GOALS[type(objective)]) for name, objective in vocs.objectives.items()]


def _text(mine: str, name: str, constraint: BaseConstraint) -> Collection[str]:
    """The inequality; none where a bound is infinite."""
    if isinstance(constraint, LessThanConstraint):
        return [f"{mine} < {constraint.value!r}"] if constraint.value < math.inf else []
    if isinstance(constraint, GreaterThanConstraint):
        return [f"{mine} > {constraint.value!r}"] if constraint.value > -math.inf else []
    if isinstance(constraint, BoundsConstraint):
        low, high = constraint.range
        above = [f"{mine} >= {low!r}"] if low > -math.inf else []
        return [*above, f"{mine} <= {high!r}"] if high < math.inf else above
    raise SpecError(f"constraint `{name}`: expected a bound or two, got a {type(constraint).__name__}")
