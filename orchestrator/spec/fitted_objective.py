"""An objective that fits outcomes to what was measured, written out: each spelling becomes the model's.

| written | stands for |
|---|---|
| ``objective: {fit: {lift: 3.2}}`` | ``objective: {fit: {lift: {value: 3.2}}, ...}`` |
| a ``goal`` or ``name`` that is left out | ``goal: minimise``, ``name: misfit`` |
| ``objective: {fit: target.csv}`` | the same, of a table in a file beside the spec |
| outcomes that ``outcomes`` leaves out | ``outcomes: [lift]`` |

A table has the columns ``outcome`` and ``value``, and perhaps ``error``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.tree import Entry, Node, Place
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.named_tables import TableRead, named_table
from orchestrator.spelling import listed, near_miss

MISFIT = "misfit"
COLUMNS = ("outcome", "value", "error")


@dataclass(slots=True)
class Fitted:
    """The tree with all targets as the model has them; what was wrong, and the table that was read."""

    tree: Node
    complaints: list[Complaint] = field(default_factory=list)
    tables: list[TableRead] = field(default_factory=list)


def write_out_fit(tree: Node, folder: Path | None) -> Fitted:
    """Of a spec's tree. ``folder`` is as for `named_table`."""
    result = Fitted(tree)
    objective = tree.mapping.get("objective")
    told = None if objective is None else objective.node.mapping.get("fit")
    if objective is None or told is None:
        return result
    try:
        targets = _targets(result, told.node, folder)
    except Refusal as error:
        result.complaints += error.complaints
        # It stands in, so that the one error is said once.
        place = told.node.place
        targets = {"outcome": Entry(place, Node(place, {"value": Entry(place, Node(place, 0.0))}))}
    node = objective.node.having("fit", Entry(told.key_place, Node(told.node.place, targets)))
    for key, default in (("goal", "minimise"), ("name", MISFIT)):
        if key not in node.mapping:
            node = node.having(key, Entry(told.key_place, Node(told.key_place, default)))
    result.tree = _with_outcomes(tree.having("objective", Entry(objective.key_place, node)), targets, told)
    return result


def _targets(result: Fitted, told: Node, folder: Path | None) -> dict[str, Entry]:
    if isinstance(told.content, str):
        table, read = named_table(told, folder)
        result.tables += read
        return _in_table(table)
    if not told.mapping:
        sentence = "expected targets by outcome, as {lift: {value: 3.2, error: 0.1}, drag: 1.0}, or the name"
        raise refusal([Complaint(told.place, f"{sentence} of a CSV file")])
    return {name: Entry(entry.key_place, _target(entry.node)) for name, entry in told.mapping.items()}


def _target(node: Node) -> Node:
    return node if isinstance(node.content, dict) else Node(node.place, {"value": Entry(node.place, node)})


def _in_table(table: CsvTable) -> dict[str, Entry]:
    top = Place(table.source, 1, 1)
    header = [name.strip() for name in table.header]
    complaints = [
        Complaint(top, f"expected a column `{name}` once, got it {header.count(name)} times")
        for name in COLUMNS
        if header.count(name) > 1 or (name not in header and name != "error")
    ]
    for name in header:
        # Else all errors would be 1, and nobody would know.
        if name not in COLUMNS and (near := near_miss(name, set(COLUMNS) - set(header))):
            sentence = f"expected the columns {listed(COLUMNS, 'and')}, got `{name}` (did you mean `{near}`?)"
            complaints.append(Complaint(top, sentence))
    if complaints:
        raise refusal(complaints)
    number = {name: header.index(name) for name in COLUMNS if name in header}
    found: dict[str, Entry] = {}
    for line, cells in table.rows:
        places = {
            name: Place(table.source, line, 1 + sum(len(cell) + 1 for cell in cells[:column]))
            for name, column in number.items()
        }
        outcome = cells[number["outcome"]].strip()
        if not outcome or outcome in found:
            came = f"`{outcome}` again" if outcome else "an empty cell"
            raise refusal([Complaint(places["outcome"], f"expected each outcome once, got {came}")])
        texts = {name: table.with_point(cells[number[name]].strip()) for name in number if name != "outcome"}
        entries = {
            name: Entry(places[name], Node(places[name], scalar(text), text))
            for name, text in texts.items()
            if text or name == "value"
        }
        found[outcome] = Entry(places["outcome"], Node(places["outcome"], entries))
    if not found:
        raise refusal([Complaint(top, f"expected rows of {listed(COLUMNS, 'and')}, got none")])
    return found


def _with_outcomes(tree: Node, targets: dict[str, Entry], told: Entry) -> Node:
    entry = tree.mapping.get("outcomes", Entry(told.key_place, Node(told.key_place, ())))
    if not isinstance(entry.node.content, tuple):
        return tree
    known = [str(node.content) for node in entry.node.sequence]
    further = [Node(one.key_place, name) for name, one in targets.items() if name not in known]
    node = Node(entry.node.place, (*entry.node.sequence, *further))
    return tree.having("outcomes", Entry(entry.key_place, node))
