"""An objective that fits outcomes to what was measured, written out: each spelling becomes the model's.

| written | stands for |
|---|---|
| ``objective: {fit: {lift: 3.2}}`` | ``objective: {fit: {lift: {value: 3.2}}, ...}`` |
| a ``goal`` or ``name`` that is left out | ``goal: minimise``, ``name: misfit`` |
| ``objective: {fit: target.csv}`` | the same, of a table in a file beside the spec |
| outcomes that ``outcomes`` leaves out | ``outcomes: [lift]`` |
| ``covariance: errors.csv`` | ``covariance: [[0.04, 0.01], [0.01, 0.09]]``, in the order of the targets |

A table has the columns ``outcome`` and ``value``, and perhaps ``error``. In rows that say in a column
``at`` where along a curve they are, as at a wavelength, an outcome stands as often as its curve has points.
"""

from __future__ import annotations

from pathlib import Path

from orchestrator.spec.covariance_table import square
from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.tree import Entry, Node, Place, positioned
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.named_tables import named_table
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spelling import listed, near_miss
from orchestrator.values.curve import written_curve
from orchestrator.values.finite import is_number

MISFIT = "misfit"
COLUMNS = ("outcome", "value", "error")
AT = "at"
"""The column of where along a curve a row is: by it rows are points of one, and by numbers it is drawn."""
NO_ERROR = (
    "expected an error above 0, got an empty cell: write 1 if it is that, as it is where a table has no such"
    " column"
)

WITHOUT_FIT = "expected `covariance` beside a `fit`, of whose errors it is, got it without one"


def write_out_fit(tree: Node, folder: Path | None) -> Rewritten:
    """Of a spec's tree. ``folder`` is as for `named_table`."""
    result = Rewritten(tree)
    objective = tree.mapping.get("objective")
    told = None if objective is None else objective.node.mapping.get("fit")
    if objective is None or told is None:
        return _without_fit(result)
    try:
        targets = _targets(result, told.node, folder)
    except Refusal as error:
        result.complaints += error.complaints
        # It stands in, so that the one error is said once.
        place = told.node.place
        targets = {"outcome": Entry(place, Node(place, {"value": Entry(place, Node(place, 0.0))}))}
    node = objective.node.having("fit", Entry(told.key_place, Node(told.node.place, targets)))
    if (covariance := node.mapping.get("covariance")) is not None and covariance.node.content is not None:
        node = node.without("covariance")
        if not result.complaints and (rows := _covariance(result, covariance, targets, folder)) is not None:
            node = node.having("covariance", Entry(covariance.key_place, rows))
    for key, default in (("goal", "minimise"), ("name", MISFIT)):
        if key not in node.mapping:
            node = node.having(key, Entry(told.key_place, Node(told.key_place, default)))
    result.tree = _with_outcomes(tree.having("objective", Entry(objective.key_place, node)), targets, told)
    return result


def _without_fit(result: Rewritten) -> Rewritten:
    objective = result.tree.mapping.get("objective")
    covariance = None if objective is None else objective.node.mapping.get("covariance")
    if objective is not None and covariance is not None:
        result.complaints.append(Complaint(covariance.key_place, WITHOUT_FIT))
        rest = objective.node.without("covariance")
        result.tree = result.tree.having("objective", Entry(objective.key_place, rest))
    return result


def _covariance(
    result: Rewritten, told: Entry, targets: dict[str, Entry], folder: Path | None
) -> Node | None:
    """The covariance of errors in the order of targets; None where it is wrong, which joins what is."""
    # Imported here because it is numpy, and in most specs there is none.
    from orchestrator.error_covariance import BESIDE_ERRORS, CovarianceMistake, checked_covariance

    for name, one in targets.items():
        if (error := one.node.mapping.get("error")) is not None:
            result.complaints.append(Complaint(error.key_place, BESIDE_ERRORS.format(f"`{name}`")))
            return None
    counts = {name: _count(one.node) for name, one in targets.items()}
    names = [name for name, count in counts.items() for _ in range(count or 1)]
    words = [
        f"`{name}`" if number is None else f"point {number} of `{name}`"
        for name, count in counts.items()
        for number in ([None] if count is None else range(1, count + 1))
    ]
    try:
        found, read = square(told.node, names, folder)
        result.tables += read
        rows = checked_covariance(found.rows, words)
    except CovarianceMistake as mistake:
        place = found.place_of(mistake.row, mistake.column)
        result.complaints.append(Complaint(place, str(mistake)))
        return None
    except Refusal as error:
        result.complaints += error.complaints
        return None
    return positioned(rows, told.node.place)


