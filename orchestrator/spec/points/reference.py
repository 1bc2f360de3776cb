"""The reference of a spec, which is a point to begin with like any other, and the first."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.spec.document.tree import Entry, Node
from orchestrator.values.counts import MOST_TIMES


def with_reference_first(tree: Node) -> Node:
    """A spec's tree in which the reference, if it names one, comes first among the points that it lists, as
    often as it is to be evaluated, as far as that is told as it should be.
    """
    initial = tree.get("initial")
    reference = initial.get("reference") if initial is not None else None
    if initial is None or reference is None or not isinstance(reference.content, dict):
        return tree
    entry = initial.mapping.get(
        "points", Entry(initial.mapping["reference"].key_place, Node(reference.place, ()))
    )
    if not isinstance(entry.node.content, tuple):
        return tree
    told = initial.get("reference_times")
    times = told.content if told is not None and type(told.content) is int else 1
    every = (reference,) * min(times, MOST_TIMES)
    points = Entry(entry.key_place, replace(entry.node, content=(*every, *entry.node.content)))
    return tree.having("initial", Entry(tree.mapping["initial"].key_place, initial.having("points", points)))
