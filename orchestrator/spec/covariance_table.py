"""A covariance of errors in a table, or in rows of a spec, in the order of what is fitted.

A table is a square of numbers; or its header, and perhaps the first cell of each row, name outcomes, a curve
as often as it has points, and rows and columns may stand in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, Place
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.named_tables import TableRead, named_table
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.finite import is_number

SQUARE = (
    "expected a square of numbers, as [[0.04, 0.01], [0.01, 0.09]], a row and a column for each that is"
    " fitted, or the name of a CSV file, got {}"
)


@dataclass(frozen=True, slots=True)
class Square:
    """``rows`` of what stands there, and where each row of a file does."""

    rows: list[list[Any]]
    cells: list[list[Place]]
    place: Place

    def place_of(self, row: int | None, column: int | None) -> Place:
        """Of a cell, or of a row; where it is neither, of all."""
        if row is None or not self.cells[row:]:
            return self.place
        return self.cells[row][column or 0] if self.cells[row] else self.place


def square(told: Node, names: Sequence[str], folder: Path | None) -> tuple[Square, list[TableRead]]:
    """Of what is told in a spec of ``names``, one for each number that is fitted; and the file that was read.
    ``folder`` is as for `named_table`. Raises SpecError for a table whose names are others.
    """
    if isinstance(told.content, str):
        table, read = named_table(told, folder)
        return _in_table(table, names), read
    rows = told.sequence
    if not rows or not all(row.sequence for row in rows):
        raise refusal([Complaint(told.place, SQUARE.format(shown(_plain(told))))])
    contents = [[cell.content for cell in row.sequence] for row in rows]
    return Square(contents, [[cell.place for cell in row.sequence] for row in rows], told.place), []


def _plain(told: Node) -> object:
    return [one.content for one in told.sequence] if told.sequence else told.content


@dataclass(frozen=True, slots=True)
class _Row:
    texts: list[str]
    places: list[Place]

    @classmethod
    def of(cls, table: CsvTable, line: int, cells: Sequence[str]) -> _Row:
        if len(cells) == 1 and len(cells[0].split()) > 1:
            # As NumPy writes them.
            cells = cells[0].split()
        starts, first = [], 1
        for cell in cells:
            starts.append(Place(table.source, line, first))
            first += len(cell) + 1
        return cls([table.with_point(cell.strip()) for cell in cells], starts)

    def beyond(self, first: int) -> _Row:
        return _Row(self.texts[first:], self.places[first:])

    def of_numbers(self) -> bool:
        return all(is_number(scalar(text)) for text in self.texts)


def _in_table(table: CsvTable, names: Sequence[str]) -> Square:
    top = Place(table.source, 1, 1)
    header = _Row.of(table, 1, table.header)
    rows = [_Row.of(table, line, cells) for line, cells in table.rows]
    if header.of_numbers():
        return _square([header, *rows], top)
    if header.texts[0] == "" or not all(is_number(scalar(row.texts[0])) for row in rows):
        columns = _order(header.beyond(1), names, "column", top)
        named = _Row([row.texts[0] for row in rows], [row.places[0] for row in rows])
        rows = [rows[j].beyond(1) for j in _order(named, names, "row", top)]
    else:
        columns = _order(header, names, "column", top)
        rows = [rows[j] for j in columns] if len(rows) == len(columns) else rows
    own = [_Row([row.texts[k] for k in columns], [row.places[k] for k in columns]) for row in rows]
    return _square(own, top)


def _square(rows: Sequence[_Row], top: Place) -> Square:
    contents = [[scalar(text) for text in row.texts] for row in rows]
    return Square(contents, [row.places for row in rows], top)


def _order(told: _Row, names: Sequence[str], what: str, top: Place) -> list[int]:
    """By which each of the names is found there. Raises SpecError where others are."""
    if wrong := list(_wrong(told, names, what, top)):
        raise refusal(wrong)
    found: dict[str, list[int]] = {}
    for number, name in enumerate(told.texts):
        found.setdefault(name, []).append(number)
    following = {name: iter(numbers) for name, numbers in found.items()}
    return [next(following[name]) for name in names]


def _wrong(told: _Row, names: Sequence[str], what: str, top: Place) -> Iterator[Complaint]:
    expected, came = Counter(names), Counter(told.texts)
    for name, place in zip(told.texts, told.places, strict=True):
        if name not in expected:
            near = did_you_mean(name, list(expected))
            fitted = listed(list(expected))
            yield Complaint(place, f"expected a {what} of what is fitted ({fitted}), got `{name}`{near}")
    if not came.keys() <= expected.keys():
        return
    for name, count in expected.items():
        if came[name] != count:
            points = "" if count == 1 else f", one for each of its {count:,} points"
            times = "once" if came[name] == 1 else f"{came[name]:,} times" if came[name] else "none"
            expecting = "once" if count == 1 else f"{count:,} times"
            there = [place for text, place in zip(told.texts, told.places, strict=True) if text == name]
            sentence = f"expected a {what} `{name}` {expecting}{points}, got {times}"
            yield Complaint([*there, top][0], sentence)
