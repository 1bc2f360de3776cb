"""Equalities among the constraints of a spec, `resin + filler == 100`: as many of the parameters that they
tie are computed from the others. From here on the spec is as if it had been written so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from orchestrator.expressions.equalities import Equality, names_some
from orchestrator.spec.checks.constraints import character
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Entry, Node, find, find_all, find_key, plain
from orchestrator.spec.parts import right_parameters
from orchestrator.spec.rewritten import Rewritten


def solve_equalities(tree: Node) -> Rewritten:
    """The tree of a spec, written out, in which parameters are computed in place of equalities."""
    nodes = [node for node in find_all(tree, ("constraints",)) if isinstance(node.content, str)]
    texts, parameters = [str(node.content) for node in nodes], tree.get("parameters")
    if parameters is None or not any(map(Equality.meant, texts)):
        return Rewritten(tree)
    # Imported here because it is numpy, and most specs have none.
    from orchestrator.parameters.equalities import mistakes_among, solved_among

    described, not_computed = plain(parameters), _not_computed(tree)
    if mistakes_among(described, texts, not_computed):
        # None is solved: with some left out others would be computed than with all of them.
        _, wrong = right_parameters(tree)
        told = mistakes_among(described, texts, not_computed, wrong)
        complaints = [
            Complaint(character(nodes[one.at], texts[one.at], one.offset), one.sentence) for one in told
        ]
        # What stays is judged when the parameters that it names are right.
        return Rewritten(_without(tree, lambda node: _is_judged(node.content, wrong)), complaints)
    solved = solved_among(described, texts, not_computed)
    for one in solved:
        place = find_key(tree, ("parameters", one.name))
        entries = parameters.mapping[one.name].node.mapping
        own = {key: entries[key] for key in ("bounds", "unit") if key in entries}
        words = {"type": "computed", "value": one.formula}
        computed = {key: Entry(place, Node(place, word)) for key, word in words.items()}
        parameters = parameters.having(one.name, Entry(place, Node(place, computed | own)))
    tree = tree.having("parameters", replace(tree.mapping["parameters"], node=parameters))
    because = {text for one in solved for text in one.because}
    return Rewritten(_without(tree, lambda node: str(node.content).strip() in because))


def _is_judged(text: object, wrong: Collection[str]) -> bool:
    """Whether it is an equality, of parameters that are not wrong."""
    return Equality.meant(text) and not names_some(text, wrong)


def _without(tree: Node, left_out: Callable[[Node], bool]) -> Node:
    """The spec without some of its constraints."""
    entry = tree.mapping["constraints"]
    kept = tuple(node for node in entry.node.sequence if not left_out(node))
    return tree.having("constraints", Entry(entry.key_place, replace(entry.node, content=kept)))


def _not_computed(tree: Node) -> set[str]:
    """The parameters that are what the spec says of them elsewhere."""
    held, clock = tree.get("held"), tree.get("clock")
    names = {*(held.mapping if held is not None else ()), str(find(tree, ("fidelity", "parameter")).content)}
    names |= {str(clock.content)} if clock is not None else set()
    names |= {str(one.content) for one in find_all(tree, ("mode", "sharing"))}
    columns = find(tree, ("candidates", "columns"))
    names |= set(columns.mapping) if "candidates" in tree.mapping else set()
    return names | {str(one.content) for factor in find_all(tree, ("factors",)) for one in factor.sequence}
