"""Conditions as they were recorded in a file, written out: each spelling becomes the one of the model.

| written | stands for |
|---|---|
| ``wind: {..., in_use: weather.csv}`` | ``in_use: {recorded: [...]}``, what stands in the column ``wind`` |
| ``wind: {..., in_use: {recorded: weather.csv}}`` | the same |
| ``wind: {..., in_use: "wind,load\\n4.1,20\\n..."}`` | the same, of the table itself |

What several parameters have of one table came up together, row by row; its other columns are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from orchestrator.spec.candidate_table import rows_of_csv
from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.named_tables import named_table
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spelling import did_you_mean, listed

FILE_ENDINGS = (".csv", ".tsv", ".txt")
"""By which a text is the name of a file, and not of a way to vary that there is not."""


def write_out_recorded(
    tree: Node, folder: Path | None, called: Callable[[Sequence[str]], tuple[str, ...]]
) -> Rewritten:
    """Of a spec's tree. ``folder`` is as for `named_table`; ``called`` says how the spec calls headings."""
    result = Rewritten(tree)
    parameters = tree.get("parameters")
    for name, entry in {} if parameters is None else dict(parameters.mapping).items():
        named = _named(entry.node)
        if named is None or parameters is None:
            continue
        told = entry.node
        try:
            values = _column(result, name, named, folder, called)
        except Refusal as error:
            result.complaints += error.complaints
            # Without it, the one error is said once.
            told = told.without("in_use")
        else:
            recorded = Entry(named.place, Node(named.place, tuple(values)))
            in_use = Node(named.place, {"recorded": recorded})
            told = told.having("in_use", Entry(told.mapping["in_use"].key_place, in_use))
        parameters = parameters.having(name, Entry(entry.key_place, told))
    if parameters is not None:
        result.tree = tree.having("parameters", Entry(tree.mapping["parameters"].key_place, parameters))
    return result


def _named(told: Node) -> Node | None:
    """Where a parameter names a table, or is told one."""
    in_use = told.get("in_use")
    if in_use is None:
        return None
    if isinstance(in_use.content, str):
        is_table = "\n" in in_use.content or in_use.content.lower().endswith(FILE_ENDINGS)
        return in_use if is_table else None
    recorded = in_use.get("recorded")
    return recorded if recorded is not None and isinstance(recorded.content, str) else None


def _column(
    result: Rewritten,
    name: str,
    named: Node,
    folder: Path | None,
    called: Callable[[Sequence[str]], tuple[str, ...]],
) -> Sequence[Node]:
    """What stands below a parameter's name. Raises SpecError where it is no column, or has gaps."""
    csv, read = named_table(named, folder)
    result.tables += read
    table = rows_of_csv(replace(csv, header=called(csv.header)))
    if name not in table.columns:
        columns = listed(table.columns, "and")
        sentence = f"expected a column `{name}` of what was recorded, got {columns}"
        raise refusal([Complaint(named.place, f"{sentence}{did_you_mean(name, list(table.columns))}")])
    cells = table.columns[name]
    gaps = [cell for cell in cells if cell.content is None]
    if gaps:
        raise refusal(
            Complaint(cell.place, f"expected of each row what `{name}` was, got an empty cell")
            for cell in gaps
        )
    return cells
