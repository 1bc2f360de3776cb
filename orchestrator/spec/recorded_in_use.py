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
from orchestrator.spec.document.tree import Node
from orchestrator.spec.named_columns import column_of, is_table, write_out_columns
from orchestrator.spec.named_tables import named_table
from orchestrator.spec.rewritten import Rewritten


def write_out_recorded(
    tree: Node, folder: Path | None, called: Callable[[Sequence[str]], tuple[str, ...]]
) -> Rewritten:
    """Of a spec's tree. ``folder`` is as for `named_table`; ``called`` says how the spec calls headings."""
    result = Rewritten(tree)

    def column(name: str, told: Node) -> tuple[Node, Sequence[Node]] | None:
        if (named := _named(told)) is None:
            return None
        csv, read = named_table(named, folder)
        result.tables += read
        table = rows_of_csv(replace(csv, header=called(csv.header)))
        return named, column_of(table, name, named, "what was recorded")

    return write_out_columns(result, "in_use", "recorded", column)


def _named(told: Node) -> Node | None:
    """Where a parameter names a table, or is told one."""
    in_use = told.get("in_use")
    if in_use is None:
        return None
    if isinstance(in_use.content, str):
        return in_use if is_table(in_use.content) else None
    recorded = in_use.get("recorded")
    return recorded if recorded is not None and isinstance(recorded.content, str) else None
