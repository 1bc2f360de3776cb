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
from orchestrator.spec.document.complaint import Refusal
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.named_columns import column_of, is_table
from orchestrator.spec.named_tables import named_table
from orchestrator.spec.rewritten import Rewritten


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
        return in_use if is_table(in_use.content) else None
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
    return column_of(rows_of_csv(replace(csv, header=called(csv.header))), name, named, "what was recorded")
