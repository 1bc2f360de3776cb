"""Whether formulas of computed parameters make sense, each mistake at its character; without numpy."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import Computed, mistakes
from orchestrator.spec.checks.constraints import character, nameable
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find
from orchestrator.spec.parts import Parts, parameters_among
from orchestrator.spec.sections.parameters import ComputedParameter


def check_computed(tree: Node, parts: Parts) -> list[Complaint]:
    """What is wrong with them, as far as they are right themselves."""
    parameters, wrong = parameters_among(tree, parts)
    told = {name: one for name, one in parameters.items() if isinstance(one, ComputedParameter)}
    complaints: list[Complaint] = []
    computed: list[Computed] = []
    for name, one in told.items():
        try:
            computed.append(Computed.of(name, one.value, one.bounds))
        except ArithmeticMistake as mistake:
            complaints.append(Complaint(_place(tree, name, one.value, mistake.offset), str(mistake)))
    names = nameable(parameters)
    names = replace(names, varied=(*names.varied, *wrong))
    for found in mistakes(computed, names):
        place = _place(tree, found.name, told[found.name].value, found.offset)
        complaints.append(Complaint(place, found.sentence))
    return complaints


def _place(tree: Node, name: str, formula: str, offset: int) -> Place:
    return character(find(tree, ("parameters", name, "value")), formula, offset)
