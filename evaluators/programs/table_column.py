"""A column of a table that a program prints or writes: of CSV, or of numbers in columns, as of simulators."""

from __future__ import annotations

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from evaluators.errors import EvaluationError
from evaluators.programs.last_words import shown_line
from evaluators.programs.written_number import read_number
from orchestrator.spelling import did_you_mean

_SEPARATORS: Final = ("\t", ";", ",", None)
"""In the order in which they are looked for; None is any white space."""
_COMMENT: Final = ("#", "%", "@", "!", "//")
_BELOW_NAMES: Final = 3
"""Lines below the names of the columns among which the first row is: others are units, or a rule."""
_DECIMAL_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]+(?:[eE][-+]?[0-9]+)?")
_SEVERAL_OF_THESE: Final = re.compile(r"[0-9],[0-9]+\s+[-+]?[0-9]+,[0-9]")
"""With spaces between them: cut at the commas, each would be halves of two numbers."""


class _Shape(NamedTuple):
    separator: str | None
    cells: int
    numbers: tuple[bool, ...]
    """Of the other cells: which may be numbers."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a text, by its number from 1, cut into cells in one of the ways in which it may be."""

    number: int
    text: str
    separator: str | None
    cells: Sequence[str]
    wanted: int

    @property
    def shape(self) -> _Shape:
        """What the rows of a table have alike. Where white space is between cells, prose may have as many
        words as a row has cells, but no numbers where a row has them.
        """
        others = (i for i in range(len(self.cells)) if i != self._place)
        numbers = tuple(_is_number(self.cells[i]) for i in others) if self.separator is None else ()
        return _Shape(self.separator, len(self.cells), numbers)

    @property
    def value(self) -> float | None:
        if not self._is_long_enough:
            return None
        cell = self.cells[self._place]
        # Where they separate cells, spreadsheets and instruments write commas in the place of points.
        if len(self.cells) > 1 and self.separator in ("\t", ";") and _DECIMAL_COMMA.fullmatch(cell):
            return float(cell.replace(",", "."))
        return read_number(cell)

    @property
    def is_row(self) -> bool:
        """Whether it has a number in its place, or what was to be one."""
        return self.value is not None or (self._is_long_enough and _is_overflow(self.cells[self._place]))

    @property
    def _place(self) -> int:
        return self.wanted if self.wanted >= 0 else len(self.cells) + self.wanted

    @property
    def _is_long_enough(self) -> bool:
        return 0 <= self._place < len(self.cells)


def column_of(text: str, column: str | int, told: str) -> array[float]:
    """The numbers of a column, from above, by its name or its number from 1, or from -1 on the right.

    Of several tables with such a name in one text the last counts; lines that are no rows are passed over.
    ``told`` says what the program was to do with the text, as to print it. Raises `EvaluationError` (invalid)
    where there is no such column, and where a row has no number in it.
    """
    lines = text.splitlines()
    if isinstance(column, str):
        rows = _below_its_name(lines, column, told)
    else:
        rows = _of_most_rows(lines, column - 1 if column > 0 else column)
    numbers = array("d")
    for line in rows:
        if (value := line.value) is None:
            raise EvaluationError(
                "invalid",
                f"expected {told} a number in the column {_shown(column)}, in line {line.number}:"
                f" {shown_line(line.text)}",
            )
        numbers.append(value)
    if not numbers:
        raise EvaluationError("invalid", f"expected {told} a column {_shown(column)}{_there(lines, column)}")
    return numbers


def _below_its_name(lines: Sequence[str], name: str, told: str) -> Iterator[_Line]:
    """The rows of the last table with such a column."""
    for place, separator, names in _with_cell(lines, name):
        below = _cut(lines, place + 1, separator, names.index(name))
        first = _first_row(below, len(names), place + 1 + _BELOW_NAMES)
        if first is None:
            continue
        if names.count(name) > 1:
            raise EvaluationError("invalid", f"expected {told} one column `{name}`, got several")
        yield first
        yield from (line for line in below if line.shape == first.shape)
        return


def _first_row(below: Iterator[_Line], cells: int, last: int) -> _Line | None:
    """With so many cells, up to the line of that number."""
    near = takewhile(lambda line: line.number <= last, below)
    return next((line for line in near if len(line.cells) == cells and line.is_row), None)


def _with_cell(lines: Sequence[str], name: str) -> Iterator[tuple[int, str | None, list[str]]]:
    """The places of lines in which a cell is such, from the last on, with what separates cells there, and all
    of these.
    """
    for place in reversed(range(len(lines))):
        if name not in lines[place]:
            continue
        for separator in _SEPARATORS:
            if name in (cells := _cells(_without_mark(lines[place]), separator)):
                yield place, separator, cells


def _of_most_rows(lines: Sequence[str], wanted: int) -> Iterator[_Line]:
    """Those in the shape that most lines have which have a number there, from the first of these on."""
    shapes = Counter[_Shape]()
    for separator in _SEPARATORS:
        shapes.update(line.shape for line in _cut(lines, 0, separator, wanted) if line.value is not None)
    if not shapes:
        return
    # Of those that as many have the first: behind a comma there may be a space.
    shape, _ = max(shapes.items(), key=lambda item: item[1])
    begun = False
    for line in _cut(lines, 0, shape.separator, wanted):
        if line.shape == shape and (begun or line.is_row):
            if shape.separator == "," and _SEVERAL_OF_THESE.search(line.text):
                return
            begun = True
            yield line


def _cut(lines: Sequence[str], start: int, separator: str | None, wanted: int) -> Iterator[_Line]:
    """Those from a place on that are neither empty nor comments."""
    for place in range(start, len(lines)):
        text = lines[place]
        if not text.strip() or text.lstrip().startswith(_COMMENT):
            continue
        if separator is None or separator in text:
            yield _Line(place + 1, text, separator, _cells(text, separator), wanted)
        elif wanted == 0:
            yield _Line(place + 1, text, separator, [text.strip()], wanted)


def _cells(text: str, separator: str | None) -> list[str]:
    if separator is None:
        return [cell.strip('"') for cell in text.split()]
    if '"' not in text:
        return [cell.strip() for cell in text.split(separator)]
    try:
        row = next(csv.reader([text], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        # Of a line that is far too long.
        row = text.split(separator)
    return [cell.strip() for cell in row]


def _without_mark(text: str) -> str:
    """The names of columns may stand in a comment."""
    return text.strip(" \r\n").removeprefix("//").lstrip("#%@!").strip(" ")


def _is_number(cell: str) -> bool:
    return read_number(cell) is not None or _is_overflow(cell)


def _is_overflow(cell: str) -> bool:
    """Fortran fills with asterisks a field that is too narrow for its number."""
    return set(cell) == {"*"}


def _shown(column: str | int) -> str:
    return f"`{column}`" if isinstance(column, str) else str(column)


def _there(lines: Sequence[str], column: str | int) -> str:
    """What there is in its place."""
    first = next((line for line in lines if line.strip()), "")
    if not first:
        return ", got nothing"
    near = ""
    if isinstance(column, str):
        if (found := next(_with_cell(lines, column), None)) is not None:
            place, _, cells = found
            return (
                f" with numbers; below its name, in line {place + 1}, no row of {len(cells)} cells with a"
                f" number there begins within {_BELOW_NAMES} lines: {shown_line(lines[place])}"
            )
        names = {cell for line in lines[:50] for separator in _SEPARATORS for cell in _cells(line, separator)}
        near = did_you_mean(column, names - {column})
    return f"; its first line is {shown_line(first)}{near}"
