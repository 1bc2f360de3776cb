"""Choices whose values are described by numbers, written out: each spelling becomes the one of the model.

| written | stands for |
|---|---|
| ``values: {water: {polarity: 10.2}, ethanol: {polarity: 5.2}}`` | ``values: [water, ethanol]`` and |
| | ``described: {polarity: [10.2, 5.2]}`` |
| ``described: solvents.csv`` | the same, of a table in a file beside the spec |
| ``described: "name,polarity\\nwater,10.2\\n..."`` | the same, of the table itself |

A table has a row for each value, which is named by the column that is called as the parameter, or else the
first; where ``values`` are listed as well, other rows are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Entry, Node, Place
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.named_tables import named_table
from orchestrator.spec.rewritten import Rewritten
from orchestrator.values.descriptions import mistake_in_counts
from orchestrator.values.finite import is_number


@dataclass(frozen=True, slots=True)
class _Rows:
    """Values, and k numbers under each name of a column."""

    values: Sequence[Node]
    columns: dict[str, list[Node]]
    place: Place


def write_out_descriptions(tree: Node, folder: Path | None) -> Rewritten:
    """Of a spec's tree. ``folder`` is where paths of tables start; without one, none is looked for: a run has
    the tables themselves. A choice has no ``values`` afterwards where nobody knows them.
    """
    result = Rewritten(tree)
    parameters = tree.get("parameters")
    if parameters is None:
        return result
    for name, entry in parameters.mapping.items():
        told = entry.node
        kind = told.get("type")
        if kind is None or kind.content != "choice":
            continue
        listed: list[Node] = []
        try:
            rows = _rows_of(result, name, told, folder, listed)
        except Refusal as error:
            result.complaints += error.complaints
            # Without what describes them, so that the one error is said once.
            named = _named(told, listed)
            told = told.without("described").without("values")
            if named:
                told = told.having("values", Entry(told.place, Node(told.place, named)))
        else:
            if rows is None:
                continue
            told = _described(told, rows)
        parameters = parameters.having(name, Entry(entry.key_place, told))
    result.tree = tree.having("parameters", Entry(tree.mapping["parameters"].key_place, parameters))
    return result


def _rows_of(
    result: Rewritten, name: str, told: Node, folder: Path | None, listed: list[Node]
) -> _Rows | None:
    """None where nothing is described, or as the model has it. The values that a table names are ``listed``,
    whatever else is wrong in it. Raises SpecError.
    """
    values, described = told.mapping.get("values"), told.mapping.get("described")
    if values is not None and isinstance(values.node.content, dict):
        if described is not None:
            sentence = "expected `described` beside a list of values, got it beside a mapping that describes"
            raise refusal([Complaint(described.key_place, f"{sentence} them; remove one")])
        return _inline(values)
    if described is None or not isinstance(described.node.content, str):
        return None
    table, read = named_table(described.node, folder)
    result.tables += read
    listed += _names_in(table, name)
    rows = _in_table(result, name, table, described.node.place)
    return rows if values is None or not values.node.sequence else _of_listed(rows, values.node)


def _names_in(table: CsvTable, name: str) -> list[Node]:
    own = table.header.index(name) if name in table.header else 0
    named = {cells[own].strip(): Place(table.source, line, 1) for line, cells in table.rows}
    return [_value(place, text) for text, place in named.items() if text]


def _named(told: Node, listed: Sequence[Node]) -> tuple[Node, ...]:
    """The values that are named beside a description that is wrong, or ``listed`` in it; none where these are
    not two.
    """
    values = told.get("values")
    named = tuple(listed)
    if values is not None:
        named = values.sequence or tuple(_value(e.key_place, name) for name, e in values.mapping.items())
    return named if len(named) > 1 else ()


def _described(told: Node, rows: _Rows) -> Node:
    columns = {name: Entry(rows.place, Node(rows.place, tuple(c))) for name, c in rows.columns.items()}
    values = Node(rows.place, tuple(rows.values))
    entries = {"values": Entry(rows.place, values), "described": Entry(rows.place, Node(rows.place, columns))}
    return Node(told.place, {**told.mapping, **entries})


def _inline(values: Entry) -> _Rows:
    names: list[str] = []
    complaints: list[Complaint] = []
    columns: dict[str, list[Node]] = {}
    for value, entry in values.node.mapping.items():
        if not entry.node.mapping:
            sentence = f"expected numbers that describe `{value}`, as {{polarity: 10.2, boiling: 100}}"
            complaints.append(Complaint(entry.node.place, f"{sentence}, got {shown(_content(entry.node))}"))
            continue
        names = names or list(entry.node.mapping)
        for missing in (name for name in names if name not in entry.node.mapping):
            sentence = f"expected `{missing}` of `{value}`, too, got none"
            complaints.append(Complaint(entry.key_place, sentence))
        for name, number in entry.node.mapping.items():
            if name not in names:
                sentence = f"expected `{name}` of every value or of none, got it of `{value}` alone"
                complaints.append(Complaint(number.key_place, sentence))
            elif not is_number(number.node.content):
                complaints.append(_no_number(number.node, name, value))
            columns.setdefault(name, []).append(number.node)
    _refuse(complaints, len(values.node.mapping), len(names), values.key_place)
    named = [_value(e.key_place, value) for value, e in values.node.mapping.items()]
    return _Rows(named, columns, values.node.place)


def _in_table(result: Rewritten, name: str, table: CsvTable, named_at: Place) -> _Rows:
    header = table.header
    twice = next((h for i, h in enumerate(header) if h in header[:i]), None)
    if twice is not None:
        sentence = f"expected each column once, got `{twice}` again"
        raise refusal([Complaint(Place(table.source, 1, 1), sentence)])
    own = header.index(name) if name in header else 0
    values: list[Node] = []
    complaints: list[Complaint] = []
    seen: dict[str, int] = {}
    for line, cells in table.rows:
        place, value = Place(table.source, line, 1), cells[own].strip()
        if not value:
            complaints.append(Complaint(place, f"expected the name of a value as `{header[own]}`, got none"))
        elif value in seen:
            sentence = f"expected each value once, got `{value}` again (first on line {seen[value]})"
            complaints.append(Complaint(place, sentence))
        seen.setdefault(value, line)
        values.append(_value(place, value))
    columns: dict[str, list[Node]] = {}
    for j, heading in enumerate(header):
        cells_read = [scalar(table.with_point(cells[j].strip())) for _, cells in table.rows]
        if j == own:
            continue
        if not any(isinstance(cell, int | float) for cell in cells_read):
            sentence = f"`{heading}` of `{name}` says nothing to the model: there are no numbers in it"
            result.remarks.append(Complaint(named_at, sentence))
            continue
        places = [Place(table.source, line, 1) for line, _ in table.rows]
        columns[heading] = [Node(at, cell) for at, cell in zip(places, cells_read, strict=True)]
        for named, node in zip(values, columns[heading], strict=True):
            if not is_number(node.content):
                complaints.append(_no_number(node, heading, str(named.content)))
    _refuse(complaints, len(values), len(columns), Place(table.source, 1, 1))
    return _Rows(values, columns, named_at)


def _of_listed(rows: _Rows, values: Node) -> _Rows:
    """The rows of values that are listed, in that order."""
    row_of = {str(value.content): row for row, value in enumerate(rows.values)}
    missing = [v for v in values.sequence if str(v.content) not in row_of]
    if missing:
        raise refusal(
            [
                Complaint(v.place, f"expected a row of the table that describes {shown(v.content)}")
                for v in missing
            ]
        )
    chosen = [row_of[str(value.content)] for value in values.sequence]
    columns = {name: [column[row] for row in chosen] for name, column in rows.columns.items()}
    return _Rows(values.sequence, columns, rows.place)


def _refuse(complaints: list[Complaint], values: int, numbers: int, place: Place) -> None:
    if not complaints and (mistake := mistake_in_counts(values, numbers)):
        complaints = [Complaint(place, mistake)]
    if complaints:
        raise refusal(complaints)


def _no_number(node: Node, name: str, value: str) -> Complaint:
    return Complaint(
        node.place, f"expected a finite number as `{name}` of `{value}`, got {shown(_content(node))}"
    )


def _content(node: Node) -> object:
    return list(node.content) if isinstance(node.content, tuple) else node.content


def _value(place: Place, text: str) -> Node:
    """A number, where it would be written so; `007` is a name."""
    number = scalar(text)
    return Node(place, number if is_number(number) and str(number) == text else text, text)
