"""A CSV file as a header and rows that know their lines; whatever is not a table is refused at its place.

Strict: a quotation mark that is not closed would take the rows behind it into one cell, and a row with cells
too few would be read into the wrong columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.tree import Place, Source

DELIMITERS = (",", "\t", ";")
QUOTED = re.compile('"[^"]*"')
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class CsvTable:
    """The names of the columns, and under them each row with the line that it begins on."""

    source: Source
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    delimiter: str = ","

    def meant(self, cell: str, own: Collection[str] = ()) -> str:
        """A cell as it is, where that is one of the parameter's ``own`` texts, else without spaces about it,
        and `with_point`.
        """
        return next((told for told in (cell, cell.strip()) if told in own), self.with_point(cell.strip()))

    def with_point(self, cell: str) -> str:
        """A cell whose number has a decimal comma with a point: where semicolons stand between cells, as
        spreadsheets write them where commas stand in numbers, a comma is nothing else.
        """
        is_comma = self.delimiter == ";" and DECIMAL_COMMA.fullmatch(cell.strip())
        return cell.replace(",", ".") if is_comma else cell


def read_csv(text: str, name: str) -> CsvTable:
    """The table in a text; ``name`` is the file's in errors. Rows in which every cell is empty are left out.

    Columns are separated by commas; by tabs or semicolons, where no comma is in the header but between
    quotation marks.

    Raises:
        SpecError: where there is no header, with every row that has not as many cells as that, or the first
            quotation mark that is not closed.
    """
    source = Source(name, tuple(re.split("\r\n|[\n\r]", text)))
    top = next((line for line in source.lines if line.strip()), "")
    between = QUOTED.sub("", top)
    delimiter = next((sign for sign in DELIMITERS if sign in between), ",")
    lines = _rows(text, source, delimiter)
    at, first = next((row for row in lines if _says_something(row[1])), (1, []))
    header = tuple(cell.strip() for cell in first)
    if not header:
        sentence = "expected a first line with the names of the columns, got an empty file"
        raise refusal([Complaint(Place(source, 1, 1), sentence)])
    rows: list[tuple[int, tuple[str, ...]]] = []
    complaints: list[Complaint] = []
    for line, cells in lines:
        if not _says_something(cells):
            continue
        if len(cells) < len(header) or _says_something(cells[len(header) :]):
            expected = f"{len(header)} cell{'s' if len(header) > 1 else ''}"
            sentence = f"expected {expected}, as in the header on line {at}, got {len(cells)}"
            complaints.append(Complaint(Place(source, line, 1), sentence))
        rows.append((line, tuple(cells[: len(header)])))
    if complaints:
        raise refusal(complaints)
    return CsvTable(source, header, tuple(rows), delimiter)


def _says_something(cells: Sequence[str]) -> bool:
    return any(cell.strip() for cell in cells)


def _rows(text: str, source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    # Not `splitlines`, which splits at characters that may stand in a cell.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        at = _unclosed(source.lines[line - 1], delimiter)
        sentence = f"expected comma-separated values, got an error: {error}"
        if at is not None:
            sentence = 'expected the cell to end with the `"` that closes it, got none; double a `"` inside'
        raise refusal([Complaint(Place(source, line, (at or 0) + 1), sentence)]) from None


def _unclosed(line: str, delimiter: str) -> int | None:
    """Where a cell begins that is quoted and does not end on its line."""
    cell = re.compile(f'"(?:[^"]|"")*"(?={delimiter}|$)|(?!")[^{delimiter}]*')
    at = 0
    while at <= len(line):
        found = cell.match(line, at)
        if found is None:
            return at
        at = found.end() + 1
    return None
