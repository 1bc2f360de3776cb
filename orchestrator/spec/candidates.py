"""The combinations that may be tried, written out: each spelling becomes the one of the model.

| written | stands for |
|---|---|
| ``candidates: samples.csv`` | ``candidates: {table: samples.csv}`` |
| ``candidates: [{mass: 3, dose: 0.1}, ...]`` | ``candidates: {table: [...]}`` |
| ``candidates: {table: samples.csv}`` | ``candidates: {columns: {mass: [3, ...], dose: [0.1, ...]}}`` |
| a column that ``given`` names | ``parameters: {barcode: {type: given}}`` |
| a column of texts of which each comes once | the same |
| any other column | ``parameters: {mass: {type: float, bounds: [3, 47]}}``, or a choice |

What ``parameters`` say of a column stays; bounds and values that they leave out are those of the column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from orchestrator.spec.candidate_table import CandidateRows, came, candidate_rows
from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.tree import Entry, Node, Place, positioned
from orchestrator.spec.rewritten import Rewritten
from orchestrator.values.candidates import alike, are_numbers, mistake_in_counts, names_each_row, never_varies
from orchestrator.values.finite import is_number

NUMBERS = ("float", "int")


def write_out_candidates(
    tree: Node, folder: Path | None, called: Callable[[Sequence[str]], tuple[str, ...]]
) -> Rewritten:
    """Of a spec's tree. ``folder`` is as for `named_table`; ``called`` says how the spec calls headings."""
    result = Rewritten(tree)
    entry = tree.mapping.get("candidates")
    if entry is None:
        return result
    told = entry.node
    if not told.mapping:
        told = Node(told.place, {"table": Entry(told.place, told)})
    try:
        table, read = candidate_rows(told, folder, called)
        result.tables += read
        given = _names(told, "given", table)
        seen = _names(told, "seen", table)
        _refuse_both(given, seen)
        own = _own_columns(result, tree, table, given, told.place)
    except Refusal as error:
        result.complaints += error.complaints
        result.tree = tree.without("candidates")
        return result
    of_rows = {name: node.place for name, node in given.items()}
    of_rows |= {name: told.place for name in table.columns if name not in own and name not in given}
    for name in of_rows:
        table.columns[name] = [as_written(cell) for cell in table.columns[name]]
    columns = {
        name: Entry(table.heads[name], Node(table.heads[name], tuple(cells)))
        for name, cells in table.columns.items()
    }
    written = {key: value for key, value in told.mapping.items() if key not in ("table", "columns", "given")}
    written["columns"] = Entry(told.place, Node(told.place, columns))
    written["given"] = Entry(
        told.place, Node(told.place, tuple(Node(p, name) for name, p in of_rows.items()))
    )
    candidates = Entry(entry.key_place, Node(told.place, written))
    result.tree = _with_parameters(result, tree.having("candidates", candidates), table, own, of_rows)
    return result


# -- what its columns are -----------------------------------------------------------------------------


def _names(told: Node, key: str, table: CandidateRows) -> dict[str, Node]:
    """The columns that a key lists, one or more, each with where it does."""
    node = told.get(key)
    if node is None:
        return {}
    listed = node.sequence if isinstance(node.content, tuple) else (node,)
    for one in listed:
        if one.content not in table.columns:
            sentence = f"expected columns of the table ({', '.join(table.columns)}), got {came(one)}"
            raise refusal([Complaint(one.place, sentence)])
    return {str(one.content): one for one in listed}


def _refuse_both(given: dict[str, Node], seen: dict[str, Node]) -> None:
    if both := [name for name in seen if name in given]:
        sentence = f"expected `{both[0]}` among what is given alone, or seen alone, got it in both"
        raise refusal([Complaint(seen[both[0]].place, sentence)])


def _own_columns(
    result: Rewritten, tree: Node, table: CandidateRows, given: dict[str, Node], place: Place
) -> list[str]:
    """The columns that are parameters. Raises SpecError for a table that is no choice."""
    complaints = _empty_cells(table)
    own: list[str] = []
    for name, cells in table.columns.items():
        values = [cell.content for cell in cells]
        if name in given or any(value is None for value in values):
            continue
        kind = _declared_type(tree, name)
        if kind is None and names_each_row(values) and len(values) > 1:
            sentence = (
                f"`{name}` of the candidates names each row: evaluations are given it, and the model does not"
                " see it"
            )
            result.remarks.append(Complaint(place, sentence))
            continue
        own.append(name)
        if len({(isinstance(value, bool), value) for value in values}) == 1 and len(values) > 1:
            complaints.append(Complaint(table.heads[name], never_varies(name)))
        if kind in (None, *NUMBERS):
            complaints += _texts_among_numbers(name, cells, needed=kind is not None)
    if not complaints and (mistake := mistake_in_counts(len(table.rows), len(own))):
        complaints = [Complaint(table.rows[0] if table.rows else place, mistake)]
    if not complaints:
        complaints = _repeated(table, own)
    if complaints:
        raise refusal(complaints)
    return own


