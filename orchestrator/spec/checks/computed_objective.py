"""Whether an objective can be computed as a spec says, and what stands beside it and cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.of_outcomes import formula_of_outcomes
from orchestrator.spec.checks.constraints import character, nameable
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import conditions_of

TWICE = "expected the objective's `value` or its `fit`, got both: what is minimised is one of them"
IS_LEAST = (
    "expected `goal: minimise` beside a `fit`, which is best where outcomes are off least, got `maximise`"
)
NOISE = (
    "expected no `noise` of an objective that is computed: that of each outcome is found from the results;"
    " leave it out, or say `noise: 0` where evaluations have none"
)
OPTIONS = "expected no options beside an objective that is computed: the search by its outcomes has none"


def check_computed_objective(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    objective, algorithm = parts.get("objective"), parts.get("algorithm")
    if objective is None or not objective.is_computed:
        return
    if objective.value is not None and objective.fit is not None:
        yield Complaint(find_key(tree, ("objective", "fit")), TWICE)
    if objective.fit is not None and objective.goal != "minimise":
        yield Complaint(find_key(tree, ("objective", "goal")), IS_LEAST)
    if objective.noise not in ("unknown", 0):
        yield Complaint(find_key(tree, ("objective", "noise")), NOISE)
    if algorithm is not None and algorithm.name == "auto" and algorithm.options:
        yield Complaint(find_key(tree, ("algorithm", "options")), OPTIONS)
    parameters = parts.get("parameters")
    if objective.value is None or parameters is None:
        return
    names = replace(nameable(parameters), outcomes=tuple(parts.get("outcomes") or ()))
    try:
        formula_of_outcomes(objective.value, names, conditions_of(parameters))
    except ArithmeticMistake as mistake:
        node = find(tree, ("objective", "value"))
        yield Complaint(character(node, objective.value, mistake.offset), str(mistake))
