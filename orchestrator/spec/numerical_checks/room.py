"""Whether some worker can have the points to begin with, where evaluations take several slots."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.parameters.space import Space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import wholes_at
from orchestrator.spec.slots_needed import slots_needed


def check_room(tree: Node, space: Space, spec: Spec) -> Iterator[Complaint]:
    """Those that are larger than any worker: they would fail without being evaluated."""
    needed = slots_needed(spec, lambda: space)
    if needed is None:
        return
    for node, point in wholes_at(spec, find_all(tree, ("initial", "points"))):
        if why := needed.why_not(needed.of(space.counted(point))):
            yield Complaint(node.place, f"expected a point that some worker can have: {why}")
