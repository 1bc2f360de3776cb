"""Whether formulas of computed parameters make sense, each mistake at its character; without numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import Computed, mistakes
from orchestrator.spec.checks.constraints import character, nameable
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find
from orchestrator.spec.parts import right_parameters
from orchestrator.spec.sections.parameters import ComputedParameter, Parameter


def check_computed(tree: Node, parameters: Mapping[str, Parameter] | None) -> list[Complaint]:
    """What is wrong with them, as far as they are right themselves."""
    wrong: tuple[str, ...] = ()
    if parameters is None:
        parameters, wrong = right_parameters(tree)
    told = {name: one for name, one in parameters.items() if isinstance(one, ComputedParameter)}
    if not told:
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
    names = nameable(parameters)
    names = replace(names, varied=(*names.varied, *wrong))
    return [
        Complaint(_place(tree, one.name, told[one.name].value, one.offset), one.sentence)
        for one in mistakes(computed, names)
    ]


def _place(tree: Node, name: str, formula: str, offset: int) -> Place:
    return character(find(tree, ("parameters", name, "value")), formula, offset)
