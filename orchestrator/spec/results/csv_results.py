"""Known results in a CSV file beside the spec: a column for each parameter, and one with the values.

Rows without a value, whose cell is empty or says so in another program's word, as `nan`, are failures where
their state says so, and else skipped, and counted; columns that are nothing of the spec's are left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.tree import Entry, Node, Place, Scalar, find_all
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.named_tables import file_beside
from orchestrator.spec.points.named_rows import candidates_in, need_no_column
from orchestrator.spec.results.headings import Headings, misspelt
from orchestrator.spec.results.named_files import NamedFile, said_by_both, say_so
from orchestrator.spec.results.roles import (
    BLOCK,
    Brought,
    Role,
    names_of_the_value,
    outcomes_composed,
    parameter_names,
    roles_of,
)
from orchestrator.spelling import listed

LINES_SHOWN = 5
NO_NUMBER = ("nan", "-nan", ".nan", "na", "n/a", "none")
"""What other programs write, in capitals or not, into the cell of a value or an outcome that there is not."""
NAMED_BY_TEXT = ("choice", "ordered", "fixed", "given")
"""Parameters of these types have values that are named rather than measured: what a cell says is taken to the
letter, or the version `1.10` would be read as the number 1.1. Spaces about it count where they are those of a
value, and an empty cell names the empty text.
"""


def results_in_file(
    tree: Node, told: NamedFile, folder: Path
) -> tuple[tuple[Node, ...], tuple[Complaint, ...]]:
    """The rows with a value or of failures, and what is to be said of the others."""
    results = told.named
    path = file_beside(results, folder)
    headings = Headings.in_tree(tree)
    table = headings.table(path, told.name, results.place)
    columns = _columns(tree, table, headings, told)
    roles = roles_of(tree)
    might_be = [name for name, role in roles.items() if role != ("told", "value")]
    said = [Complaint(results.place, one) for one in misspelt(table.header, roles, might_be)]
    texts = named_by_text(tree)
    composed = outcomes_composed(tree)
    of_all = {roles[name]: entry for name, entry in told.where.items()}
    rows = [(line, _row(table, line, cells, columns, texts, composed, of_all)) for line, cells in table.rows]
    kept = tuple(row for _, row in rows if row is not None)
    skipped = [str(line) for line, row in rows if row is None]
    sought = [name for i, name in enumerate(table.header) if columns.get(i) == ("told", "value")]
    objective = (sought or composed)[0]
    if not kept:
        came = f"{len(rows)} without" if rows else "no row"
        sentence = f"expected a row with a value of `{objective}`, got {came}"
        raise refusal([Complaint(Place(table.source, 1, 1), sentence)])
    if not skipped:
        return kept, tuple(said)
    where = f"line {skipped[0]}" if len(skipped) == 1 else f"lines {', '.join(skipped[:LINES_SHOWN])}"
    more = f" and {len(skipped) - LINES_SHOWN} more" if len(skipped) > LINES_SHOWN else ""
    sentence = (
        f"{len(rows)} rows read from {results.content}, of which {len(skipped)} skipped for want of a value "
        f"of `{objective}`: {where}{more}"
    )
    return kept, (*said, Complaint(results.place, sentence))


def _columns(tree: Node, table: CsvTable, headings: Headings, told: NamedFile) -> dict[int, Role]:
    """From the number of a column to what it holds."""
    names, header, top = parameter_names(tree), table.header, Place(table.source, 1, 1)
    parameters = tree.get("parameters")
    nodes = {name: entry.node for name, entry in parameters.mapping.items()} if parameters else {}
    spared = {name for name, node in nodes.items() if _need_not_be_told(node)}
    spared |= {*need_no_column(header, candidates_in(tree)), *told.where}
    value_key = next((key for key in names_of_the_value(tree) if key in header), None)
    complaints = list(said_by_both(header, told))
    for name in names:
        if name not in header and name not in spared:
            what = f"a column for the parameter `{name}`"
            sentence = headings.missing(what, [name], header, say_so(told, name))
            complaints.append(Complaint(top, sentence))
    composed = outcomes_composed(tree)
    for name in composed:
        if name not in header:
            what = f"a column for the outcome `{name}`"
            complaints.append(Complaint(top, headings.missing(what, [name], header)))
    if value_key is None and not composed:
        keys = names_of_the_value(tree)
        complaints.append(Complaint(top, headings.missing(f"a column named {listed(keys)}", keys, header)))
    others = {key for key in names_of_the_value(tree) if key != value_key}
    roles = {name: role for name, role in roles_of(tree).items() if name not in others}
    factors = sum(kind == "factor" for kind, _ in roles.values())
    if factors and (beyond := f"factor_{factors + 1}") in header and beyond not in roles:
        sentence = f"expected {factors} columns of factors, as the spec has factors, got `{beyond}` as well"
        complaints.append(Complaint(top, sentence))
    complaints += [
        Complaint(top, f"expected each column once, got `{name}` {header.count(name)} times")
        for name in dict.fromkeys(header)
        if header.count(name) > 1 and name in roles
    ]
    if complaints:
        raise refusal(complaints)
    return {i: roles[name] for i, name in enumerate(header) if name in roles}


def _need_not_be_told(parameter: Node) -> bool:
    """Whether it is fixed or follows from others, or may not count."""
    kind = parameter.get("type")
    return parameter.get("when") is not None or (
        kind is not None and kind.content in ("fixed", "computed", "given")
    )


def named_by_text(tree: Node) -> dict[str, frozenset[str]]:
    """The texts among the values of each parameter that is named so."""
    parameters = tree.get("parameters")
    told = {name: entry.node for name, entry in parameters.mapping.items()} if parameters else {}
    return {
        name: frozenset(
            value.content for value in find_all(node, ("values",)) if isinstance(value.content, str)
        )
        for name, node in told.items()
        if (kind := node.get("type")) is not None and kind.content in NAMED_BY_TEXT
    }


def meant_by(role: Role, cell: str, own: Collection[str] | None) -> Scalar:
    """What a cell says of what it is of; nothing, where it is empty or says that there is no such value.

    ``own`` are the texts among the values of a parameter that is named by text; None of anything else.
    """
    told = cell if own is not None and cell in own else cell.strip()
    if not told and told not in (own or ()):
        return None
    if (
        role[0] in ("outcome", "derivative") or role in (("told", "value"), BLOCK)
    ) and told.lower() in NO_NUMBER:
        return None
    return told if own is not None or role in (("told", "state"), BLOCK) else scalar(told)


def _row(
    table: CsvTable,
    line: int,
    cells: tuple[str, ...],
    columns: dict[int, Role],
    texts: Mapping[str, Collection[str]],
    composed: tuple[str, ...],
    of_all: Mapping[Role, Entry],
) -> Node | None:
    found = Brought(composed)
    for role, entry in of_all.items():
        found.put(role, entry)
    column = 1
    for i, text in enumerate(cells):
        place = Place(table.source, line, column)
        column += len(text) + 1
        if i not in columns:
            continue
        kind, name = columns[i]
        own = texts.get(name) if kind == "parameter" else None
        cell = table.meant(text, own or ())
        content = meant_by(columns[i], cell, own)
        if content is not None:
            written = content if isinstance(content, str) else cell.strip()
            found.put(columns[i], Entry(place, Node(place, content, written)))
    return found.result(Place(table.source, line, 1)) if found.is_result else None
