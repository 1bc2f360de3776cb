"""The parameter of a spec whose value is the time: what it must be, and where else it is not named."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.expressions.constraints import named_in
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.durations import UNITS, seconds_of_unit
from orchestrator.spec.sections.parameters import (
    ComputedParameter,
    FloatParameter,
    Parameter,
    conditions_of,
    varies,
)
from orchestrator.spelling import did_you_mean, listed

AS = "as `hours: {type: float, bounds: [0, 48], unit: h}`"
AROUND_0 = "expected bounds that hold 0, when the run begins, and some time after it"
NOTHING_ELSE = "expected at least one parameter to choose beside the clock, got none"


def is_the_clock(name: str) -> str:
    """Why a parameter is neither held nor told of a point to try."""
    return f"expected a parameter other than `{name}`, which is the clock: it is as late as it is"


def check_clock(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    name, parameters = parts.get("clock"), parts.get("parameters")
    if name is None or parameters is None:
        return
    place = find_key(tree, ("clock",))
    if name not in parameters:
        near = did_you_mean(name, parameters)
        yield Complaint(
            find(tree, ("clock",)).place,
            f"expected the parameter that is the clock ({listed(parameters)}), got `{name}`{near}",
        )
        return
    yield from _of_the_parameter(tree, name, parameters[name])
    held = parts.get("held") or {}
    varied = {one for one, told in parameters.items() if varies(told)}
    if varied <= {name, *held}:
        yield Complaint(place, NOTHING_ELSE)
    if name in held:
        yield Complaint(find_key(tree, ("held", name)), is_the_clock(name))
    yield from _not_named(tree, parts, name)


def _of_the_parameter(tree: Node, name: str, told: Parameter) -> Iterator[Complaint]:
    place = find_key(tree, ("parameters", name))
    if not isinstance(told, FloatParameter):
        yield Complaint(place, f"expected a float as the clock, {AS}, got {told.type}")
        return
    if seconds_of_unit(told.unit or "") is None:
        came = "none" if told.unit is None else shown(told.unit)
        yield Complaint(place, f"expected a unit of time ({listed(UNITS)}), {AS}, got {came}")
    more = (told.step, told.travel, told.change, told.tolerance, told.when)
    if told.scale != "linear" or told.periodic or any(one is not None for one in more):
        sentence = f"expected a clock that runs evenly and always counts, {AS}, without more"
        yield Complaint(place, sentence)
    if sentence := cannot_bound_a_clock(told.bounds):
        came = shown(list(told.bounds))
        yield Complaint(find_key(tree, ("parameters", name, "bounds")), f"{sentence}, got {came}")


def cannot_bound_a_clock(bounds: tuple[float, float]) -> str:
    """What bounds should be, where they are none of a clock."""
    low, high = bounds
    return "" if low <= 0 < high else AROUND_0


def _not_named(tree: Node, parts: Parts, name: str) -> Iterator[Complaint]:
    """What else names the clock, and cannot."""
    fidelity = parts.get("fidelity")
    if fidelity is not None and fidelity.parameter == name:
        yield Complaint(find(tree, ("fidelity", "parameter")).place, is_the_clock(name))
    for own, condition in conditions_of(parts["parameters"]).items():
        if name in condition.parents:
            yield Complaint(find_key(tree, ("parameters", own, "when")), is_the_clock(name))
    for own, told in parts["parameters"].items():
        if isinstance(told, ComputedParameter) and name in named_in(f"{told.value} < 0"):
            yield Complaint(find(tree, ("parameters", own, "value")).place, is_the_clock(name))
    for i, text in enumerate(parts.get("constraints") or ()):
        if name in named_in(text):
            yield Complaint(find(tree, ("constraints", i)).place, is_the_clock(name))
