"""What parameters that a spec holds cannot stand beside in it, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts


def fidelity_cannot_be_held(name: str) -> str:
    """Why the parameter that says how closely an evaluation looks is not held."""
    return (
        f"expected a parameter other than `{name}`, which says how closely an evaluation looks; for all to"
        " look alike, fix it, and leave `fidelity` out"
    )


def check_held(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What cannot be held beside other parts of a spec."""
    held, fidelity = parts.get("held") or {}, parts.get("fidelity")
    if fidelity is not None and fidelity.parameter in held:
        name = fidelity.parameter
        yield Complaint(find_key(tree, ("held", name)), fidelity_cannot_be_held(name))
