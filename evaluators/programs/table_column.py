"""A column of a table that a program prints or writes: of CSV, or of numbers in columns, as of simulators."""

from __future__ import annotations

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from evaluators.errors import EvaluationError, NothingFound
from evaluators.programs.last_words import shown_line
from evaluators.programs.said import Said
from evaluators.programs.written_number import read_number
from orchestrator.spelling import did_you_mean

_SEPARATORS: Final = ("\t", ";", ",", None)
"""In the order in which they are looked for; None is any white space."""
_COMMENT: Final = ("#", "%", "@", "!", "//")
_BELOW_NAMES: Final = 3
"""Lines below the names of the columns among which the first row is: others are units, or a rule."""
_DECIMAL_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]+(?:[eE][-+]?[0-9]+)?")
_SEVERAL_OF_THESE: Final = re.compile(r"[0-9],[0-9]+(?:[eE][-+]?[0-9]+)?\s+[-+]?[0-9]+,[0-9]")
"""With spaces between them: cut at the commas, each would be halves of two numbers."""
_THOUSANDS: Final = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
"""Or as many decimals."""


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
        numbers = tuple(self._is_number(i) for i in others) if self.separator is None else ()
        return _Shape(self.separator, len(self.cells), numbers)

    @property
    def value(self) -> float | None:
        if not self._is_long_enough:
            return None
        return self._number(self.cells[self._place])

    @property
    def is_row(self) -> bool:
        """Whether it has a number in its place, or what was to be one."""
        return self.value is not None or (self._is_long_enough and _is_overflow(self.cells[self._place]))

    def _number(self, cell: str) -> float | None:
        # Where these separate cells, spreadsheets and instruments write commas in the place of points.
        if "," in cell and len(self.cells) > 1 and self.separator != "," and _DECIMAL_COMMA.fullmatch(cell):
            is_doubtful = self.separator is None and _THOUSANDS.fullmatch(cell) is not None
            return None if is_doubtful else float(cell.replace(",", "."))
        return read_number(cell)

    def _is_number(self, place: int) -> bool:
        cell = self.cells[place]
        return self._number(cell) is not None or _is_overflow(cell) or _THOUSANDS.fullmatch(cell) is not None

    @property
    def _place(self) -> int:
        return self.wanted if self.wanted >= 0 else len(self.cells) + self.wanted

    @property
    def _is_long_enough(self) -> bool:
        return 0 <= self._place < len(self.cells)


def column_of(said: Said, column: str | int, *, first: bool = False) -> array[float]:
    """The numbers of a column, from above, by its name or its number from 1, or from -1 on the right.

    Of several tables with such a name in one text the last counts; lines that are no rows are passed over.
    With ``first`` it is that of the first table, which ends at a line that is no row of it. Raises
    `NothingFound` where there is no such column, and `EvaluationError` (invalid) where a row has no number
    in it.
    """
    lines, told, above = said.shown.splitlines(), said.told, said.lines_above
    wanted = column - 1 if isinstance(column, int) and column > 0 else column
    if isinstance(wanted, str):
        rows = _below_its_name(lines, wanted, said, first)
    else:
        rows = _of_first_rows(lines, wanted) if first else _of_most_rows(lines, wanted)
    numbers = array("d")
    for line in rows:
        if (value := line.value) is None:
            raise EvaluationError(
                "invalid",
                f"expected {told} a number in the column {_shown(column)}, in line"
                f" {line.number + above}: {shown_line(line.text)}",
            )
        numbers.append(value)
    if not numbers:
        raise NothingFound(f"expected {told} a column {_shown(column)}{_there(lines, column, above)}")
    return numbers


def _below_its_name(lines: Sequence[str], name: str, said: Said, in_first: bool) -> Iterator[_Line]:
    """The rows of the last table with such a column, or of the first, up to the first line that is none."""
    places = range(len(lines)) if in_first else reversed(range(len(lines)))
    for place, separator, names in _with_cell(lines, name, places):
        below = _cut(lines, place + 1, separator, names.index(name))
        first = _first_row(below, len(names), place + 1 + _BELOW_NAMES)
        if first is None:
            continue
        if names.count(name) > 1:
            raise EvaluationError("invalid", f"expected {said.told} one column `{name}`, got several")
        yield first
        shape = first.shape
        every = (line for line in below if line.shape == shape)
        yield from _contiguous(below, first, lines) if in_first else every
        return


