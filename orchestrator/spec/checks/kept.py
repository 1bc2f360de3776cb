"""What stands beside limits that are kept in every trial and cannot, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import kept_among
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import conditions_of

BESIDE = "expected no `{}` beside limits that are kept in every trial: {}"
WHEN = BESIDE.format(
    "when", "of what begins to count nothing is known that would be safe; fix what it hangs on"
)
OPTIONS = BESIDE.format("options", "the safe search has none")
COUNT = BESIDE.format(
    "count",
    "a start design lies all over the bounds, where nothing is known to be safe; say `points` instead",
)


def kept_of(parts: Parts) -> tuple[str, ...]:
    """The limits that a spec wants kept in every trial, as they are written; none where one is not read."""
    try:
        return kept_among(parts.get("constraints") or ())
    except ArithmeticMistake:
        # Said where the constraint stands.
        return ()


def check_kept(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    if not kept_of(parts):
        return
    for name in conditions_of(parts.get("parameters") or {}):
        yield Complaint(find_key(tree, ("parameters", name, "when")), WHEN)
    initial, algorithm = parts.get("initial"), parts.get("algorithm")
    if initial is not None and initial.count is not None:
        yield Complaint(find_key(tree, ("initial", "count")), COUNT)
    if algorithm is not None and algorithm.name == "auto" and algorithm.options:
        yield Complaint(find_key(tree, ("algorithm", "options")), OPTIONS)
