"""What stands beside parameters that vary in use and cannot, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.in_use import (
    NO_CONSTRAINT,
    NO_LEAST_FOR_EACH,
    NO_WHEN,
    NO_WHEN_FOR_EACH,
    NOT_AS_LONG,
    NOTHING_TO_CHOOSE,
    conditional_in_use,
    constrained_in_use,
)
from orchestrator.spec.checks.constraints import constraints_by_subject
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_all, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import (
    computed_of,
    conditions_of,
    in_use_among,
    least_amounts_of,
    varies,
)
from orchestrator.values.in_use import Recorded, require_variation
from orchestrator.values.over import EACH

OVER_WHAT = (
    "expected a parameter that varies in use beside `over`, as `wind: {type: float, bounds: [0, 20], in_use:"
    " {mean: 8, deviation: 3}}`, got none"
)
OPTIONS = "expected no `options` beside `in_use`: the search for what is best over what varies has none"


def check_in_use(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    if (parameters := parts.get("parameters")) is None:
        return
    in_use, objective = in_use_among(parameters), parts.get("objective")
    if not in_use:
        if objective is not None and objective.over != "average":
            yield Complaint(find_key(tree, ("objective", "over")), OVER_WHAT)
        return
    if all(name in in_use for name, told in parameters.items() if varies(told)):
        yield Complaint(find_key(tree, ("parameters",)), NOTHING_TO_CHOOSE)
    each = objective is not None and objective.over == EACH
    conditions = conditions_of(parameters)
    for name in conditional_in_use(conditions, in_use) if each else conditions:
        what = NO_WHEN_FOR_EACH if each else NO_WHEN
        yield Complaint(find_key(tree, ("parameters", name, "when")), what)
    lengths = {name: len(one.values) for name, one in in_use.items() if isinstance(one, Recorded)}
    for name, length in lengths.items():
        if length != (first := next(iter(lengths.values()))):
            yield Complaint(find_key(tree, ("parameters", name, "in_use")), NOT_AS_LONG.format(first, length))
    yield from _of_constraints(tree, parts, each=each)
    algorithm = parts.get("algorithm")
    if algorithm is not None and algorithm.name == "auto" and algorithm.options and not each:
        yield Complaint(find_key(tree, ("algorithm", "options")), OPTIONS)


def check_variation(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """That each has more than one value in use. Not asked of runs begun so."""
    for name, in_use in in_use_among(parts.get("parameters") or {}).items():
        try:
            require_variation(in_use)
        except ValueError as error:
            yield Complaint(find(tree, ("parameters", name, "in_use")).place, f"expected {error}")


def _of_constraints(tree: Node, parts: Parts, *, each: bool) -> Iterator[Complaint]:
    parameters = parts.get("parameters") or {}
    for name in in_use_among(parameters).keys() & least_amounts_of(parameters).keys():
        what = NO_LEAST_FOR_EACH if each else NO_CONSTRAINT
        yield Complaint(find_key(tree, ("parameters", name, "least")), what.format(name))
    if each:
        return
    with suppress(ArithmeticMistake):
        computed = computed_of(parameters)
        texts = constraints_by_subject(parts)[0]
        for text, name in constrained_in_use(in_use_among(parameters), texts, computed):
            of_bounds = find_key(tree, ("parameters", text, "bounds"))
            nodes = [node for node in find_all(tree, ("constraints",)) if node.content == text]
            yield Complaint(nodes[0].place if nodes else of_bounds, NO_CONSTRAINT.format(name))
