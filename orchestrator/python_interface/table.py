"""Earlier results, or points alone, as people have them: a table, columns by name, or a mapping each."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypeVar

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.columns import Columns, PointColumns
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Result
from orchestrator.spelling import listed
from orchestrator.values.foreign import in_a_line, in_place_of_mapping

T = TypeVar("T")
OF_CALLER = 3
"""Whose line a warning names: above `results_of` and `Optimiser.learn_all`."""
OF_A_FILE = "; of a file, what pandas.read_csv returns, or csv.DictReader"
TEXT_FOR_NUMBERS = (
    "\nNumbers are texts there that can be read in more than one way: read the file so that they are numbers,"
    " as pandas.read_csv does, with `decimal=','` where they have commas"
)
ROWS_SHOWN = 5
"""Of those that are wrong."""


class Table(Protocol):
    """As the data frames of pandas and polars are."""

    @property
    def columns(self) -> object:
        """Their names, in order."""

    def __getitem__(self, name: object, /) -> object: ...


Points: TypeAlias = Sequence[Mapping[str, Any]]
Rows: TypeAlias = Table | Mapping[str, Any] | Iterable[Mapping[str, Any]]


def rows_of(told: Any, columns: PointColumns) -> list[Mapping[str, object]]:
    """A mapping for each row. Raises UsageError for what is no table, columns or list of mappings, and for a
    table that is still to be computed.
    """
    if not isinstance(told, Mapping) and callable(getattr(told, "collect", None)):
        raise UsageError(
            f"expected {columns.what} that are there, got a {type(told).__name__}, which has yet to find its"
            " rows: give what its `.collect()` returns"
        )
    if not isinstance(told, Mapping) and hasattr(told, "columns"):
        names = list(told.columns)
        meant = columns.meant(names)
        columns.require([meant[name] for name in names])
        return _across({meant[name]: told[name] for name in names if names.count(name) == 1}, columns)
    if isinstance(told, Mapping):
        meant = columns.meant(list(told))
        columns.require(list(meant.values()))
        return _across({meant[name]: cells for name, cells in told.items()}, columns)
    rows = mappings_in(told, columns)
    meant = columns.meant(list(dict.fromkeys(name for row in rows for name in row)))
    if rows:
        columns.require(list(meant.values()))
    return [{meant[name]: cell for name, cell in row.items()} for row in rows]


def mappings_in(told: object, columns: PointColumns) -> list[Mapping[str, object]]:
    """What a list of mappings holds. Raises UsageError for anything else."""
    if callable(getattr(told, "results", None)):
        raise UsageError(f"expected {columns.what}, got {in_a_line(told)}: give its `results()`")
    if isinstance(told, str) or hasattr(told, "to_dict") or not isinstance(told, Iterable):
        raise UsageError(
            f"expected {columns.what} as a table, as columns by their names, or as a list of mappings, got"
            f" {in_place_of_mapping(told)}{OF_A_FILE if isinstance(told, str | PathLike) else ''}"
        )
    rows = list(told)
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            came = in_place_of_mapping(row)
            raise UsageError(f"row {i}: expected a mapping, as {columns.example}, got {came}")
        if isinstance(told, csv.DictReader):
            _refuse_ragged(row, i, told)
    return rows


def points_in(told: object, space: Space) -> tuple[list[Mapping[str, object]], bool]:
    """The parameters of each point of a table, of columns, or of mappings, or of one, and whether they are
    whole: in a table there is a column for each parameter, and others are left alone. Raises UsageError for
    what is none of these.
    """
    columns = PointColumns(space)
    is_table = hasattr(told, "columns") or callable(getattr(told, "collect", None))
    if isinstance(told, Mapping):
        is_table = any(is_column(told[name]) for name in space.names if name in told)
        if not is_table:
            return [told], False
    if is_table:
        return [columns.point(row) for row in rows_of(told, columns)], True
    return mappings_in(told, columns), False


def points_of(told: object) -> Points:
    """Points of a caller's own. Raises UsageError for what is no list of mappings."""
    if isinstance(told, Iterable) and not isinstance(told, str | bytes | Mapping):
        points = list(told)
        if all(isinstance(one, Mapping) for one in points):
            return points
    raise UsageError(
        f'expected as `points` a list of mappings, as [{{"x": 0.3, "n": 2}}], got {in_a_line(told)}'
    )


