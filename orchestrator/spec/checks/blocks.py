"""What the blocks of a spec may be called, and what they cannot stand beside, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.objectives import OF_THE_VALUE
from orchestrator.spec.checks.constraints import constraints_by_subject
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.model import BY_COMPARISON
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import tolerances_of

AS_TOLD = (
    "expected no `{}` beside `blocks`: it is about values as they are told, and the best of a block with a"
    " high offset need not be good; say `trials` or `time`"
)
TAKEN = "expected a name that nothing else has, got `{}`, which is {}"
BESIDE = "expected no {} beside `blocks`: {}"
OF_SEVERAL = BESIDE.format("second objective", "offsets are taken off the value alone")
OF_OUTCOMES = BESIDE.format(
    "constraints on outcomes", "offsets are taken off the value alone, and not off outcomes"
)
OF_PARAMETERS = BESIDE.format("`tolerance`", "what is best on average is sought among values as they are")
OF_THE_SPEC = {
    "fidelity": BESIDE.format("`fidelity`", "what a cheap look is off by is learned as part of the function"),
    "clock": BESIDE.format(
        "`clock`", "an offset that changes from block to block cannot be told from the drift"
    ),
}
STOP_WHEN = BESIDE.format("`stop_when`", "what is poor in its block may be good without the offset")
COMPARED = BESIDE.format("`told: by comparison`", "no trial has a value that could be off")


def check_blocks(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    name = parts.get("blocks")
    if name is None:
        return
    taken = _taken(parts).get(name)
    if taken is not None:
        yield Complaint(find(tree, ("blocks",)).place, TAKEN.format(name, taken))
    for parameter in tolerances_of(parts.get("parameters") or {}):
        yield Complaint(find_key(tree, ("parameters", parameter, "tolerance")), OF_PARAMETERS)
    if parts.get("further_objectives"):
        yield Complaint(find_key(tree, ("objectives",)), OF_SEVERAL)
    elif constraints_by_subject(parts)[1]:
        yield Complaint(find_key(tree, ("constraints",)), OF_OUTCOMES)
    for key, sentence in OF_THE_SPEC.items():
        if parts.get(key) is not None:
            yield Complaint(find_key(tree, (key,)), sentence)
    objective = parts.get("objective")
    if objective is not None and objective.told == BY_COMPARISON:
        yield Complaint(find_key(tree, ("blocks",)), COMPARED)
    evaluation, budget = parts.get("evaluation"), parts.get("budget")
    if evaluation is not None and evaluation.stop_when is not None:
        yield Complaint(find_key(tree, ("evaluation", "stop_when")), STOP_WHEN)
    for one in ("target", "patience", "expected_gain"):
        if budget is not None and getattr(budget, one) is not None:
            yield Complaint(find_key(tree, ("budget", one)), AS_TOLD.format(one))


def _taken(parts: Parts) -> dict[str, str]:
    """What else is called by which name, in a result."""
    objective = parts.get("objective")
    told = dict.fromkeys(("trial", "state", "failed", "lost"), "something else that a result says")
    told |= dict.fromkeys(OF_THE_VALUE, "something that belongs to the value")
    told |= {} if objective is None else {objective.name: "the objective"}
    told |= dict.fromkeys(parts.get("outcomes") or (), "an outcome")
    return told | dict.fromkeys(parts.get("parameters") or {}, "a parameter")
