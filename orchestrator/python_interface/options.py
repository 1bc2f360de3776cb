"""An algorithm's options as callers of the Python interface hand them over, checked like those of a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.algorithms import registry
from orchestrator.errors import SpecError, UsageError
from orchestrator.spec.document import tree
from orchestrator.spec.document.validation import validate
from orchestrator.values.plain import plain


def options_of(algorithm: object, told: object) -> dict[str, object]:
    """The options, spelt as the algorithm does; None: none. Raises UsageError for what is no name or no
    mapping, and SpecError for an unknown algorithm, and for options that are wrong with a sentence for each.
    """
    if not isinstance(algorithm, str):
        named = "; one of your own goes by the name of its entry point" if isinstance(algorithm, type) else ""
        raise UsageError(f"expected the name of an algorithm, as text, got {algorithm!r}{named}")
    own = {} if told is None else told
    if not isinstance(own, Mapping):
        raise UsageError(f"expected options as a mapping of their names to values, got {told!r}")
    found = validate(registry.options(algorithm), placed_by_name(own))
    if found.complaints:
        sentences = [
            f"algorithm `{algorithm}`, option `{complaint.place.source.name}`: {complaint.sentence}"
            for complaint in found.complaints
        ]
        raise SpecError("\n".join(dict.fromkeys(sentences)))
    return dict(tree.plain(found.tree))


def placed_by_name(told: Mapping[Any, object]) -> tree.Node:
    """What a caller says of each name, as a spec would: a complaint knows no more than its place, so that a
    name is taken for its source.
    """
    entries = {}
    for name, value in told.items():
        place = tree.Place(tree.Source(str(name), ()), 1, 1)
        entries[str(name)] = tree.Entry(place, tree.positioned(plain(value), place))
    return tree.Node(tree.Place(tree.Source("", ()), 1, 1), entries)