def _count(target: Node) -> int | None:
    """Of the points of a curve; None of a number."""
    value = target.mapping["value"].node if "value" in target.mapping else target
    points = written_curve(value.content) if isinstance(value.content, str) else None
    if points is not None:
        return len(points)
    return len(value.sequence) if isinstance(value.content, tuple) else None


def _targets(result: Rewritten, told: Node, folder: Path | None) -> dict[str, Entry]:
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
        for name in (*COLUMNS, AT)
        if header.count(name) > 1 or (name not in header and name in COLUMNS[:2])
    ]
    for name in header:
        # Else all errors would be 1, and nobody would know.
        if name not in (*COLUMNS, AT) and (near := near_miss(name, set(COLUMNS) - set(header))):
            sentence = f"expected the columns {listed(COLUMNS, 'and')}, got `{name}` (did you mean `{near}`?)"
            complaints.append(Complaint(top, sentence))
    if complaints:
        raise refusal(complaints)
    number = {name: header.index(name) for name in (*COLUMNS, AT) if name in header}
    found: dict[str, Entry] = {}
    curves: dict[str, set[str]] = {}
    for line, cells in table.rows:
        places = {
            name: Place(table.source, line, 1 + sum(len(cell) + 1 for cell in cells[:column]))
            for name, column in number.items()
        }
        outcome = cells[number["outcome"]].strip()
        texts = {name: table.with_point(cells[number[name]].strip()) for name in number if name != "outcome"}
        at = texts.pop(AT, "")
        if not outcome or (outcome in found and not (at and outcome in curves)):
            came = f"`{outcome}` again" if outcome else "an empty cell"
            hint = f"; the points of a curve say in a column `{AT}` where they are" if outcome else ""
            raise refusal([Complaint(places["outcome"], f"expected each outcome once, got {came}{hint}")])
        if at and at in curves.setdefault(outcome, set()):
            raise refusal([Complaint(places[AT], f"expected each point of `{outcome}` once, got {at} again")])
        if texts.get("error") == "":
            raise refusal([Complaint(places["error"], NO_ERROR)])
        entries = {name: Node(places[name], scalar(text), text) for name, text in texts.items()}
        if at:
            curves[outcome].add(at)
            points = found.get(outcome)
            entries[AT] = Node(places[AT], scalar(at), at)
            entries = {name: _longer(points, name, node) for name, node in entries.items()}
        target = {name: Entry(places[name], node) for name, node in entries.items()}
        found[outcome] = Entry(places["outcome"], Node(places["outcome"], target))
    if not found:
        raise refusal([Complaint(top, f"expected rows of {listed(COLUMNS, 'and')}, got none")])
    return {name: _placed(entry) for name, entry in found.items()}


def _placed(target: Entry) -> Entry:
    """Without the places of a curve where these are words, as days: nothing can be drawn by those."""
    parts = target.node.mapping
    if AT not in parts or all(is_number(node.content) for node in parts[AT].node.sequence):
        return target
    rest = {name: entry for name, entry in parts.items() if name != AT}
    return Entry(target.key_place, Node(target.node.place, rest))


def _longer(curve: Entry | None, name: str, point: Node) -> Node:
    """The value, or the error, of a curve with one more point."""
    before = () if curve is None else curve.node.mapping[name].node.sequence
    place = before[0].place if before else point.place
    return Node(place, (*before, point))


def _with_outcomes(tree: Node, targets: dict[str, Entry], told: Entry) -> Node:
    entry = tree.mapping.get("outcomes", Entry(told.key_place, Node(told.key_place, ())))
    if not isinstance(entry.node.content, tuple):
        return tree
    known = [str(node.content) for node in entry.node.sequence]
    further = [Node(one.key_place, name) for name, one in targets.items() if name not in known]
    node = Node(entry.node.place, (*entry.node.sequence, *further))
    return tree.having("outcomes", Entry(entry.key_place, node))
