"""Whether formulas of computed parameters make sense, each mistake at its character; without numpy."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import Computed, mistakes
from orchestrator.spec.checks.constraints import character, nameable
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find
from orchestrator.spec.sections.parameters import ComputedParameter, Parameter


def check_computed(tree: Node, parameters: Mapping[str, Parameter] | None) -> list[Complaint]:
    """What is wrong with them, as far as the parameters are right."""
    told = {name: one for name, one in (parameters or {}).items() if isinstance(one, ComputedParameter)}
    if parameters is None or not told:
        return []
    complaints: list[Complaint] = []
    computed: list[Computed] = []
    for name, one in told.items():
        try:
            computed.append(Computed.of(name, one.value, one.bounds))
        except ArithmeticMistake as mistake:
            complaints.append(Complaint(_place(tree, name, one.value, mistake.offset), str(mistake)))
    if complaints:
        return complaints
    return [
        Complaint(_place(tree, wrong.name, told[wrong.name].value, wrong.offset), wrong.sentence)
        for wrong in mistakes(computed, nameable(parameters))
    ]


def _place(tree: Node, name: str, formula: str, offset: int) -> Place:
    return character(find(tree, ("parameters", name, "value")), formula, offset)
