"""The rows of a table of candidates, each cell with its place: of a CSV file, or as they stand in a spec."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, Place
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.named_tables import TableRead, named_table
from orchestrator.values.finite import is_number

WRITTEN = "the name of a CSV file, a list of mappings, or a mapping with a `table`, as {table: samples.csv}"


@dataclass(slots=True)
class CandidateRows:
    """Of k rows: where each begins, and under each name where it stands and what it has in each of them."""

    rows: list[Place]
    heads: dict[str, Place]
    columns: dict[str, list[Node]]


def candidate_rows(
    told: Node, folder: Path | None, called: Callable[[Sequence[str]], tuple[str, ...]]
) -> tuple[CandidateRows, list[TableRead]]:
    """Those of the section ``told``, and the file that was read, if one was. ``folder`` is as for
    `named_table`; ``called`` says how the spec calls headings of files. Raises SpecError for what is no
    table.
    """
    forms = [key for key in ("table", "columns") if key in told.mapping]
    if len(forms) != 1:
        sentence = "expected the rows once, as `table` or as `columns`, got both"
        if not forms:
            sentence = f"expected {WRITTEN}, got {came(told)}"
        raise refusal([Complaint(told.place, sentence)])
    node = told.mapping[forms[0]].node
    if forms[0] == "columns":
        return _of_columns(node), []
    if node.sequence:
        return _of_mappings(node), []
    if isinstance(node.content, str):
        table, read = named_table(node, folder)
        return rows_of_csv(replace(table, header=called(table.header))), read
    raise refusal([Complaint(node.place, f"expected {WRITTEN}, got {came(node)}")])


def _of_columns(node: Node) -> CandidateRows:
    table = CandidateRows([], {}, {})
    for name, entry in node.mapping.items():
        table.heads[name] = entry.key_place
        table.columns[name] = list(entry.node.sequence)
        if len(cells := entry.node.sequence) != len(next(iter(table.columns.values()))):
            first = next(iter(table.columns))
            sentence = f"expected as many values as `{first}` has, {len(table.columns[first])}"
            raise refusal([Complaint(entry.node.place, f"{sentence}, got {len(cells)}")])
    if not table.columns:
        raise refusal([Complaint(node.place, f"expected columns by name, got {came(node)}")])
    table.rows = [cell.place for cell in next(iter(table.columns.values()))]
    return table


def _of_mappings(node: Node) -> CandidateRows:
    table = CandidateRows([], {}, {})
    complaints: list[Complaint] = []
    for row in node.sequence:
        if not row.mapping:
            complaints.append(
                Complaint(row.place, f"expected a row as {{mass: 3, dose: 0.1}}, got {came(row)}")
            )
            continue
        table.heads = table.heads or {name: entry.key_place for name, entry in row.mapping.items()}
        for name, entry in row.mapping.items():
            if name not in table.heads:
                sentence = f"expected `{name}` of every row or of none, got it of some"
                complaints.append(Complaint(entry.key_place, sentence))
        for name in table.heads:
            if name not in row.mapping:
                complaints.append(Complaint(row.place, f"expected `{name}` of every row, got none here"))
            else:
                table.columns.setdefault(name, []).append(row.mapping[name].node)
        table.rows.append(row.place)
    if complaints:
        raise refusal(complaints)
    return table


def rows_of_csv(csv: CsvTable) -> CandidateRows:
    """Those of a CSV file. Raises SpecError where columns have no names, or the same."""
    top, header = Place(csv.source, 1, 1), _without_empty_ends(csv)
    complaints: list[Complaint] = []
    for i, name in enumerate(header):
        if not name:
            complaints.append(Complaint(top, f"expected a name of each column, got none of column {i + 1}"))
        elif name in header[:i]:
            complaints.append(Complaint(top, f"expected each column once, got `{name}` again"))
    if complaints:
        raise refusal(complaints)
    table = CandidateRows([], dict.fromkeys(header, top), {name: [] for name in header})
    for line, cells in csv.rows:
        table.rows.append(Place(csv.source, line, 1))
        column = 1
        for name, text in zip(header, cells, strict=False):
            place, cell = Place(csv.source, line, column), csv.with_point(text.strip())
            column += len(text) + 1
            table.columns[name].append(_cell(place, cell))
    return table


def _without_empty_ends(csv: CsvTable) -> tuple[str, ...]:
    """The names of the columns but the last ones that have neither a name nor a cell, as a comma at the end
    of each line makes one.
    """
    count = len(csv.header)
    while count and not csv.header[count - 1] and not any(cells[count - 1].strip() for _, cells in csv.rows):
        count -= 1
    return csv.header[:count]


def _cell(place: Place, text: str) -> Node:
    """A number or a truth, where it would be written so; `007` is a name, and so is what is no number."""
    read = scalar(text) if text else None
    if isinstance(read, bool):
        return Node(place, read, text)
    if is_number(read) and not (text[:1] == "0" and text[1:2].isdigit()):
        return Node(place, read, text)
    return Node(place, text or None, text)


def came(node: Node) -> str:
    """What stands somewhere, in words."""
    return shown(list(node.content) if isinstance(node.content, tuple) else node.content)
