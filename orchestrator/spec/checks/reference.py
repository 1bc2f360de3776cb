"""What a reference must be beside the rest of a spec."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts

TIMES_ALONE = "expected a `reference`, today's settings, to be evaluated so often, got none"


def check_reference(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """Whether there is one that is evaluated several times."""
    initial = parts.get("initial")
    if initial is not None and initial.reference is None and initial.reference_times > 1:
        yield Complaint(find_key(tree, ("initial", "reference_times")), TIMES_ALONE)