def as_written(cell: Node) -> Node:
    """A value that is given and no more: `1E5` and `17.50` are names, though they can be read as numbers."""
    if not cell.written or isinstance(cell.content, str) or str(cell.content) == cell.written:
        return cell
    return Node(cell.place, cell.written, cell.written)


def _empty_cells(table: CandidateRows) -> list[Complaint]:
    return [
        Complaint(cell.place, f"expected a value of `{name}` in every row, got none")
        for name, cells in table.columns.items()
        for cell in cells
        if cell.content is None
    ]


def _texts_among_numbers(name: str, cells: list[Node], *, needed: bool) -> list[Complaint]:
    values = [cell.content for cell in cells]
    if not needed and not any(is_number(value) for value in values):
        return []
    advice = "" if needed else f"; if its values are names, say `parameters: {{{name}: {{type: choice}}}}`"
    return [
        Complaint(cell.place, f"expected a finite number as `{name}`, got {came(cell)}{advice}")
        for cell in cells
        if not is_number(cell.content)
    ]


def _repeated(table: CandidateRows, own: list[str]) -> list[Complaint]:
    first: dict[tuple[Any, ...], Place] = {}
    complaints = []
    for i, place in enumerate(table.rows):
        row = tuple((isinstance(c, bool), c) for name in own for c in [table.columns[name][i].content])
        if row in first:
            complaints.append(Complaint(place, alike(f"on line {first[row].line}")))
        first.setdefault(row, place)
    return complaints


# -- the parameters that they are ---------------------------------------------------------------------


def _declared_type(tree: Node, name: str) -> str | None:
    """What `parameters` say that a column is."""
    parameters = tree.get("parameters")
    told = parameters.get(name) if parameters else None
    kind = told.get("type") if told else None
    return None if kind is None else str(kind.content)


def _with_parameters(
    result: Rewritten, tree: Node, table: CandidateRows, own: list[str], given: dict[str, Place]
) -> Node:
    candidates = tree.mapping["candidates"]
    entry = tree.mapping.get("parameters") or Entry(candidates.key_place, Node(candidates.node.place, {}))
    declared = entry.node.mapping
    made: dict[str, Entry] = {}
    for name in table.columns:
        told = declared.get(name)
        kind = _declared_type(tree, name)
        if told is not None and (name in given or kind in ("fixed", "computed", "given")):
            sentence = f"expected `{name}` once, got it as a column of the candidates, too; remove one"
            result.complaints.append(Complaint(told.key_place, sentence))
        elif name in own:
            made[name] = _parameter(table, name, told)
        else:
            place = given[name]
            made[name] = Entry(place, positioned({"type": "given"}, place))
    others = {name: one for name, one in declared.items() if name not in made}
    return tree.having("parameters", Entry(entry.key_place, replace(entry.node, content={**made, **others})))


def _parameter(table: CandidateRows, name: str, told: Entry | None) -> Entry:
    """What a column is, with what was told of it."""
    place, cells = table.heads[name], table.columns[name]
    values = [cell.content for cell in cells]
    numbers = [value for value in values if isinstance(value, int | float) and is_number(value)]
    distinct = list({(isinstance(value, bool), value): value for value in values}.values())
    if told is None:
        kind: dict[str, object] = {"type": "choice", "values": distinct}
        if are_numbers(values):
            kind = {"type": "float", "bounds": [float(min(numbers)), float(max(numbers))]}
        return Entry(place, positioned(kind, place))
    node, kind_node = told.node, told.node.get("type")
    if kind_node is None:
        return told
    if kind_node.content in NUMBERS and "bounds" not in node.mapping:
        node = node.having("bounds", Entry(place, positioned([min(numbers), max(numbers)], place)))
    if kind_node.content == "choice" and not {"values", "described"} & node.mapping.keys():
        node = node.having("values", Entry(place, positioned(distinct, place)))
    return Entry(told.key_place, node)
