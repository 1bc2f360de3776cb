"""What formulas of parameters may name, and the numbers of those that are fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.expressions.constraints import Nameable
from orchestrator.expressions.counts import NEVER_ZERO, NOT_ALWAYS
from orchestrator.expressions.one_of import Parent
from orchestrator.parameters.kinds import ChoiceParameter, IntParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.values.finite import is_number


def nameable(
    parameters: Iterable[Parameter],
    fixed: Mapping[str, Any],
    outcomes: tuple[str, ...] = (),
    computed: Iterable[str] = (),
    conditional: Iterable[str] = (),
) -> Nameable:
    """What constraints of these parameters, of those that are ``computed``, and of outcomes may be about.
    Those that are ``conditional`` do not always count.
    """
    told, following = tuple(parameters), tuple(computed)
    with_values = [p for p in told if isinstance(p, ChoiceParameter | OrderedParameter)]
    without = {p.name: p for p in with_values if not p.all_numbers}
    others = {name: f"has the values {', '.join(map(str, p.values[:4]))}" for name, p in without.items()}
    others |= {name: f"is fixed at {value}" for name, value in fixed.items() if not is_number(value)}
    return Nameable(
        (*(p.name for p in told if p.name not in without), *following),
        tuple(name for name, value in fixed.items() if is_number(value)),
        others,
        outcomes,
        {p.name: NEVER_ZERO for p in told if p.name not in without and not _may_be_zero(p)}
        | dict.fromkeys(conditional, NOT_ALWAYS),
        parents={p.name: _parent(p) for p in told}
        | {name: Parent("fixed", (value,)) for name, value in fixed.items()}
        | {name: Parent("float") for name in following},
    )


def _parent(parameter: Parameter) -> Parent:
    if isinstance(parameter, ChoiceParameter | OrderedParameter):
        return Parent("choice", parameter.values)
    if isinstance(parameter, IntParameter):
        return Parent("int", bounds=(parameter.low, parameter.high))
    return Parent("float", bounds=(parameter.low, parameter.high))


def _may_be_zero(parameter: Parameter) -> bool:
    try:
        parameter.encode(0)
    except SpecError:
        return False
    return True


def constants_among(fixed: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """Those of the fixed parameters that are numbers."""
    return tuple((name, float(value)) for name, value in fixed.items() if is_number(value))
