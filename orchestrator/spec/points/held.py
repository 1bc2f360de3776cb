"""Parameters that a spec holds, as they are written: see `orchestrator.parameters.held`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.scheduler.rules.places import Places, away
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.points.told_values import value_told
from orchestrator.spec.sections.parameters import ComputedParameter, Parameter, varies
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.named import Values

NOT_ALL = "expected at least one parameter that is not held, got none; what is always so is `{type: fixed}`"


@dataclass(slots=True)
class Held:
    """Values of the kinds that the parameters have; whole only where there are no complaints."""

    places: dict[str, Any] = field(default_factory=dict)
    complaints: list[Complaint] = field(default_factory=list)


def resolve_held(parameters: Mapping[str, Parameter], tree: Node) -> Held:
    """What a spec's tree holds, each mistake at its place."""
    held, told = Held(), tree.get("held")
    entries = {} if told is None or not isinstance(told.content, dict) else told.mapping
    for name, entry in entries.items():
        node = entry.node
        if sentence := cannot_be_held(name, parameters):
            held.complaints.append(Complaint(entry.key_place, sentence))
        elif isinstance(node.content, str | int | float):
            written = node.written or str(node.content)
            try:
                held.places[name] = value_told(name, parameters[name], node.content, written)
            except SpecError as mistake:
                held.complaints.append(Complaint(node.place, str(mistake)))
    if holds_all(held.places, parameters):
        held.complaints.append(Complaint(find_key(tree, ("held",)), NOT_ALL))
    return held


def cannot_be_held(name: str, parameters: Mapping[str, Parameter]) -> str:
    """Why a name is none of a parameter that can be held; or nothing."""
    varied = [one for one, told in parameters.items() if varies(told)]
    if name in varied:
        return ""
    if isinstance(told := parameters.get(name), ComputedParameter):
        return (
            f"expected a parameter that is chosen to hold ({listed(varied)}), got `{name}`, which is"
            f" computed, as `{told.value}`"
        )
    if name in parameters:
        return f"expected a parameter that varies to hold ({listed(varied)}), got `{name}`, which is fixed"
    near = did_you_mean(name, varied)
    return f"expected the name of a parameter to hold ({listed(varied)}), got `{name}`{near}"


def holds_all(held: Places, parameters: Mapping[str, Parameter]) -> bool:
    """Whether nothing is left to be chosen."""
    varied = {name for name, told in parameters.items() if varies(told)}
    return bool(held) and varied <= held.keys()


def elsewhere(node: Node, point: Values, held: Places) -> Iterator[Complaint]:
    """That a point to try first is not where parameters are held."""
    for name in away(held, point):
        told = find(node, (name,))
        sentence = (
            f"expected {shown(held[name])}, at which `{name}` is held, got {shown(told.content)}; what is"
            " known of other values already goes under `results`"
        )
        yield Complaint(told.place, sentence)
