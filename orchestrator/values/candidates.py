"""A table of the combinations that may be tried, by its columns: which of them are settings, and for whom.

Notation: R rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from orchestrator.values.finite import is_number

MOST_ROWS = 20_000
"""As many are looked at for each point that is chosen."""
ONE_OF_THEM = "one of the candidates"
"""What a point does not satisfy that is of no row, where constraints are named."""


@dataclass(frozen=True)
class Candidates:
    """``columns``: names, each with its R values. Those that are ``given`` go with the row that is tried: who
    evaluates it is given them, and models do not see them. The others are parameters, of which those that
    are ``seen`` are for models alone. ``again``: whether a row may be tried more than once.
    """

    columns: tuple[tuple[str, tuple[Any, ...]], ...]
    given: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    again: bool = False

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Sequence[Any]],
        given: Sequence[str] = (),
        seen: Sequence[str] = (),
        again: bool = False,
    ) -> Candidates:
        """Of a table that is right."""
        table = tuple((name, tuple(values)) for name, values in columns.items())
        return cls(table, tuple(given), tuple(seen), again)

    def __len__(self) -> int:
        """R."""
        return len(self.columns[0][1])

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Any, ...]]:
        """The values of each column."""
        return dict(self.columns)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns that are parameters."""
        return tuple(name for name, _ in self.columns if name not in self.given)

    def row(self, number: int) -> dict[str, Any]:
        """The values of a row, by column."""
        return {name: values[number] for name, values in self.columns}

    def named(self, told: Mapping[str, Any]) -> int | None:
        """The row that what goes with it names, by its text, as it may have been read from a cell; None where
        nothing of that is told, or it names none, or several.
        """
        names = [name for name in self.given if told.get(name) is not None]
        if not names:
            return None
        texts = tuple(self._text(name, told[name]) for name in names)
        found = self._by_name(tuple(names)).get(texts, [])
        return found[0] if len(found) == 1 else None

    def goes_with_any(self, name: str, told: object) -> bool:
        """Whether a value, as it is told, goes with a row under that name."""
        return (self._text(name, told),) in self._by_name((name,))

    def is_same(self, name: str, told: object, value: object) -> bool:
        """Whether it is the ``value`` of that name that a row has."""
        return self._text(name, told) == str(value)

    def _text(self, name: str, told: object) -> str:
        """As the rows have it: 18.0, as a table of results may have been read, is what 18 is where nothing is
        called so, and the other way round.
        """
        text = str(told).strip()
        if (text,) in self._by_name((name,)):
            return text
        return self._whole_numbers(name).get(_whole(text), text)

    def _whole_numbers(self, name: str) -> Mapping[str, str]:
        """The texts that are whole numbers, by these; none that several are."""
        if name not in self._whole:
            found: dict[str, list[str]] = {}
            for (text,) in self._by_name((name,)):
                found.setdefault(_whole(text), []).append(text)
            self._whole[name] = {whole: texts[0] for whole, texts in found.items() if len(texts) == 1}
        return self._whole[name]

    @cached_property
    def _whole(self) -> dict[str, Mapping[str, str]]:
        # As `_named_by`.
        return {}

    def _by_name(self, names: tuple[str, ...]) -> Mapping[tuple[str, ...], list[int]]:
        """The numbers of rows by what goes with them, as texts."""
        if names not in self._named_by:
            numbers: dict[tuple[str, ...], list[int]] = {}
            for number, values in enumerate(zip(*(self.by_name[name] for name in names), strict=True)):
                numbers.setdefault(tuple(map(str, values)), []).append(number)
            self._named_by[names] = numbers
        return self._named_by[names]

    @cached_property
    def _named_by(self) -> dict[tuple[str, ...], Mapping[tuple[str, ...], list[int]]]:
        # A table of results names a row in each of its own.
        return {}

    def unknown_name(self, told: Mapping[str, Any]) -> str | None:
        """The first column of what goes with rows whose value, as it is told, goes with none; or None."""
        for name in self.given:
            if told.get(name) is not None and not self.goes_with_any(name, told[name]):
                return name
        return None

    def with_row(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """What is told with the columns that it leaves out, where it names a row."""
        number = self.named(told)
        return dict(told) if number is None else {**self.row(number), **told, **self._as_listed(number, told)}

    def _as_listed(self, number: int, told: Mapping[str, Any]) -> dict[str, Any]:
        """What goes with a row, and was told, as the row has it."""
        return {name: self.by_name[name][number] for name in self.given if told.get(name) is not None}

    def to_json(self) -> dict[str, Any]:
        """As callers of Python tell it."""
        told: dict[str, Any] = {"columns": {name: list(values) for name, values in self.columns}}
        told |= {"given": list(self.given)} if self.given else {}
        told |= {"seen": list(self.seen)} if self.seen else {}
        return told | ({"again": True} if self.again else {})


def without(candidates: Candidates | None, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters but those that are for models alone."""
    kept_back = () if candidates is None else candidates.seen
    return {name: value for name, value in parameters.items() if name not in kept_back}


def _whole(text: str) -> str:
    """A number that is whole without the zeros behind its point."""
    number, point, zeros = text.partition(".")
    return number if point and number.lstrip("+-").isdigit() and not zeros.strip("0") else text


def names_each_row(values: Sequence[Any]) -> bool:
    """Whether a column has texts, of which no two are the same: it says which row is which, and no more."""
    texts = [value for value in values if not is_number(value)]
    return len(texts) == len(values) and len(set(map(str, values))) == len(values) > 1


def are_numbers(values: Sequence[Any]) -> bool:
    """Whether all of a column are."""
    return all(map(is_number, values))


def never_varies(name: str) -> str:
    """Why a column is no parameter."""
    return (
        f"expected values of `{name}` that differ between the rows, got the same in all; leave the column"
        " out, or list it under `given`, if evaluations want it"
    )


def alike(where: str) -> str:
    """That a row is like another one, which is ``where``."""
    return (
        f"expected rows that differ in what the model sees, got the same as {where}; leave one of them out,"
        " or keep a column that tells them apart"
    )


def mistake_in_counts(rows: int, columns: int) -> str:
    """What is wrong with so many rows of so many columns; nothing where it is a table to choose from."""
    if not columns:
        return "expected a column that a model can see, numbers or texts that come more than once, got none"
    if rows < 2:
        return f"expected at least two rows to choose from, got {rows}"
    if rows > MOST_ROWS:
        return f"expected at most {MOST_ROWS:,} rows, got {rows:,}; leave out those that are like others"
    return ""
