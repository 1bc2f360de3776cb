"""What the blocks of a spec may be called."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.objectives import OF_THE_VALUE
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.parts import Parts

TAKEN = "expected a name that nothing else has, got `{}`, which is {}"


def check_blocks(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    name = parts.get("blocks")
    if name is None:
        return
    taken = _taken(parts).get(name)
    if taken is not None:
        yield Complaint(find(tree, ("blocks",)).place, TAKEN.format(name, taken))


def _taken(parts: Parts) -> dict[str, str]:
    """What else is called by which name, in a result."""
    objective = parts.get("objective")
    told = dict.fromkeys(("trial", "state", "failed", "lost"), "something else that a result says")
    told |= dict.fromkeys(OF_THE_VALUE, "something that belongs to the value")
    told |= {} if objective is None else {objective.name: "the objective"}
    told |= dict.fromkeys(parts.get("outcomes") or (), "an outcome")
    return told | dict.fromkeys(parts.get("parameters") or {}, "a parameter")
