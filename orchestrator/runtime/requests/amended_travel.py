"""How far a machine may travel at once, and where it was put, as a person amends it: whether that can be."""

from __future__ import annotations

from collections.abc import Collection

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.state import State
from orchestrator.spec.checks.beside import refuse_beside
from orchestrator.spec.checks.one_machine import require_one_machine
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter
from orchestrator.spelling import did_you_mean, those_that_are
from orchestrator.values.finite import is_number, written
from orchestrator.values.periodic import none_beside
from orchestrator.values.travel import BESIDE_WHEN, Travel, Travels, travel_of


def travels_told(request: Amend, spec: Spec, state: State) -> dict[str, Travel]:
    """The limits that a request sets; ``spec`` is as it will be amended. Raises `UsageError` where one cannot
    be, or the machine cannot be said to stand somewhere else.
    """
    now = state.policy.where.travel
    for name in request.anywhere:
        if name not in now:
            raise UsageError(_not_limited(name, now))
        if name in request.travel:
            raise UsageError(f"expected `{name}` to travel so far or anywhere, got both")
    told = {name: _limited(name, limit, spec) for name, limit in request.travel.items()}
    if told and not now:
        _check_machine(spec)
    _check_stands(request, {**now, **told}, spec, state)
    return told


def _limited(name: str, limit: float, spec: Spec) -> Travel:
    numbers = [
        own
        for own, one in spec.parameters.items()
        if isinstance(one, FloatParameter | IntParameter) and own != spec.clock
    ]
    parameter = spec.parameters.get(name)
    if not isinstance(parameter, FloatParameter | IntParameter) or name == spec.clock:
        came = f"`{name}`{did_you_mean(name, numbers)}"
        raise UsageError(f"expected a parameter of type float or int ({those_that_are(numbers)}), got {came}")
    if parameter.periodic:
        raise UsageError(f"--travel {name}={written(limit)}: expected {none_beside('travel')}")
    if parameter.when is not None:
        raise UsageError(f"--travel {name}={written(limit)}: {BESIDE_WHEN}")
    least = parameter.step or (1.0 if isinstance(parameter, IntParameter) else 0.0)
    try:
        # As the spec has it: what is less than a step is no limit.
        found = travel_of(limit, parameter.scale, parameter.bounds, least)
    except ValueError as error:
        raise UsageError(f"--travel {name}={written(limit)}: expected {error}") from None
    return Travel(found.limit, found.logarithmic)


def _check_machine(spec: Spec) -> None:
    """Whether a run of which nothing was limited has one machine, that does one thing after another, and what
    is sought there can be approached.
    """
    refuse_beside(spec, ["travel"])
    require_one_machine(spec, "travel")


def _check_stands(request: Amend, then: Travels, spec: Spec, state: State) -> None:
    changing = (*state.policy.where.changes, *(name for name in request.changes if name in spec.parameters))
    slow = [name for name in dict.fromkeys(changing) if name not in request.at_once]
    limited = [name for name in then if name not in request.anywhere]
    for name, place in request.stands.items():
        if name not in (*limited, *slow):
            raise UsageError(_does_not_matter(name, list(dict.fromkeys([*limited, *slow]))))
        parameter = spec.parameters[name]
        if isinstance(parameter, FloatParameter | IntParameter) and not is_number(place):
            raise UsageError(f"expected a finite number where `{name}` stands, got {place!r}")
        # A log scale has no place for it, and nothing is so far away.
        logarithmic = getattr(parameter, "scale", "linear") == "log"
        if logarithmic and not isinstance(place, str) and place <= 0:
            raise UsageError(f"expected a number above 0 where `{name}` stands, got {written(place)}")
    if request.stands and state.running:
        raise UsageError(
            "expected a machine that does nothing, got one that evaluates a trial: pause the run, and say"
            " where it stands once that is done"
        )


def _does_not_matter(name: str, those: Collection[str]) -> str:
    what = "a parameter that may travel only so far, or takes time to change"
    return f"expected {what} ({those_that_are(those)}), got `{name}`"


def _not_limited(name: str, limited: Collection[str]) -> str:
    return f"expected a parameter that may travel only so far ({those_that_are(limited)}), got `{name}`"
