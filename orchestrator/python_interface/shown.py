"""Answers as a notebook or a terminal shows them: several as a table, a line each."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, SupportsIndex, TypeVar, overload

from orchestrator.values.printable import printable

MOST_SHOWN = 60
"""Of rows: beyond that nobody reads them."""
LONGEST_CELL = 120
"""Characters that are shown: a curve, or the text of an evaluation, would push all others away."""


class HasRow(Protocol):
    """An answer among others."""

    def row(self) -> dict[str, Any]:
        """All of it, one level deep, for a data frame or a file."""

    def cells(self) -> dict[str, object]:
        """What is shown of it, by its headings."""


Showable = TypeVar("Showable", bound=HasRow | Mapping[str, Any])


class InRows(list[Showable]):
    """A list that shows itself as a table, and is a list in all else."""

    @overload
    def __getitem__(self, which: SupportsIndex, /) -> Showable: ...

    @overload
    def __getitem__(self, which: slice, /) -> InRows[Showable]: ...

    def __getitem__(self, which: SupportsIndex | slice, /) -> Showable | InRows[Showable]:
        if isinstance(which, slice):
            return InRows(super().__getitem__(which))
        return super().__getitem__(which)

    def rows(self) -> list[dict[str, Any]]:
        """Each as a mapping, one level deep: `pandas.DataFrame` and `csv.DictWriter` take these."""
        return [dict(one) if isinstance(one, Mapping) else one.row() for one in self]

    def __repr__(self) -> str:
        """The table; a number is rounded to five digits."""
        heads, lines = self._table()
        if not lines:
            return "[]"
        numbers = [all(_is_number(cell) for cell in column) for column in zip(*lines, strict=True)]
        written = [heads, *([_written(cell) for cell in line] for line in lines)]
        widths = [max(map(len, column)) for column in zip(*written, strict=True)]
        shown = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numbers, strict=True)
            ).rstrip()
            for line in written
        ]
        return "\n".join([*shown, *self._more])

    def _repr_html_(self) -> str:
        """The same, for a notebook."""
        heads, lines = self._table()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
        rows = ("".join(f"<td>{html.escape(_written(cell))}</td>" for cell in line) for line in lines)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = "".join(f"<p>{line}</p>" for line in self._more)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def _table(self) -> tuple[list[str], list[list[object]]]:
        """Headings, and the cells below each, "" where a row has none."""
        cells = list(self._cells())
        heads = list(dict.fromkeys(name for row in cells for name in row))
        told = [[_in_a_cell(row.get(name, "")) for name in heads] for row in cells]
        return [_in_a_line(name) for name in heads], told

    def _cells(self) -> Iterator[Mapping[str, object]]:
        for one in self[:MOST_SHOWN]:
            yield one if isinstance(one, Mapping) else one.cells()

    @property
    def _more(self) -> list[str]:
        return [f"and {len(self) - MOST_SHOWN} more"] if len(self) > MOST_SHOWN else []


def uncertain(mean: float, deviation: float) -> str:
    """``5.3426 ± 1.5``."""
    # Rounded first, as of more than two digits a format of two makes 1.2e+02.
    return f"{mean:.5g} ± {float(f'{deviation:.2g}'):.5g}"


def settings(parameters: Mapping[str, object]) -> str:
    """``x1 0.5, kind relu``."""
    return printable(", ".join(f"{name} {_written(told) or told}" for name, told in parameters.items()))


def _is_number(cell: object) -> bool:
    return cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))


def _in_a_cell(cell: object) -> object:
    """A number as it is; anything else, and one of too many digits, as a text in a line."""
    if cell is None or isinstance(cell, float) or (isinstance(cell, int) and abs(cell) < 10**LONGEST_CELL):
        return cell
    return _in_a_line(cell)


def _in_a_line(told: object) -> str:
    """As a text, that is cut where it is long."""
    text = printable(" ".join(str(told).split()))
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def _written(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.5g}" if isinstance(cell, float) else str(cell)
