"""What an objective whose threshold is sought does not say, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts

NO_GOAL = (
    "expected no `goal` beside `threshold`: what is sought is where the value is above it, and no best point;"
    " leave one of them out"
)


def check_threshold(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    objective = parts.get("objective")
    if objective is None or objective.threshold is None:
        return
    written = tree.get("objective")
    if written is not None and written.get("goal") is not None:
        yield Complaint(find_key(tree, ("objective", "goal")), NO_GOAL)
