"""Points and results that name a row of the candidates by what goes with it, such as its barcode, and leave
out what the row says.
"""

from __future__ import annotations

from collections.abc import Collection

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Entry, Node, plain
from orchestrator.spelling import did_you_mean
from orchestrator.values.candidates import Candidates


def candidates_in(tree: Node) -> Candidates | None:
    """Those of a spec's tree, written out, as far as they are right."""
    told = tree.get("candidates")
    columns, given = (told.get("columns"), told.get("given")) if told else (None, None)
    if columns is None or not all(entry.node.sequence for entry in columns.mapping.values()):
        return None
    return Candidates.of(plain(columns), () if given is None else plain(given))


def with_row(told: Node, candidates: Candidates | None, complaints: list[Complaint]) -> Node:
    """A mapping of parameters with the columns of the row that it names, as far as it leaves them out. That
    there is no such row is put among the ``complaints``.
    """
    if candidates is None or not told.mapping:
        return told
    said = {
        name: entry.node.written or entry.node.content
        for name, entry in told.mapping.items()
        if not isinstance(entry.node.content, tuple | dict)
    }
    if (name := candidates.unknown_name(said)) is not None:
        known = list(map(str, candidates.by_name[name]))
        sentence = (
            f"expected what goes with one of the {len(known):,} candidates as `{name}`, got `{said[name]}`"
        )
        near = did_you_mean(str(said[name]), known)
        complaints.append(Complaint(told.mapping[name].node.place, f"{sentence}{near}"))
        # The first row stands in for what is left out, so that the one error is said once.
        for column, value in (candidates.row(0) | {name: None}).items():
            if column == name or column not in told.mapping:
                told = told.having(column, Entry(told.place, Node(told.place, value)))
        return told
    number = candidates.named(said)
    if number is None:
        return told
    for name, value in candidates.row(number).items():
        # What names it is as it is there, and not as it may be read, such as the number `1E5`.
        if name in said and name in candidates.given:
            place = told.mapping[name].node.place
            told = told.having(name, Entry(place, Node(place, value)))
        elif name not in told.mapping or told.mapping[name].node.content is None:
            told = told.having(name, Entry(told.place, Node(told.place, value)))
    return told


def need_no_column(header: Collection[str], candidates: Candidates | None) -> set[str]:
    """The columns that a table of points or results may lack, as it names rows otherwise."""
    if candidates is None or not set(candidates.given) & set(header):
        return set()
    return set(candidates.names)
