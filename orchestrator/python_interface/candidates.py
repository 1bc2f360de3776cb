"""The only combinations that may be tried, as callers of Python list them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.values import candidates as listed
from orchestrator.values.finite import in_short, is_number
from orchestrator.values.foreign import in_a_line, single_number
from orchestrator.values.plain import plain

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Sequence[Row] | Mapping[str, Sequence[Any]]
NUMBERS = ("float", "int")


@dataclass(frozen=True, slots=True)
class Candidates:
    """The ``rows``: mappings of columns to values, as ``[{"mass": 3, "dose": 0.1}, ...]``, or a mapping of
    columns to as many values each, or a table of pandas. Its columns are parameters, but those that are
    ``given``, which go with a row as its barcode does, and no model sees; what is only ``seen``, evaluations
    are not given. Each row is tried once, unless ``again``.
    """

    rows: Rows
    given: Sequence[str] = ()
    seen: Sequence[str] = ()
    again: bool = False


def with_candidates(
    parameters: Mapping[str, object] | Space, told: Candidates | Rows | None
) -> tuple[Mapping[str, object] | Space, listed.Candidates | None]:
    """Parameters with those that are columns of a table, and the table. Raises SpecError for one that is no
    choice, each row by its number from 1.
    """
    if told is None:
        return parameters, parameters.candidates if isinstance(parameters, Space) else None
    if not isinstance(parameters, Mapping):
        raise SpecError(
            "expected parameters as a mapping beside `candidates`, whose columns are parameters as well, got"
            f" {in_a_line(parameters)}"
        )
    asked = told if isinstance(told, Candidates) else Candidates(told)
    columns = _columns(asked.rows)
    given, seen = _names(asked.given, "given", columns), _names(asked.seen, "seen", columns)
    if both := [name for name in seen if name in given]:
        raise SpecError(f"candidates: expected `{both[0]}` among `given` or `seen`, got it in both")
    own = [
        name
        for name, values in columns.items()
        if name not in given and (name in parameters or not listed.names_each_row(values))
    ]
    for name in own:
        _refuse_column(name, columns[name], parameters.get(name))
    _refuse_rows(columns, own)
    if taken := [name for name in columns if name in parameters and name not in own]:
        raise SpecError(f"candidates: expected `{taken[0]}` once, got it among the parameters, too")
    described = {name: _described(columns[name], parameters.get(name)) for name in own}
    others = {name: one for name, one in parameters.items() if name not in described}
    goes_with = tuple(name for name in columns if name not in own)
    table = listed.Candidates.of(columns, goes_with, seen, bool(asked.again))
    return {**described, **others}, table


def _columns(rows: object) -> dict[str, list[Any]]:
    if not isinstance(rows, Mapping) and hasattr(rows, "to_dict"):
        rows = rows.to_dict("records")
    if isinstance(rows, Mapping):
        columns = {str(name): _values(name, told) for name, told in rows.items()}
        if len({len(values) for values in columns.values()}) > 1:
            lengths = ", ".join(f"{len(values)} of `{name}`" for name, values in columns.items())
            raise SpecError(f"candidates: expected as many values in each column, got {lengths}")
        return columns
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        example = '[{"mass": 3, "dose": 0.1}, ...]'
        raise SpecError(f"expected candidates as a list of mappings, {example}, got {in_a_line(rows)}")
    found: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise SpecError(f"candidates: row {number}: expected a mapping, got {in_a_line(row)}")
        named = {str(name): value for name, value in row.items()}
        if found and (odd := found.keys() ^ named.keys()):
            raise SpecError(
                f"candidates: row {number}: expected the columns {', '.join(found)}, got `{min(odd)}`"
                f" {'as well' if min(odd) in named else 'not'}"
            )
        for name, value in named.items():
            found.setdefault(name, []).append(_cell(name, number, value))
    return found


def _values(name: object, told: object) -> list[Any]:
    values = plain(told)
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise SpecError(f"candidates: expected a list of values as `{name}`, got {in_a_line(told)}")
    return [_cell(str(name), number, value) for number, value in enumerate(values, 1)]


def _cell(name: str, number: int, value: object) -> Any:
    cell = plain(single_number(value))
    if cell is None or not isinstance(cell, str | int | float | bool) or cell != cell:
        raise SpecError(
            f"candidates: row {number}: expected a number or a text as `{name}`, got {in_short(cell)}"
        )
    return cell


def _names(told: Sequence[str], key: str, columns: Mapping[str, object]) -> tuple[str, ...]:
    names = (told,) if isinstance(told, str) or not isinstance(told, Iterable) else tuple(told)
    for name in names:
        if not isinstance(name, str) or name not in columns:
            raise SpecError(f"candidates: expected as `{key}` columns ({', '.join(columns)}), got {name!r}")
    return names


def _refuse_column(name: str, values: Sequence[Any], told: object) -> None:
    if len(values) > 1 and len({(isinstance(value, bool), value) for value in values}) == 1:
        raise SpecError(f"candidates: {listed.never_varies(name)}")
    numbers = told is None or not isinstance(told, Mapping) or told.get("type") in NUMBERS
    if not numbers or (told is None and not any(map(is_number, values))):
        return
    for number, value in enumerate(values, 1):
        if not is_number(value):
            sentence = f"expected a finite number as `{name}`, got {in_short(value)}"
            raise SpecError(
                f'candidates: row {number}: {sentence}; or say {{"{name}": {{"type": "choice"}}}}'
            )


def _refuse_rows(columns: Mapping[str, Sequence[Any]], own: Sequence[str]) -> None:
    count = len(next(iter(columns.values()), ()))
    if mistake := listed.mistake_in_counts(count, len(own)):
        raise SpecError(f"candidates: {mistake}")
    first: dict[tuple[Any, ...], int] = {}
    for number, row in enumerate(zip(*(columns[name] for name in own), strict=True), 1):
        key = tuple((isinstance(value, bool), value) for value in row)
        if key in first:
            raise SpecError(f"candidates: row {number}: {listed.alike(f'in row {first[key]}')}")
        first[key] = number


def _described(values: Sequence[Any], told: object) -> object:
    """What a column is, with what was told of it."""
    distinct = list({(isinstance(value, bool), value): value for value in values}.values())
    if told is None:
        numbers = listed.are_numbers(values)
        return (float(min(values)), float(max(values))) if numbers else {"type": "choice", "values": distinct}
    if not isinstance(told, Mapping):
        return told
    if told.get("type") in NUMBERS and "bounds" not in told:
        return {**told, "bounds": (min(values), max(values))}
    if told.get("type") == "choice" and "values" not in told:
        return {**told, "values": distinct}
    return told
