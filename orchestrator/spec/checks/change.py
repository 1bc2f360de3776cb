"""What changes that take time cannot stand beside in a spec, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import changes_of
from orchestrator.values.change import BESIDE_WHEN

IN_TURN = (
    "expected `mode: sequential` beside `change`: what a trial changes is known once the one before it is"
    " evaluated"
)
ONE_MACHINE = (
    "expected one worker beside `change`, got {}: the worker is the machine, and each of several would stand"
    " somewhere else; give each a run of its own"
)
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
    mode, workers = parts.get("mode"), parts.get("workers")
    if mode is not None and mode.kind != "sequential":
        yield Complaint(find_key(tree, ("mode",)) if "mode" in tree.mapping else place, IN_TURN)
    several_slots = evaluation is not None and evaluation.slots is not None
    if workers is not None and (count := workers.expected(several_slots=several_slots)) > 1:
        there = find_key(tree, ("workers",)) if "workers" in tree.mapping else place
        yield Complaint(there, ONE_MACHINE.format(count))
