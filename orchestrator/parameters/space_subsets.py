"""How many of a space's parameters may be used at all, as the unit cube has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.errors import SpecError
from orchestrator.expressions.counts import Count, CountLimit, SmallestAmount
from orchestrator.parameters.computed_parameters import ComputedParameters
from orchestrator.parameters.kinds import FloatParameter, Parameter
from orchestrator.parameters.linear_sums import linear_sums
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.unit_cube.subsets import Limit, Subsets
from orchestrator.unit_cube.sums import Sum
from orchestrator.values.steps import Steps


def subsets_of(
    counts: Sequence[Count],
    parameters: tuple[Parameter, ...],
    constants: Mapping[str, float],
    computed: ComputedParameters | None,
    gaps: tuple[int, ...],
) -> Subsets:
    """What constraints say of these parameters, of constants and of what is computed, by the comparisons that
    have the numbers ``gaps``. Raises SpecError for what is computed and cannot be counted, and for amounts of
    what has none.
    """
    named = list(dict.fromkeys(name for one in counts for name in one.names if name not in constants))
    index = {parameter.name: j for j, parameter in enumerate(parameters)}
    own = [name for name in named if name in index]
    followed = [name for name in named if name not in index]
    members = {name: m for m, name in enumerate([*own, *followed])}
    leasts = dict.fromkeys(own, 0.0)
    for one in counts:
        if isinstance(one, SmallestAmount):
            leasts[one.name] = max(leasts.get(one.name, 0.0), _position(one, parameters, index))
    limits = []
    for one in counts:
        if isinstance(one, CountLimit):
            always = sum(constants[name] != 0 for name in one.names if name in constants)
            counted = tuple(members[name] for name in one.names if name in members)
            limits.append(Limit(counted, one.least - always, one.most - always))
    return Subsets(
        tuple(index[name] for name in own),
        tuple(parameters[index[name]].encode(0) for name in own),
        tuple(leasts[name] for name in own),
        _sums(followed, computed),
        tuple(limits),
        gaps,
    )


def _position(amount: SmallestAmount, parameters: tuple[Parameter, ...], index: Mapping[str, int]) -> float:
    parameter = parameters[index[amount.name]] if amount.name in index else None
    if isinstance(parameter, FloatParameter) and parameter.low == 0 and amount.least < parameter.high:
        return parameter.encode(amount.least)
    steps = parameter.values if isinstance(parameter, OrderedParameter) else None
    if parameter is not None and isinstance(steps, Steps) and steps.low == 0 and amount.least < steps.high:
        return parameter.encode(steps.from_on(amount.least))
    raise SpecError(
        f"parameter `{amount.name}`: expected a float with bounds from 0 to above {amount.least:g} to be"
        " 0 or at least that"
    )


def _sums(names: Sequence[str], computed: ComputedParameters | None) -> tuple[Sum, ...]:
    sums = linear_sums(computed)
    for name in names:
        bounds = None if computed is None else next(c.bounds for c in computed.formulas if c.name == name)
        if name not in sums or bounds is None or bounds[0] != 0:
            raise SpecError(
                f"parameter `{name}`: expected what is computed and counted to be a sum of several floats,"
                " which always count, with bounds from 0; count another one"
            )
    return tuple(sums[name] for name in names)
