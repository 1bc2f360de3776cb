"""What stands below the name of a parameter in a table that a spec names for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from orchestrator.spec.candidate_table import CandidateRows
from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.table_files import FILE_ENDINGS


def is_table(text: str) -> bool:
    """Whether a text is a table, or names the file of one."""
    return "\n" in text or text.lower().endswith(FILE_ENDINGS)


def column_of(table: CandidateRows, name: str, named: Node, of: str) -> Sequence[Node]:
    """The cells of a column. ``of``: what these are, for where the table is ``named``. Raises SpecError where
    there is no such column, or it has gaps.
    """
    if name not in table.columns:
        columns = listed(table.columns, "and")
        sentence = f"expected a column `{name}` of {of}, got {columns}"
        raise refusal([Complaint(named.place, f"{sentence}{did_you_mean(name, list(table.columns))}")])
    cells = table.columns[name]
    if gaps := [cell for cell in cells if cell.content is None]:
        raise refusal(
            Complaint(cell.place, f"expected of each row what `{name}` was, got an empty cell")
            for cell in gaps
        )
    return cells


def write_out_columns(
    result: Rewritten,
    key: str,
    within: str,
    column: Callable[[str, Node], tuple[Node, Sequence[Node]] | None],
) -> Rewritten:
    """With ``{within: [...]}`` as the ``key`` of each parameter for which ``column`` says where a table is
    named, and the cells; what it raises is complained of, and the key left out, so that this is said once.
    """
    whole = result.tree.mapping.get("parameters")
    if whole is None:
        return result
    parameters = whole.node
    for name, entry in parameters.mapping.items():
        told = entry.node
        try:
            if (found := column(name, told)) is None:
                continue
        except Refusal as error:
            result.complaints += error.complaints
            told = told.without(key)
        else:
            place, cells = found[0].place, tuple(found[1])
            written = Node(place, {within: Entry(place, Node(place, cells))})
            told = told.having(key, Entry(told.mapping[key].key_place, written))
        parameters = parameters.having(name, Entry(entry.key_place, told))
    result.tree = result.tree.having("parameters", Entry(whole.key_place, parameters))
    return result
