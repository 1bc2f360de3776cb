"""A spec as it was amended while its run went on. The text that was given stays as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints
from orchestrator.scheduler.rules.bounds import outside
from orchestrator.scheduler.rules.places import Places, place_words
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.spec.checks.clock import cannot_bound_a_clock
from orchestrator.spec.model import Budget, Spec
from orchestrator.spec.sections.parameters import (
    ChoiceParameter,
    ComputedParameter,
    FixedParameter,
    FloatParameter,
    GivenParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
    bounds_of_draws,
    draws_among,
    hunches_among,
    in_use_among,
    priors_among,
    steps_of,
    tolerances_of,
    varies,
)
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.change import Changes
from orchestrator.values.distributions import ByChance
from orchestrator.values.drawn import rows_within
from orchestrator.values.finite import written
from orchestrator.values.hunch import among_fewer
from orchestrator.values.in_use import require_of_numbers, require_of_values
from orchestrator.values.prior import require_prior_of_numbers, require_prior_of_values
from orchestrator.values.travel import Travels

Bounds = Mapping[str, tuple[float, float]]


def with_bounds(spec: Spec, bounds: Bounds) -> Spec:
    """The spec with other bounds for some of its parameters: of ordered numbers, the values between them.
    What was said to be promising beyond them says nothing any more.

    Raises:
        SpecError: a parameter is unknown or has no bounds, or the bounds make no sense for it.
    """
    parameters = dict(spec.parameters)
    for name, pair in bounds.items():
        complaint = _complaint(spec, name, pair)
        if complaint:
            raise SpecError(f"--bounds {name}={written(pair[0])},{written(pair[1])}: {complaint}")
        parameter = parameters[name]
        if isinstance(parameter, IntParameter):
            pair = (int(pair[0]), int(pair[1]))
        update: dict[str, object] = {"bounds": pair}
        if isinstance(parameter, OrderedParameter):
            kept = [pair[0] <= value <= pair[1] for value in parameter.numbers]
            values = [value for value, own in zip(parameter.numbers, kept, strict=True) if own]
            update = {"values": values, **_promising_among(name, parameter, kept)}
        parameters[name] = parameter.model_copy(update=update)
        _check_in_use(name, pair, parameters[name])
        _check_prior(name, pair, parameters[name])
    _check_draws(bounds, parameters)
    return spec.model_copy(update={"parameters": parameters})


def _check_in_use(name: str, pair: tuple[float, float], amended: Parameter) -> None:
    """Raises SpecError where it varies in use as it cannot within these bounds."""
    in_use = in_use_among({name: amended}).get(name)
    try:
        if in_use is None:
            return
        if isinstance(amended, OrderedParameter):
            require_of_values(in_use, amended.values)
        else:
            require_of_numbers(in_use, pair)
    except ValueError as error:
        told = f"--bounds {name}={written(pair[0])},{written(pair[1])}"
        raise SpecError(f"{told}: it varies in use, and for that expected {error}") from None


def _check_prior(name: str, pair: tuple[float, float], amended: Parameter) -> None:
    """Raises SpecError where what is known of it beforehand cannot be within these bounds."""
    try:
        if (prior := priors_among({name: amended}).get(name)) is None:
            return
        if isinstance(amended, OrderedParameter):
            require_prior_of_values(prior, len(amended.values))
        else:
            require_prior_of_numbers(prior, *pair)
    except ValueError as error:
        told = f"--bounds {name}={written(pair[0])},{written(pair[1])}"
        raise SpecError(f"{told}: it has a `prior`, and for that expected {error}") from None


def _promising_among(name: str, parameter: Parameter, kept: Sequence[bool]) -> dict[str, object]:
    """What is said to be promising of those of its values that are kept, if anything is of any."""
    said = hunches_among({name: parameter}).get(name)
    if not isinstance(said, ByChance):
        return {}
    left = among_fewer(said, kept)
    return {"promising": None if left is None else left.told}


def _check_draws(bounds: Mapping[str, tuple[float, float]], parameters: Mapping[str, Parameter]) -> None:
    """Raises SpecError where too few of the draws that are known lie within all bounds."""
    drawn = draws_among(parameters)
    if not drawn.keys() & bounds.keys():
        return
    try:
        rows_within(drawn, bounds_of_draws(parameters))
    except ValueError as error:
        each = [f"--bounds {name}={written(low)},{written(high)}" for name, (low, high) in bounds.items()]
        raise SpecError(f"{' '.join(each)}: {error}") from None


def with_held(spec: Spec, places: Places) -> Spec:
    """The spec with these parameters held in place of its own."""
    return spec.model_copy(update={"held": dict(places)})


def with_constraints(spec: Spec, constraints: AmendedConstraints) -> Spec:
    """The spec with the constraints that were added, and without those that were withdrawn, relative to what
    was measured at the reference.
    """
    amended = spec.model_copy(update={"constraints": list(constraints.among(spec.constraints))})
    return amended.relative_to(constraints.known_levels) if constraints.levels else amended


def with_travel(spec: Spec, travels: Travels) -> Spec:
    """The spec with these limits on how far settings may travel, and no others."""
    parameters = dict(spec.parameters)
    for name, told in parameters.items():
        if isinstance(told, FloatParameter | IntParameter):
            limit = travels[name].limit if name in travels else None
            parameters[name] = told.model_copy(update={"travel": limit})
    return spec.model_copy(update={"parameters": parameters})


def with_changes(spec: Spec, changes: Changes) -> Spec:
    """The spec with these durations of what settings take to change, and no others."""
    parameters = dict(spec.parameters)
    for name, told in parameters.items():
        if varies(told):
            takes = changes[name].told if name in changes else None
            parameters[name] = told.model_copy(update={"change": takes})
    return spec.model_copy(update={"parameters": parameters})


def with_fixed(spec: Spec, places: Mapping[str, Any]) -> Spec:
    """The spec with some of its parameters fixed, where it was to choose them."""
    fixed = {
        name: FixedParameter(type="fixed", value=value, unit=spec.parameters[name].unit)
        for name, value in places.items()
    }
    held = {name: value for name, value in spec.held.items() if name not in places}
    return spec.model_copy(update={"parameters": {**spec.parameters, **fixed}, "held": held})


def _complaint(spec: Spec, name: str, pair: tuple[float, float]) -> str:
    """Why a parameter cannot have these bounds, or nothing."""
    return _without_bounds(spec, name, pair[0]) or _off(spec, name, pair)


def _without_bounds(spec: Spec, name: str, low: float) -> str:
    """Why a parameter cannot have any, of which ``low`` would be one, or nothing."""
    bounded = [n for n, p in spec.parameters.items() if _has_bounds(p)]
    those = listed(bounded) if bounded else "none has any"
    parameter = spec.parameters.get(name)
    if spec.fidelity is not None and name == spec.fidelity.parameter:
        return (
            f"expected a parameter other than `{name}`, which says how closely an evaluation looks: what is"
            " full fidelity stays so; for another, begin a run of its own"
        )
    if parameter is None:
        return f"expected a parameter with bounds ({those}), got `{name}`{did_you_mean(name, bounded)}"
    if isinstance(parameter, ComputedParameter) and parameter.bounds is None:
        return f"expected a parameter with bounds ({those}), got `{name}`, which has none in the spec"
    if spec.candidates is not None and name in spec.candidates.columns:
        return (
            f"expected a parameter that is no column of the candidates, got `{name}`: which of these are left"
            f" out says a constraint, as `{name} >= {written(low)}`"
        )
    if isinstance(parameter, FloatParameter | IntParameter) and parameter.periodic:
        return (
            f"expected a parameter that does not come round, got `{name}`: its bounds are one setting; where"
            f" it may be says a constraint, as `{name} >= {written(low)}`"
        )
    if not _has_bounds(parameter):
        return f"expected a parameter with bounds ({those}), got `{name}`, which is {parameter.type}"
    return ""


def _off(spec: Spec, name: str, pair: tuple[float, float]) -> str:
    """What is wrong with the bounds of a parameter that may have some, or nothing."""
    parameter, (low, high) = spec.parameters[name], pair
    if not all(math.isfinite(bound) for bound in pair) or not math.isfinite(high - low):
        return "expected two finite numbers, LOW,HIGH"
    if low > high:
        return f"expected the lower bound first; swap them: {written(high)},{written(low)}"
    if low == high:
        return "expected a low bound below the high one, got the same twice"
    if name == spec.clock and (sentence := cannot_bound_a_clock(pair)):
        return sentence
    off_by = tolerances_of(spec.parameters).get(name, 0.0)
    if off_by >= high - low:
        return f"expected bounds that are further apart than its tolerance, {written(off_by)}"
    if outside({name: pair}, spec.held):
        return (
            f"expected bounds around what it is held at, {place_words({name: spec.held[name]})}; hold it at"
            f" another value, --held {name}=VALUE, or let it be chosen, --free {name}"
        )
    if isinstance(parameter, OrderedParameter):
        if any(bound not in parameter.numbers for bound in pair):
            return f"expected two of its values, {listed(map(written, parameter.numbers))}"
        return ""
    assert not isinstance(parameter, ChoiceParameter | FixedParameter | GivenParameter)
    if isinstance(parameter, ComputedParameter):
        return ""
    if parameter.scale == "log" and low <= 0:
        return f"expected bounds above 0, because `{name}` is on a log scale"
    if isinstance(parameter, IntParameter):
        if any(bound != int(bound) for bound in pair):
            return f"expected whole numbers, because `{name}` is an int"
        if any(abs(bound) > 2**53 for bound in pair):
            return "expected whole numbers of at most 2^53"
    return _off_steps(parameter, low, high)


def keeps_to_steps(parameter: FloatParameter | IntParameter, low: float, high: float) -> bool:
    """Whether a parameter that takes steps, if it does, has them from one of these bounds to the other."""
    return not _off_steps(parameter, low, high)


def _has_bounds(parameter: Parameter) -> bool:
    if isinstance(parameter, OrderedParameter):
        return bool(parameter.numbers)
    if isinstance(parameter, ComputedParameter):
        return parameter.bounds is not None
    return not isinstance(parameter, ChoiceParameter | FixedParameter | GivenParameter)


def _off_steps(parameter: Parameter, low: float, high: float) -> str:
    """Why a parameter that takes steps cannot have these bounds, or nothing."""
    steps = steps_of(parameter)
    if steps is None:
        return ""
    nearest = steps.nearest_bounds(low, high)
    if nearest == (low, high):
        return ""
    return (
        f"expected bounds that keep to its steps of {written(steps.step)} from {written(steps.low)}, as"
        f" {written(nearest[0])},{written(nearest[1])}"
    )


def with_budget(spec: Spec, rules: Policy) -> Spec:
    """The spec with the budgets that are in the rules."""
    # Not validated: what is amended away may leave none, and then a person ends the run.
    budget = Budget.model_construct(**{name: getattr(rules.budget, name) for name in Budget.model_fields})
    return spec.model_copy(update={"budget": budget})
