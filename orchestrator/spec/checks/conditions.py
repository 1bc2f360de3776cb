"""Whether what is said of when parameters count makes sense, each mistake at its place; without numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import from_what_may_not_count
from orchestrator.expressions.conditions import Condition, Holds, Term, circle, mistakes, terms_of
from orchestrator.expressions.constraints import named_in
from orchestrator.expressions.one_of import Mistake, Parent
from orchestrator.spec.checks.computed import check_computed
from orchestrator.spec.checks.constraints import character, nameable, parent_of
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find, find_key, plain
from orchestrator.spec.parts import Parts, right_parameters
from orchestrator.spec.sections.parameters import (
    Parameter,
    computed_of,
    conditions_of,
)
from orchestrator.spelling import listed


def check_conditions(tree: Node, parts: Parts) -> list[Complaint]:
    """What is wrong with them, as far as the parameters are right."""
    parameters = parts.get("parameters")
    if parameters is None:
        return list(_of_terms(tree, *right_parameters(tree)))
    found = [*_of_terms(tree, parameters), *_of_what_is_computed(tree, parameters)]
    return found or [*_of_circles(tree, parameters), *_of_outcomes(tree, parts)]


def _of_terms(
    tree: Node, parameters: Mapping[str, Parameter], wrong: Collection[str] = ()
) -> Iterator[Complaint]:
    """Nothing of those that name a parameter which is wrong itself."""
    parents = {name: parent_of(parameter) for name, parameter in parameters.items()}
    parents |= {name: Parent("float") for name in wrong}
    names = nameable(parameters)
    names = replace(names, varied=(*names.varied, *wrong))
    for own in conditions_of(parameters):
        for i, node in enumerate(find(tree, ("parameters", own, "when")).sequence):
            for term in terms_of(plain(node)):
                if _names_one(term, wrong):
                    continue
                for mistake in mistakes(own, term, parents, names):
                    if isinstance(term, Holds):
                        place = character(node, term.text, mistake.offset)
                    else:
                        place = _in_mapping(tree, ("parameters", own, "when", i, term.parent), mistake)
                    yield Complaint(place, mistake.sentence)


def _names_one(term: Term, of: Collection[str]) -> bool:
    try:
        return any(name in of for name in term.names)
    except ArithmeticMistake:
        return False


def _of_what_is_computed(tree: Node, parameters: Mapping[str, Parameter]) -> Iterator[Complaint]:
    """A condition on what is computed from parameters that may not count themselves."""
    if check_computed(tree, parameters):
        return
    computed, conditional = computed_of(parameters), conditions_of(parameters)
    for own, condition in conditional.items():
        if sentence := from_what_may_not_count(_parents(condition), computed, conditional):
            yield Complaint(find(tree, ("parameters", own, "when")).place, sentence)


def _parents(condition: Condition) -> tuple[str, ...]:
    """None of a condition that cannot be read."""
    try:
        return condition.parents
    except ArithmeticMistake:
        return ()


def _in_mapping(tree: Node, path: tuple[str | int, ...], mistake: Mistake) -> Place:
    """Of a value, or else of the parameter that it is about."""
    return find_key(tree, path) if mistake.value is None else find(tree, (*path, mistake.value)).place


def _of_circles(tree: Node, parameters: Mapping[str, Parameter]) -> Iterator[Complaint]:
    if found := circle(conditions_of(parameters)):
        sentence = f"expected no circle of parameters that count by each other, got {' by '.join(found)}"
        yield Complaint(find_key(tree, ("parameters", found[0], "when")), sentence)


def _of_outcomes(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """A constraint on an outcome that names what may not be there: by how much it holds, nobody can say."""
    outcomes, conditional = parts.get("outcomes") or (), conditions_of(parts["parameters"])
    for i, text in enumerate(parts.get("constraints") or ()):
        named = named_in(text)
        if named & set(outcomes) and (without := [name for name in conditional if name in named]):
            sentence = (
                f"expected parameters that always count beside an outcome, got {listed(without, 'and')}"
            )
            yield Complaint(find(tree, ("constraints", i)).place, sentence)
