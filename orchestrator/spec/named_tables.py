"""Tables that a spec names by their files, which lie beside it; or that stand in it, as one text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import CsvTable, read_csv
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.tree import Node

TABLE_LIMIT = 700_000
"""Bytes: it is kept in the spec that a run has, of which there may be a million."""


@dataclass(frozen=True, slots=True)
class TableRead:
    """Where a spec names a file, and the table that was in it."""

    named_at: Node
    text: str


def named_table(
    named: Node, folder: Path | None, read: Callable[[str, str], CsvTable] = read_csv
) -> tuple[CsvTable, list[TableRead]]:
    """The table in a file that a text names, or in the text itself; and the file that was read, if one was.
    ``folder`` is where paths start; without one none is looked for, as of a run, which has the table itself.
    ``read`` is given a text, and what it is called in errors.

    Raises:
        SpecError: where there is no table.
    """
    text = str(named.content)
    if "\n" in text:
        return read(text, f"the table on line {named.place.line}"), []
    content = text_of_table(named, folder)
    return read(content, text), [TableRead(named, content)]


def text_of_table(named: Node, folder: Path | None) -> str:
    """The text of a file that is named in a spec whose paths start at a ``folder``. Raises SpecError."""
    text = str(named.content)
    if folder is None:
        sentence = f"expected the table that a run keeps, got the name of a file, `{text}`"
        raise refusal([Complaint(named.place, sentence)])
    return read_text(file_beside(named, folder), TABLE_LIMIT, named.place)


def file_beside(named: Node, folder: Path) -> Path:
    """That a spec in a ``folder`` names. Raises SpecError for what lies elsewhere."""
    text = str(named.content)
    if "\0" in text:
        sentence = "expected the name of a CSV file, got one with a null character"
        raise refusal([Complaint(named.place, sentence)])
    path = folder / text
    if not path.resolve().is_relative_to(folder.resolve()):
        # Whoever wrote the spec must not have its reader's other files read, and quoted.
        sentence = f"expected a CSV file in the folder of the spec, got {text}, which lies elsewhere"
        raise refusal([Complaint(named.place, f"{sentence}: put it beside the spec")])
    return path
