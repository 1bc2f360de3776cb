"""Whether the rest of a point can be chosen beside the part of it that a spec says."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.errors import SpecError
from orchestrator.parameters.held import held_within
from orchestrator.parameters.space import Space
from orchestrator.spec.checks.at_odds import sentence_of
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.numerical_checks.held import HOLDS_FOR_PARTS
from orchestrator.spec.partial_points import as_always, part_of, parts_among
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.parameters import in_use_among
from orchestrator.values.named import Values
from orchestrator.values.over import EACH

HELD = "the rest of a point is chosen where what it says is held"


def check_parts_of_points(tree: Node, space: Space, spec: Spec) -> Iterator[Complaint]:
    """What is wrong with the points that say some of the parameters, each at its place."""
    numbers = sorted(parts_among(spec))
    nodes = find_all(tree, ("initial", "points"))
    if numbers and (sentence := _not_here(spec)):
        yield Complaint(nodes[numbers[0]].place, sentence)
        return
    beside = as_always(spec)
    for number in numbers:
        part = part_of(spec, spec.initial.points[number])
        try:
            held_within(space, {**beside, **part})
        except SpecError as mistake:
            yield Complaint(_place(nodes[number], part, mistake), f"{HELD}: {mistake}")


def _not_here(spec: Spec) -> str:
    """Why no part of a point can be tried; empty where it can."""
    name = spec.algorithm.name
    if not HOLDS_FOR_PARTS.of(name):
        return HOLDS_FOR_PARTS.lacking(name)
    if spec.objective.told == BY_COMPARISON:
        return sentence_of("told: by comparison", "parts of points")
    if in_use_among(spec.parameters) and spec.objective.over != EACH:
        return sentence_of("in_use", "parts of points")
    return ""


def _place(node: Node, part: Values, mistake: SpecError) -> Place:
    """That of the one parameter that it is about, or the point's."""
    about = str(mistake)
    for name in part:
        if about.startswith(f"parameter `{name}`") or f"got `{name}`, which is computed" in about:
            return node.mapping[name].node.place
    return node.place
