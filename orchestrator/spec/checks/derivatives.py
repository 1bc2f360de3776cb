"""By which parameters evaluations may return derivatives, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.command_output import names_found
from orchestrator.spec.sections.parameters import computed_of, differentiable_among
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.derivatives import DERIVATIVES, NO_COMPUTED, column_of, misspelt_derivative

NONE_THERE = "expected a parameter of `type: float`, without a `step`, beside `derivatives`, got none"
OPTIONS = (
    "expected no `options` beside `derivatives`: the search that makes use of them has none; leave `options`"
    " out"
)
TAKEN = "expected no {} called `{}` beside `derivatives`, which are returned under that name"


def check_derivatives(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    objective, parameters = parts.get("objective"), parts.get("parameters")
    if objective is None or objective.derivatives in (False, []) or parameters is None:
        return
    able = differentiable_among(parameters)
    if not able:
        yield Complaint(find_key(tree, ("objective", "derivatives")), NONE_THERE)
        return
    named = objective.derivatives if isinstance(objective.derivatives, list) else []
    for i, name in enumerate(named):
        place = find(tree, ("objective", "derivatives", i)).place
        if name in parameters and name not in able:
            sentence = (
                f"expected a parameter of `type: float`, without a `step` ({listed(able)}), got `{name}`"
            )
            yield Complaint(place, f"{sentence}, by which there is no derivative")
        elif name not in parameters:
            yield Complaint(
                place, f"expected a parameter ({listed(able)}), got `{name}`{did_you_mean(name, able)}"
            )
        elif name in named[:i]:
            yield Complaint(place, f"expected each parameter once, got `{name}` again")
    for one in computed_of(parameters):
        yield Complaint(find_key(tree, ("parameters", one.name)), NO_COMPUTED.format(one.name))
    taken = [DERIVATIVES, *map(column_of, able)]
    for i, name in enumerate(parts.get("outcomes") or ()):
        if name in taken:
            yield Complaint(find(tree, ("outcomes", i)).place, TAKEN.format("outcome", name))
    for name in parameters:
        if name in taken:
            yield Complaint(find_key(tree, ("parameters", name)), TAKEN.format("parameter", name))
    if objective.name in taken:
        yield Complaint(find(tree, ("objective", "name")).place, TAKEN.format("objective", objective.name))
    algorithm = parts.get("algorithm")
    if algorithm is not None and algorithm.name == "auto" and algorithm.options:
        yield Complaint(find_key(tree, ("algorithm", "options")), OPTIONS)


def check_derivatives_of_pattern(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """That no group is nearly called as a derivative: it would be kept, and not learned from. Not asked of
    runs begun so.
    """
    evaluation, parameters = parts.get("evaluation"), parts.get("parameters")
    if evaluation is None or (names := names_found(evaluation.output)) is None:
        return
    objective = parts.get("objective")
    if parameters is None or objective is None or not (told := objective.derivatives):
        return
    by = differentiable_among(parameters) if told is True else told
    if complaint := misspelt_derivative(names, by, parts.get("outcomes") or ()):
        yield Complaint(find(tree, ("evaluation", "output")).place, complaint)
