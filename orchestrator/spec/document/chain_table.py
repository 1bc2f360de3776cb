"""A table of draws as samplers write it: CSV, or words with spaces between them; a header that may stand
behind a `#`, as CosmoSIS and numpy have it, and further lines behind one, which say nothing of draws.
"""

from __future__ import annotations

import re

from orchestrator.spec.document.csv_table import DELIMITERS, CsvTable, read_csv

COMMENT = "#"


def read_chain(text: str, name: str) -> CsvTable:
    """The table in a text; ``name`` is the file's in errors. Raises SpecError as `read_csv` does."""
    lines = text.split("\n")
    top = next((row for row, line in enumerate(lines) if line.strip()), 0)
    spaced = not any(sign in lines[top] for sign in DELIMITERS)
    rows = [_row(line, is_header=row == top) for row, line in enumerate(lines)]
    return read_csv("\n".join(map(_with_commas, rows) if spaced else rows), name)


def _row(line: str, *, is_header: bool) -> str:
    """Without a comment, each cell where it stands, as errors say where."""
    if not line.lstrip().startswith(COMMENT):
        return line
    return line.replace(COMMENT, " ", 1) if is_header else ""


def _with_commas(row: str) -> str:
    return re.sub(r"(?<=\S) (?= *\S)", ",", row)