def results_of(rows: Sequence[Mapping[str, object]], columns: Columns, reading: Reading) -> list[Result]:
    """What the rows tell. Raises UsageError that says of rows, counted from 0, what is wrong with them."""
    try:
        read = read_each(
            rows, lambda row: None if (told := columns.read(row)) is None else reading.known(*told)
        )
    except UsageError as error:
        hint = TEXT_FOR_NUMBERS if any(map(columns.has_text_for_numbers, rows)) else ""
        raise UsageError(f"{error}{hint}") from None
    results = [result for result in read if result is not None]
    for sentence in columns.misspelt(list(dict.fromkeys(str(name) for row in rows for name in row))):
        warnings.warn(sentence, RuntimeWarning, stacklevel=OF_CALLER)
    if between := [result.between for result in results if result.between]:
        names = listed(dict.fromkeys(name for one in between for name in one), "and")
        lie = "lies" if len(between) == 1 else "lie"
        warnings.warn(
            f"{len(between)} of {len(results)} results {lie} between values that {names} takes: learned from"
            " as at the nearest, and no best",
            RuntimeWarning,
            stacklevel=OF_CALLER,
        )
    return results


def read_each(rows: Sequence[Mapping[str, object]], read: Callable[[Mapping[str, object]], T]) -> list[T]:
    """What is read of each of the rows. Raises UsageError that says of rows, counted from 0, what is wrong
    with them.
    """
    found: list[T] = []
    wrong: list[str] = []
    for i, row in enumerate(rows):
        try:
            found.append(read(row))
        except OrchestratorError as error:
            wrong.append(f"row {i}: {error}")
    if wrong:
        more = [f"and {len(wrong) - ROWS_SHOWN} more"] if len(wrong) > ROWS_SHOWN else []
        raise UsageError("\n".join([*wrong[:ROWS_SHOWN], *more]))
    return found


def is_column(cells: object) -> bool:
    """Whether it is values, one for each row, and no single one."""
    single = isinstance(cells, str | Mapping) or getattr(cells, "shape", None) == ()
    return not single and isinstance(cells, Iterable)


def _refuse_ragged(row: Mapping[Any, Any], i: int, reader: csv.DictReader[Any]) -> None:
    """Raises UsageError for a row of a file, counted from 0, that has more cells than its header, as where
    numbers have commas, or fewer, as where the end of the file is missing.
    """
    names = list(reader.fieldnames or ())
    more = row.get(reader.restkey, ())
    fewer = [name for name in names if row.get(name) is reader.restval]
    if more or fewer:
        count = len(names) + len(more) - len(fewer)
        raise UsageError(f"row {i}: expected {len(names)} cells, as many as the header has, got {count}")


def _across(told: Mapping[Any, Any], columns: PointColumns) -> list[Mapping[str, object]]:
    """Rows of columns."""
    lists: dict[str, list[Any]] = {}
    for name, cells in told.items():
        if not is_column(cells):
            came = f"got {in_a_line(cells)}{columns.instead}"
            raise UsageError(f"expected a column of values as `{name}`, {came}")
        lists[str(name)] = list(cells)
    lengths = {name: len(cells) for name, cells in lists.items()}
    if len(set(lengths.values())) > 1:
        came = ", ".join(f"{count} of `{name}`" for name, count in lengths.items())
        raise UsageError(f"expected as many values in each column, got {came}")
    return [dict(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]
