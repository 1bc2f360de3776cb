"""What callers of the Python interface say of how closely an evaluation looks, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.foreign import numbers_within
from orchestrator.values.plain import plain

_KEYS = ("parameter", "cost", "full", "continues")
_EXAMPLE = '{"parameter": "cells", "cost": "cells ** 2"}'


def fidelity_of(told: object, space: Space, budget: float | None) -> Fidelity | None:
    """As a spec has it, of a space, with as much as all trials may cost; without a cost, that is learned.
    Raises SpecError for what makes no sense of it or leaves no point at full fidelity, UsageError for a
    budget without it.
    """
    if told is None:
        if budget is not None:
            raise UsageError(
                f"expected `fidelity`, which says what a trial costs, as {_EXAMPLE}, beside a plan with a"
                f" cost of {budget:g}, got none"
            )
        return None
    if not isinstance(told, Mapping):
        raise UsageError(f"expected fidelity as {_EXAMPLE}, got {told!r}")
    for key in told:
        if key not in _KEYS:
            raise UsageError(
                f"expected of fidelity {listed(_KEYS, 'and')}, got `{key}`{did_you_mean(str(key), _KEYS)}"
            )
    if "parameter" not in told:
        raise UsageError(f"expected of fidelity its `parameter`, as {_EXAMPLE}, got none")
    name, cost = told["parameter"], numbers_within(told.get("cost"))
    if not isinstance(name, str):
        raise UsageError(f"expected the name of a parameter to choose fidelity by, got {name!r}")
    continues = told.get("continues", False)
    if not isinstance(continues, bool):
        raise UsageError(f"expected of fidelity whether it `continues`, True or False, got {continues!r}")
    try:
        fidelity = Fidelity.of(space, name, cost, plain(told.get("full")), budget, continues=continues)
    except SpecError as mistake:
        raise SpecError(f"fidelity: {mistake}") from None
    fidelity.require_feasible_points(space)
    return fidelity
