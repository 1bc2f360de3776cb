"""Whether some worker can have what evaluations take, where that is several slots, and what points to begin
with do.
"""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.parameters.space import Space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import wholes_at
from orchestrator.spec.slots_needed import slots_needed, why_all_fail


def check_room(tree: Node, space: Space, spec: Spec) -> Iterator[Complaint]:
    """That all are larger than any worker, or points to begin with: they would fail unevaluated."""
    needed = slots_needed(spec, lambda: space)
    if needed is None:
        return
    if why := why_all_fail(spec, space):
        sentence = (
            why if why.startswith("expected") else f"expected at most as many as some worker has: {why}"
        )
        yield Complaint(find(tree, ("evaluation", "slots")).place, sentence)
        return
    for node, point in wholes_at(spec, find_all(tree, ("initial", "points"))):
        if why := needed.why_not(needed.of(space.counted(point))):
            yield Complaint(node.place, f"expected a point that some worker can have: {why}")
