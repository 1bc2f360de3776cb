"""Points and results that a run starts from, made complete and checked against the parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.points.held import elsewhere
from orchestrator.spec.points.named_rows import candidates_in, with_row
from orchestrator.spec.points.told_values import expected_words, known_value_of, value_of
from orchestrator.spec.sections.initial import Initial
from orchestrator.spec.sections.parameters import (
    ComputedParameter,
    FixedParameter,
    GivenParameter,
    Parameter,
    computed_of,
    condition_of,
)
from orchestrator.spec.sections.when import ScalarValue
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.named import Values

NOTHING: Mapping[str, Any] = MappingProxyType({})


def something_follows(spec: Spec) -> bool:
    """Whether anything follows from the points and results that a run starts from: what is computed from
    others, or goes with a row of the candidates.
    """
    begins = bool(spec.initial.points or spec.initial.results)
    return bool(computed_of(spec.parameters)) or (spec.candidates is not None and begins)


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


def resolve(parameters: Mapping[str, Parameter], tree: Node, held: Values = NOTHING) -> Resolved:
    """The points and results of a spec's tree, each with every parameter: fixed ones are included, and in
    points those that are ``held``; those that are computed may be missing, and of a point that says some, and
    is no row, the others. Those that may not count may be missing, or have any value: only numpy's arithmetic
    can tell whether they do.
    """
    resolved = Resolved()
    outcomes = [str(node.content) for node in find_all(tree, ("outcomes",))]
    candidates = candidates_in(tree)
    initial = tree.get("initial")
    reference = None if initial is None else initial.get("reference")
    for node in find_all(tree, ("initial", "points")):
        may_be_part = candidates is None and node is not reference and _says_some(parameters, node, held)
        row = with_row(node, candidates, resolved.complaints)
        point = complete(parameters, row, (), resolved.complaints, held, may_be_part=may_be_part)
        resolved.points.append(point)
        resolved.complaints += elsewhere(node, point, held)
    for node in find_all(tree, ("initial", "results")):
        told = node.get("parameters")
        if told is not None:
            told = with_row(told, candidates, resolved.complaints)
            result = complete(parameters, told, outcomes, resolved.complaints, read=known_value_of)
            resolved.results.append(result)
    return resolved


def _says_some(parameters: Mapping[str, Parameter], told: Node, held: Values) -> bool:
    """Whether a point says any parameter that is chosen, or that is computed from these, beside what is
    ``held``.
    """
    return any(
        name in parameters and name not in held and not isinstance(parameters[name], FixedParameter)
        for name, entry in told.mapping.items()
        if isinstance(entry.node.content, str | int | float)
    )


def complete(
    parameters: Mapping[str, Parameter],
    told: Node,
    outcomes: Sequence[str],
    complaints: list[Complaint],
    held: Values = NOTHING,
    read: Callable[[Parameter, ScalarValue, str], ScalarValue | None] = value_of,
    *,
    may_be_part: bool = False,
) -> dict[str, object]:
    """The values that a mapping of parameters told, with those of what need not be told; what is wrong is put
    among the ``complaints``. ``outcomes`` may stand beside them; what is ``held`` may be left out.
    ``read`` says which value is meant, or None; of what ``may_be_part`` of a point all may be left out.
    """
    completed: dict[str, object] = {}
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
            if isinstance(parameter, ComputedParameter | GivenParameter):
                continue
            if isinstance(parameter, FixedParameter):
                completed[name] = parameter.value
            elif name in held:
                completed[name] = held[name]
            elif always and not may_be_part:
                place = told.place if node is None else node.place
                complaints.append(Complaint(place, f"expected a value for `{name}`, but it is missing"))
        elif isinstance(node.content, str | int | float):
            value = read(parameter, node.content, node.written or str(node.content))
            if value is None and always:
                complaints.append(Complaint(node.place, expected_words(name, parameter, node.content)))
            completed[name] = node.content if value is None else value
    return completed
