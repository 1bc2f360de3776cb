"""Equalities among the constraints of a spec, `resin + filler == 100`: as many of the parameters that they
tie are computed from the others. From here on the spec is as if it had been written so.
"""

from __future__ import annotations

from dataclasses import replace

from orchestrator.errors import SpecError
from orchestrator.expressions.equalities import Equality
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Entry, Node, find, find_all, find_key, plain
from orchestrator.spec.rewritten import Rewritten


def solve_equalities(tree: Node) -> Rewritten:
    """The tree of a spec, written out, in which parameters are computed in place of equalities."""
    constraints, parameters = find_all(tree, ("constraints",)), tree.get("parameters")
    told = [node.content for node in constraints]
    texts = [text for text in told if isinstance(text, str)]
    if parameters is None or not any(map(Equality.meant, texts)):
        return Rewritten(tree)
    # Imported here because it is numpy, and most specs have none.
    from orchestrator.parameters.equalities import solved_among

    try:
        solved = solved_among(plain(parameters), texts, _not_computed(tree))
    except SpecError as mistake:
        equalities = [node for node in constraints if Equality.meant(node.content)]
        named = [node for node in equalities if str(mistake).startswith(f"constraint `{node.content}`")]
        place = (named or equalities)[0].place
        # Left out, so that the one error is said once.
        meant = [text for text in texts if Equality.meant(text)]
        return Rewritten(_without(tree, meant), [Complaint(place, str(mistake))])
    for one in solved:
        place = find_key(tree, ("parameters", one.name))
        entries = parameters.mapping[one.name].node.mapping
        own = {key: entries[key] for key in ("bounds", "unit") if key in entries}
        words = {"type": "computed", "value": one.formula}
        computed = {key: Entry(place, Node(place, word)) for key, word in words.items()}
        parameters = parameters.having(one.name, Entry(place, Node(place, computed | own)))
    tree = tree.having("parameters", replace(tree.mapping["parameters"], node=parameters))
    because = {text for one in solved for text in one.because}
    return Rewritten(_without(tree, [text for text in texts if text.strip() in because]))


def _without(tree: Node, texts: list[str]) -> Node:
    entry = tree.mapping["constraints"]
    kept = tuple(node for node in entry.node.sequence if node.content not in texts)
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
