"""What tolerances of parameters cannot stand beside in a spec, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.checks.constraints import constraints_by_subject
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import conditions_of, tolerances_of, travels_of

AS_SET = (
    "expected no `{}` beside `tolerance`: it is about the best value as set, and what is sought is best on"
    " average; say `trials` or `time`"
)
WHEN = (
    "expected no `tolerance` beside `when`, nor of what others count by: what comes out would not be the same"
    " points as were asked for"
)
BESIDE = "expected no {} beside `tolerance`: {}"
OF_SEVERAL = BESIDE.format(
    "second objective",
    "it is one average that is to be best; put the others under `constraints` of a run"
    " without tolerances, and ask `orchestrator tolerance` of it",
)
OF_OUTCOMES = BESIDE.format(
    "constraints on outcomes",
    "the search is for the best average of the objective alone; leave `tolerance`"
    " out, and ask `orchestrator tolerance` how likely they hold",
)
FIDELITY = BESIDE.format("`fidelity`", "how closely to look is chosen for values as set")
TRAVEL = BESIDE.format(
    "`travel`", "evaluations are where they tell most of an average, and cannot be approached"
)
STOP_WHEN = BESIDE.format("`stop_when`", "what is no best as set may be the best on average")


def check_tolerance(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    parameters = parts.get("parameters") or {}
    tolerances = tolerances_of(parameters)
    if not tolerances:
        return
    conditions = conditions_of(parameters)
    parents = {parent for condition in conditions.values() for parent in condition.parents}
    for name in tolerances:
        if name in conditions or name in parents:
            yield Complaint(find_key(tree, ("parameters", name, "tolerance")), WHEN)
    for name in travels_of(parameters):
        yield Complaint(find_key(tree, ("parameters", name, "travel")), TRAVEL)
    if parts.get("further_objectives"):
        yield Complaint(find_key(tree, ("objectives",)), OF_SEVERAL)
    elif constraints_by_subject(parts)[1]:
        yield Complaint(find_key(tree, ("constraints",)), OF_OUTCOMES)
    if parts.get("fidelity") is not None:
        yield Complaint(find_key(tree, ("fidelity",)), FIDELITY)
    evaluation, budget = parts.get("evaluation"), parts.get("budget")
    if evaluation is not None and evaluation.stop_when is not None:
        yield Complaint(find_key(tree, ("evaluation", "stop_when")), STOP_WHEN)
    for name in ("target", "patience", "expected_gain"):
        if budget is not None and getattr(budget, name) is not None:
            yield Complaint(find_key(tree, ("budget", name)), AS_SET.format(name))