def _first_row(below: Iterator[_Line], cells: int, last: int) -> _Line | None:
    """With so many cells, up to the line of that number."""
    near = takewhile(lambda line: line.number <= last, below)
    return next((line for line in near if len(line.cells) == cells and line.is_row), None)


def _with_cell(
    lines: Sequence[str], name: str, places: Iterable[int]
) -> Iterator[tuple[int, str | None, list[str]]]:
    """The places of lines in which a cell is such, in that order, with what separates cells there, and all of
    these.
    """
    for place in places:
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
            begun = True
            yield line


def _of_first_rows(lines: Sequence[str], wanted: int) -> Iterator[_Line]:
    """Those from the first line on that has a number there, as long as they are in its shape."""
    first: _Line | None = None
    for separator in reversed(_SEPARATORS):
        # In the same line the one that comes first among them, and of what is below none is looked for.
        near = lines if first is None else lines[: first.number]
        first = next((line for line in _cut(near, 0, separator, wanted) if line.is_row), first)
    if first is not None:
        yield first
        yield from _contiguous(_cut(lines, first.number, first.separator, wanted), first, lines)


def _contiguous(below: Iterator[_Line], first: _Line, lines: Sequence[str]) -> Iterator[_Line]:
    """Those below the first of a table that are its rows, with nothing but empty lines between them."""
    shape, end = first.shape, first.number
    for line in below:
        if line.shape != shape or any(map(str.strip, lines[end : line.number - 1])):
            return
        yield line
        end = line.number


def _cut(lines: Sequence[str], start: int, separator: str | None, wanted: int) -> Iterator[_Line]:
    """Those from a place on that are neither empty nor comments, nor rules of asterisks about a heading."""
    for place in range(start, len(lines)):
        text = lines[place]
        if _is_passed_over(text) or _is_rule(lines, place):
            continue
        if separator is None or separator in text:
            if separator == "," and _SEVERAL_OF_THESE.search(text):
                continue
            yield _Line(place + 1, text, separator, _cells(text, separator), wanted)
        elif wanted == 0:
            yield _Line(place + 1, text, separator, [text.strip()], wanted)


def _is_rule(lines: Sequence[str], place: int) -> bool:
    """Whether a line is of nothing but asterisks, and not a number among others that had no room."""
    if lines[place].strip().strip("*"):
        return False
    above = _first_of(lines, range(place - 1, -1, -1))
    below = _first_of(lines, range(place + 1, len(lines)))
    beside = [line for line in (above, below) if line is not None]
    return bool(beside) and all(read_number(line) is None for line in beside)


def _first_of(lines: Sequence[str], places: Iterable[int]) -> str | None:
    return next((lines[place] for place in places if not _is_passed_over(lines[place])), None)


def _is_passed_over(text: str) -> bool:
    """Whether a line is empty or a comment."""
    return not text.strip() or text.lstrip().startswith(_COMMENT)


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


def _there(lines: Sequence[str], column: str | int, above: int) -> str:
    """What there is in its place."""
    first = next((line for line in lines if line.strip()), "")
    if not first:
        return ", got nothing"
    near = ""
    if isinstance(column, str):
        if (found := next(_with_cell(lines, column, reversed(range(len(lines)))), None)) is not None:
            place, _, cells = found
            below = lines[place + 1 : place + 1 + _BELOW_NAMES]
            return (
                f" with numbers; below its name, in line {place + 1 + above}, no row of {len(cells)} cells"
                f" with a number there begins within {_BELOW_NAMES} lines: {shown_line(lines[place])}"
                f"{_of_other_cells(below, len(cells))}"
            )
        names = {cell for line in lines[:50] for separator in _SEPARATORS for cell in _cells(line, separator)}
        near = did_you_mean(column, names - {column})
    return f"; its first line is {shown_line(first)}{near}"


def _of_other_cells(below: Iterable[str], names: int) -> str:
    """What to do where rows have more or fewer cells than there are names, as where they begin with one."""
    for line in below:
        cells = _cells(line, None)
        if len(cells) != names and sum(map(_is_number, cells)) > 1:
            return (
                f"; a line below has {len(cells)}: say the column's number, from 1, or from -1 on the right"
            )
    return ""
