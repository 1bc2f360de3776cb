"""What changes that take time cannot stand beside in a spec, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.checks.one_machine import check_one_machine
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import changes_of
from orchestrator.values.change import BESIDE_WHEN

ALONE = (
    "expected a parameter with a `change` beside `takes`, which is weighed against that; how long an"
    " evaluation may take is its `timeout`"
)


def check_change(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    parameters = parts.get("parameters") or {}
    changes, evaluation = changes_of(parameters), parts.get("evaluation")
    if not changes:
        if parameters and evaluation is not None and evaluation.takes_s is not None:
            yield Complaint(find_key(tree, ("evaluation", "takes")), ALONE)
        return
    place = find_key(tree, ("parameters", next(iter(changes)), "change"))
    for name in changes:
        if getattr(parameters[name], "when", None) is not None:
            yield Complaint(find_key(tree, ("parameters", name, "change")), BESIDE_WHEN)
    yield from check_one_machine(tree, parts, "change", place)
