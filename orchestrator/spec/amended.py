"""A spec as it was amended while its run went on. The text that was given stays as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping

from orchestrator.errors import SpecError
from orchestrator.scheduler.policy import Policy
from orchestrator.spec.model import Budget, Spec
from orchestrator.spec.parameters import ChoiceParameter, FixedParameter, IntParameter
from orchestrator.spec.section import written
from orchestrator.spelling import did_you_mean, listed

Bounds = Mapping[str, tuple[float, float]]


def with_bounds(spec: Spec, bounds: Bounds) -> Spec:
    """The spec with other bounds for some of its parameters.

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
        parameters[name] = parameter.model_copy(update={"bounds": pair})
    return spec.model_copy(update={"parameters": parameters})


def _complaint(spec: Spec, name: str, pair: tuple[float, float]) -> str:
    """Why a parameter cannot have these bounds, or nothing."""
    bounded = [n for n, p in spec.parameters.items() if not isinstance(p, ChoiceParameter | FixedParameter)]
    parameter = spec.parameters.get(name)
    low, high = pair
    if parameter is None:
        return (
            f"expected a parameter with bounds ({listed(bounded)}), got `{name}`{did_you_mean(name, bounded)}"
        )
    if isinstance(parameter, ChoiceParameter | FixedParameter):
        return (
            f"expected a parameter with bounds ({listed(bounded)}), got `{name}`, which is {parameter.type}"
        )
    if not all(math.isfinite(bound) for bound in pair) or not math.isfinite(high - low):
        return "expected two finite numbers, LOW,HIGH"
    if low > high:
        return f"expected the lower bound first; swap them: {written(high)},{written(low)}"
    if low == high:
        return "expected a low bound below the high one, got the same twice"
    if parameter.scale == "log" and low <= 0:
        return f"expected bounds above 0, because `{name}` is on a log scale"
    if isinstance(parameter, IntParameter):
        if any(bound != int(bound) for bound in pair):
            return f"expected whole numbers, because `{name}` is an int"
        if any(abs(bound) > 2**53 for bound in pair):
            return "expected whole numbers of at most 2^53"
    return ""


def with_budget(spec: Spec, rules: Policy) -> Spec:
    """The spec with the budgets that are in the rules."""
    # Not validated: what is amended away may leave none, and then a person ends the run.
    budget = Budget.model_construct(**{name: getattr(rules, name) for name in Budget.model_fields})
    return spec.model_copy(update={"budget": budget})
