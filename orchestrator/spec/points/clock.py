"""The parameter of a spec whose value is the time: what a run's clock is, and where it begins."""

from __future__ import annotations

from orchestrator.scheduler.rules.clock import Clock
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.durations import seconds_of_unit
from orchestrator.spec.sections.parameters import FloatParameter


def build_clock(spec: Spec) -> Clock | None:
    """The clock of a valid spec, if it has one."""
    if spec.clock is None:
        return None
    parameter = spec.parameters[spec.clock]
    assert isinstance(parameter, FloatParameter)
    unit_s = seconds_of_unit(parameter.unit or "")
    assert unit_s is not None
    return Clock(parameter=spec.clock, unit_s=unit_s, bounds=parameter.bounds)


def at_the_beginning(clock: str | None) -> dict[str, float]:
    """What a clock shows when a run begins."""
    return {} if clock is None else {clock: 0.0}
