"""Whether what is said of when parameters count makes sense, each mistake at its place; without numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import from_what_may_not_count
from orchestrator.expressions.conditions import Condition, Holds, Term, circles, mistakes, terms_of
from orchestrator.expressions.constraints import named_in
from orchestrator.expressions.one_of import Mistake, Parent
from orchestrator.spec.checks.computed import check_computed
from orchestrator.spec.checks.constraints import character, nameable, parent_of
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find, find_key, plain
from orchestrator.spec.parts import Parts, parameters_among
from orchestrator.spec.sections.parameters import (
    Parameter,
    computed_of,
    conditions_of,
)
from orchestrator.spelling import listed


def check_conditions(tree: Node, parts: Parts) -> list[Complaint]:
    """What is wrong with them, as far as the parameters are right."""
    parameters, wrong = parameters_among(tree, parts)
    conditional, mistaken = conditions_of(parameters), _of_terms(tree, parameters, wrong)
    right = {name: one for name, one in conditional.items() if not mistaken[name]}
    return [
        *chain.from_iterable(mistaken.values()),
        *_of_what_is_computed(tree, parts, right),
        *_of_circles(tree, right),
        *_of_outcomes(tree, parts, conditional),
    ]


def _of_terms(
    tree: Node, parameters: Mapping[str, Parameter], wrong: Collection[str]
) -> dict[str, list[Complaint]]:
    """By the parameter that is conditional; nothing of terms that name one which is wrong itself."""
    parents = {name: parent_of(parameter) for name, parameter in parameters.items()}
    parents |= {name: Parent("float") for name in wrong}
    names = nameable(parameters)
    names = replace(names, varied=(*names.varied, *wrong))
    found: dict[str, list[Complaint]] = {own: [] for own in conditions_of(parameters)}
    for own, complaints in found.items():
        for i, node in enumerate(find(tree, ("parameters", own, "when")).sequence):
            for term in terms_of(plain(node)):
                if _names_one(term, wrong):
                    continue
                for mistake in mistakes(own, term, parents, names):
                    if isinstance(term, Holds):
                        place = character(node, term.text, mistake.offset)
                    else:
                        place = _in_mapping(tree, ("parameters", own, "when", i, term.parent), mistake)
                    complaints.append(Complaint(place, mistake.sentence))
    return found


def _names_one(term: Term, of: Collection[str]) -> bool:
    try:
        return any(name in of for name in term.names)
    except ArithmeticMistake:
        return False


def _of_what_is_computed(
    tree: Node, parts: Parts, conditional: Mapping[str, Condition]
) -> Iterator[Complaint]:
    """A condition on what is computed from parameters that may not count themselves."""
    if check_computed(tree, parts):
        return
    parameters, _ = parameters_among(tree, parts)
    computed = computed_of(parameters)
    for own, condition in conditional.items():
        if sentence := from_what_may_not_count(condition.parents, computed, conditions_of(parameters)):
            yield Complaint(find(tree, ("parameters", own, "when")).place, sentence)


def _in_mapping(tree: Node, path: tuple[str | int, ...], mistake: Mistake) -> Place:
    """Of a value, or else of the parameter that it is about."""
    return find_key(tree, path) if mistake.value is None else find(tree, (*path, mistake.value)).place


def _of_circles(tree: Node, conditional: Mapping[str, Condition]) -> Iterator[Complaint]:
    for found in circles(conditional):
        sentence = f"expected no circle of parameters that count by each other, got {' by '.join(found)}"
        yield Complaint(find_key(tree, ("parameters", found[0], "when")), sentence)


def _of_outcomes(tree: Node, parts: Parts, conditional: Mapping[str, Condition]) -> Iterator[Complaint]:
    """A constraint on an outcome that names what may not be there: by how much it holds, nobody can say."""
    outcomes = parts.get("outcomes") or ()
    for i, text in enumerate(parts.get("constraints") or ()):
        named = named_in(text)
        if named & set(outcomes) and (without := [name for name in conditional if name in named]):
            sentence = (
                f"expected parameters that always count beside an outcome, got {listed(without, 'and')}"
            )
            yield Complaint(find(tree, ("constraints", i)).place, sentence)
