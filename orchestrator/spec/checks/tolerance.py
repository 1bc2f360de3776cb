"""That parameters with a tolerance always count, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import conditions_of, tolerances_of

WHEN = (
    "expected no `tolerance` beside `when`, nor of what others count by: what comes out would not be the same"
    " points as were asked for"
)


def check_tolerance(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    parameters = parts.get("parameters") or {}
    tolerances = tolerances_of(parameters)
    if not tolerances:
        return
    conditions = conditions_of(parameters)
    parents = {parent for condition in conditions.values() for parent in condition.parents}
    for name in tolerances:
        if name in conditions or name in parents:
            yield Complaint(find_key(tree, ("parameters", name, "tolerance")), WHEN)
