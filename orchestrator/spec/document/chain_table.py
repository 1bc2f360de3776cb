"""A table of draws as samplers write it: CSV, or words with spaces between them; a header that may stand
behind a `#`, as CosmoSIS and numpy have it, and further lines behind one, which say nothing of draws.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.spec.document.csv_table import DELIMITERS, CsvTable, read_csv

COMMENT = "#"


def read_chain(text: str, name: str) -> CsvTable:
    """The table in a text; ``name`` is the file's in errors. Raises SpecError as `read_csv` does."""
    lines = text.split("\n")
    top = next((row for row, line in enumerate(lines) if line.strip()), 0)
    rows = [_row(line, is_header=row == top) for row, line in enumerate(lines)]
    return read_csv("\n".join(map(_with_commas, rows) if _are_spaced(rows) else rows), name)


def _are_spaced(rows: Sequence[str]) -> bool:
    """Whether spaces stand between cells: the heading of one column may have some, too, before its unit."""
    head, *others = [row for row in rows if row.strip()][:2] or [""]
    of_words = not any(sign in head for sign in DELIMITERS)
    return of_words and all(len(row.split()) == len(head.split()) for row in others)


def _row(line: str, *, is_header: bool) -> str:
    """Without a comment, each cell where it stands, as errors say where."""
    if not line.lstrip().startswith(COMMENT):
        return line
    return line.replace(COMMENT, " ", 1) if is_header else ""


def _with_commas(row: str) -> str:
    return re.sub(r"(?<=\S) (?= *\S)", ",", row)
