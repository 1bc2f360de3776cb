"""What it takes to change settings, as a person amends it: whether that can be."""

from __future__ import annotations

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.state import State
from orchestrator.spec.checks.beside import refuse_with_what_is_beside
from orchestrator.spec.checks.one_machine import require_one_machine
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter, Varying, varies
from orchestrator.spelling import did_you_mean, those_that_are
from orchestrator.values.change import BESIDE_WHEN, Change, change_of
from orchestrator.values.periodic import none_beside


def changes_told(request: Amend, spec: Spec, state: State) -> dict[str, Change]:
    """What a request says of it; ``spec`` is as it will be. Raises `UsageError` where it cannot be."""
    now = state.policy.where.changes
    for name in request.at_once:
        if name not in now:
            came = f"got `{name}`{did_you_mean(name, now)}"
            raise UsageError(
                f"expected a parameter that takes time to change ({those_that_are(now)}), {came}"
            )
        if name in request.changes:
            raise UsageError(f"expected `{name}` to change in so long or at once, got both")
    told = {name: _change(name, takes, spec) for name, takes in request.changes.items()}
    if told and not now:
        _check_machine(spec)
    return told


def _change(name: str, takes: object, spec: Spec) -> Change:
    parameter = spec.parameters.get(name)
    if not isinstance(parameter, Varying) or name == spec.clock:
        own = [one for one, told in spec.parameters.items() if varies(told) and one != spec.clock]
        came = f"`{name}`{did_you_mean(name, own)}"
        raise UsageError(f"expected a parameter that is chosen ({those_that_are(own)}), got {came}")
    if isinstance(parameter, FloatParameter | IntParameter) and parameter.periodic:
        raise UsageError(f"--change {name}: expected {none_beside('change')}")
    if parameter.when is not None:
        raise UsageError(f"--change {name}: {BESIDE_WHEN}")
    scale = parameter.scale if isinstance(parameter, FloatParameter | IntParameter) else None
    try:
        return change_of(takes, scale)
    except ValueError as error:
        raise UsageError(f"--change {name}: expected {error}") from None


def _check_machine(spec: Spec) -> None:
    """Whether a run of which nothing took time to change has one machine, that does one thing after another,
    and an algorithm that can leave settings as they are.
    """
    # The algorithms need not be loaded to amend anything else.
    from orchestrator.spec.numerical_checks.held import HOLDS

    refuse_with_what_is_beside(spec, "change")
    require_one_machine(spec, "change")
    if not HOLDS.of(spec.algorithm.name):
        raise UsageError(HOLDS.lacking(spec.algorithm.name))
