"""Points and results that a run starts from, made complete and checked against the parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from orchestrator.finite import is_number
from orchestrator.spec.complaint import Complaint
from orchestrator.spec.model import Initial
from orchestrator.spec.parameters import (
    ChoiceParameter,
    FixedParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
    condition_of,
    steps_of,
)
from orchestrator.spec.section import no_number_hint, shown
from orchestrator.spec.tree import Node, find_all
from orchestrator.spec.when import ScalarValue
from orchestrator.spec.yaml_tree import scalar
from orchestrator.spelling import did_you_mean, listed


@dataclass(slots=True)
class Resolved:
    """Plain values of the kinds that the parameters have; whole only where there are no complaints."""

    points: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)

    def put_into(self, initial: Initial) -> Initial:
        """What a run starts from, with these values in place of those that were written."""
        results = [
            result.model_copy(update={"parameters": parameters})
            for result, parameters in zip(initial.results, self.results, strict=True)
        ]
        return initial.model_copy(update={"points": self.points, "results": results})


def resolve(parameters: Mapping[str, Parameter], tree: Node) -> Resolved:
    """The points and results of a spec's tree, each with every parameter, fixed ones included. Those that may
    not count may be missing, or have any value: only numpy's arithmetic can tell whether they do.
    """
    resolved = Resolved()
    outcomes = [str(node.content) for node in find_all(tree, ("outcomes",))]
    for node in find_all(tree, ("initial", "points")):
        resolved.points.append(_completed(parameters, node, (), resolved.complaints))
    for node in find_all(tree, ("initial", "results")):
        told = node.get("parameters")
        if told is not None:
            resolved.results.append(_completed(parameters, told, outcomes, resolved.complaints))
    return resolved


def _completed(
    parameters: Mapping[str, Parameter],
    told: Node,
    outcomes: Sequence[str],
    complaints: list[Complaint],
) -> dict[str, Any]:
    """``outcomes`` may stand beside them."""
    completed: dict[str, Any] = {}
    if not isinstance(told.content, dict):
        return completed  # pydantic has said so
    for name, entry in told.mapping.items():
        if name not in parameters:
            near = did_you_mean(name, [*parameters, *outcomes])
            beside = f" and the outcomes {listed(outcomes, 'and')}" if outcomes else ""
            sentence = f"expected the parameters {listed(parameters, 'and')}{beside}, got `{name}`{near}"
            complaints.append(Complaint(entry.key_place, sentence))
    for name, parameter in parameters.items():
        node = told.get(name)
        always = condition_of(parameter) is None
        if node is None or node.content is None:
            if isinstance(parameter, FixedParameter):
                completed[name] = parameter.value
            elif always:
                place = told.place if node is None else node.place
                complaints.append(Complaint(place, f"expected a value for `{name}`, but it is missing"))
        elif isinstance(node.content, str | int | float):
            value = _value(parameter, node.content, node.written or str(node.content))
            if value is None and always:
                numeric = not isinstance(parameter, ChoiceParameter | OrderedParameter | FixedParameter)
                hint = no_number_hint(node.content) if numeric else ""
                sentence = f"expected {_expectation(name, parameter)}, got {shown(node.content)}{hint}"
                sentence += _beside(parameter, node.content)
                complaints.append(Complaint(node.place, sentence))
            completed[name] = node.content if value is None else value
    return completed


def _value(parameter: Parameter, told: ScalarValue, written: str) -> ScalarValue | None:
    """The value as the parameter has it, or None where it is not one of the parameter's."""
    if isinstance(parameter, ChoiceParameter | OrderedParameter | FixedParameter):
        values = [parameter.value] if isinstance(parameter, FixedParameter) else parameter.values
        # By text, so that the cell `1` of a CSV file names the value "1" as well as 1; to the letter first,
        # or `1.10` would name "1.1".
        if written in values:
            return written
        read = scalar(told) if isinstance(told, str) else told
        return next((value for value in values if _text(value) in (_text(told), _text(read))), None)
    if not is_number(told) or isinstance(told, str):
        return None
    if (steps := steps_of(parameter)) is not None:
        number = steps.number_of(told)
        return None if number is None else steps[number]
    low, high = parameter.bounds
    if not low <= told <= high:
        return None
    if isinstance(parameter, IntParameter):
        return int(told) if told == int(told) else None
    return float(told)


def _beside(parameter: Parameter, told: ScalarValue) -> str:
    """The steps that a number lies between, as a part of a sentence."""
    steps = steps_of(parameter)
    return "" if steps is None or isinstance(told, str) or not is_number(told) else steps.beside(told)


def _text(value: ScalarValue | None) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _expectation(name: str, parameter: Parameter) -> str:
    if isinstance(parameter, ChoiceParameter | OrderedParameter):
        return f"{listed(map(_text, parameter.values))} for `{name}`"
    if isinstance(parameter, FixedParameter):
        return f"{shown(parameter.value)}, at which `{name}` is fixed"
    if (steps := steps_of(parameter)) is not None:
        return f"{steps} for `{name}`"
    low, high = parameter.bounds
    kind = "a whole number" if isinstance(parameter, IntParameter) else "a number"
    return f"{kind} in {shown((low, high))} for `{name}`"
