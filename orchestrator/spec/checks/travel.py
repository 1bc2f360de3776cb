"""What limits on how far settings may travel cannot stand beside in a spec, each mistake at its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from orchestrator.spec.checks.one_machine import check_one_machine, told_or
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_all, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import travels_of
from orchestrator.values.travel import BESIDE_WHEN, too_far_words

NOWHERE = (
    "expected under `initial` the `points` to begin with, and first of all the settings at which the machine"
    " stands, from which it may `travel`"
)


def check_travel(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    parameters = parts.get("parameters") or {}
    travels = travels_of(parameters)
    if not travels:
        return
    place = find_key(tree, ("parameters", next(iter(travels)), "travel"))
    for name in travels:
        if getattr(parameters[name], "when", None) is not None:
            yield Complaint(find_key(tree, ("parameters", name, "travel")), BESIDE_WHEN)
    yield from check_one_machine(tree, parts, "travel", place)
    initial = parts.get("initial")
    if initial is not None and not initial.points:
        yield Complaint(told_or(tree, "initial", place), NOWHERE)


def check_points_in_reach(tree: Node, spec: Spec, parts: Collection[int]) -> Iterator[Complaint]:
    """That a point to begin with is too far from the one before it, of which those with these numbers are
    ``parts``: they come last, and what they leave out is chosen within reach.
    """
    travels = travels_of(spec.parameters)
    told = list(zip(find_all(tree, ("initial", "points")), spec.initial.points, strict=True))
    order = sorted(range(len(told)), key=lambda number: number in parts)
    if told and order[0] in parts:
        yield Complaint(told[0][0].place, NOWHERE)
        return
    for (_, before), (node, point) in pairwise(told[number] for number in order):
        if words := too_far_words(travels, before, point):
            sentence = f"expected a point within reach of the one before it, got one where {words}"
            yield Complaint(node.place, f"{sentence}; put others between")
