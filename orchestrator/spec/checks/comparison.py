"""What an objective that is told by comparison, and its algorithm, do not say, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.objective import BY_COMPARISON

BESIDE = "expected no `{}` beside `told: by comparison`: {}"
OF_THE_OBJECTIVE = {
    "goal": "what people find better is better; leave it out",
    "noise": "how surely people tell is inferred; leave it out",
    "unit": "there are no values that could have one; leave it out",
}


def check_comparison(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    objective = parts.get("objective")
    if objective is None or objective.told != BY_COMPARISON:
        return
    written = tree.get("objective")
    for key, why in OF_THE_OBJECTIVE.items():
        if written is not None and written.get(key) is not None:
            yield Complaint(find_key(tree, ("objective", key)), BESIDE.format(key, why))
    algorithm = parts.get("algorithm")
    if algorithm is not None and algorithm.name == "auto" and algorithm.options:
        sentence = BESIDE.format("options", "the search by comparisons has none")
        yield Complaint(find_key(tree, ("algorithm", "options")), sentence)
