"""Rows for people and for programs: the same table as aligned text, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

from orchestrator.report.words.goals import titled
from orchestrator.report.words.wording import column_digits, first_line, number
from orchestrator.values.printable import printable

Format: TypeAlias = Literal["table", "json", "csv", "semicolons"]

_WIDTH = 100
"""Of sentences, where nobody says how wide it is to be."""
_DIGITS = 5
_NESTED = 24
"""Characters of a list or a mapping in a text table: a curve of a thousand numbers would leave no room."""
BYTE_ORDER_MARK = "\ufeff"
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns by name, and rows with a value, or None, for each. ``units`` of some columns are for people;
    ``foreign`` are those of which evaluators wrote the texts, and the name.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    units: Mapping[str, str] = field(default_factory=dict)
    foreign: Collection[str] = ()

    def written(self, form: Format, width: int | None = None) -> str:
        """The table as text that ends with a line feed, unless it is empty.

        ``width`` is the terminal's: columns of a text table that do not fit are left out, long ones first,
        and named in the last line. JSON and CSV are exact and whole, but for foreign texts in CSV, which are
        `inert`: JSON a list of objects, CSV with a header. With semicolons it is CSV as spreadsheets have it
        where commas stand in numbers; they take it for UTF-8 by its byte order mark.
        """
        match form:
            case "json":
                return self._json()
            case "csv":
                return self._csv(_csv_line)
            case "semicolons":
                return BYTE_ORDER_MARK + self._csv(_semicolon_line)
            case "table":
                return self._text(width)

    def with_sentences(self, sentences: Iterable[str], width: int | None) -> str:
        """For a terminal of so many columns, or of any: as text, and below it what is to be said of it."""
        # Whoever copies settings such as -funroll-loops has them in one piece.
        fill = partial(textwrap.fill, width=width or _WIDTH, break_on_hyphens=False, break_long_words=False)
        lines = (fill(f"{sentence}.") for sentence in sentences)
        return f"{self._text(width)}\n" + "".join(f"{line}\n" for line in lines)

    def as_object(self) -> str:
        """The first row as one JSON object, or null; for what there is one of."""
        row = dict(zip(self.columns, self.rows[0], strict=True)) if self.rows else None
        return _json_text(row)

    def _json(self) -> str:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return _json_text(rows)

    def _csv(self, line: Callable[[Sequence[object]], str]) -> str:
        foreign = [name in self.foreign for name in self.columns]
        return "".join(
            line([inert(cell) if is_foreign else cell for cell, is_foreign in zip(row, foreign, strict=True)])
            for row in (self.columns, *self.rows)
        )

    def _text(self, width: int | None) -> str:
        # Evaluators name some of them.
        header = [titled(printable(name), self.units) for name in self.columns]
        columns = zip(*self.rows, strict=True)
        digits = [
            column_digits([value for value in column if isinstance(value, float)]) for column in columns
        ]
        cells = [[_cell(*told) for told in zip(row, digits, strict=True)] for row in self.rows]
        widths = [
            max(_columns(name), *(_columns(row[index]) for row in cells), 0)
            for index, name in enumerate(header)
        ]
        hidden = _left_out(widths, width)
        shown = [index for index in range(len(widths)) if index not in hidden]
        numeric = [
            any(row[i] is not None for row in self.rows)
            and all(
                isinstance(row[i], int | float | None) and not isinstance(row[i], bool) for row in self.rows
            )
            for i in range(len(widths))
        ]
        lines = []
        for row in [header, *cells]:
            padded = [_padded(row[i], widths[i], right=numeric[i]) for i in shown]
            lines.append("  ".join(padded).rstrip())
        if hidden:
            names = ", ".join(header[index] for index in sorted(hidden))
            lines.append(f"not shown, for want of room: {names}; whole with --format csv")
        return "\n".join(lines) + "\n"


def _json_text(told: object) -> str:
    """JSON itself escapes the control characters of ASCII, and leaves those that terminals obey beyond."""
    text = json.dumps(told, indent=2, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def inert(cell: object) -> object:
    """A text of somebody else's as something that terminals and spreadsheets show, and do not obey: without
    control characters, and with an apostrophe before what would be a formula. What is no text, as it is.
    """
    if not isinstance(cell, str):
        return cell
    text = _CONTROL.sub("", cell)
    return f"'{text}" if text.startswith(FORMULAS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def rounded(value: object) -> object:
    """A cell that was computed, in as many digits as say something."""
    return float(number(value, _DIGITS)) if isinstance(value, float) else value


def _left_out(widths: Sequence[int], width: int | None) -> set[int]:
    """The columns for which there is no room: from the last one, but first those wider than half of it all,
    so that one long text does not cost what stands behind it. The first column stays.
    """
    hidden: set[int] = set()
    if width is not None:
        excess = sum(widths) + 2 * (len(widths) - 1) - width
        for index in sorted(range(1, len(widths)), key=lambda i: (2 * widths[i] <= width, -i)):
            if excess <= 0:
                break
            hidden.add(index)
            excess -= widths[index] + 2
    return hidden


def _cell(value: object, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list | tuple):
        text = printable(json.dumps(value, ensure_ascii=False))
        return text if len(text) <= _NESTED else f"{text[: _NESTED - 2]} …"
    return first_line(number(value, digits))


def _csv_line(row: Sequence[object]) -> str:
    text = io.StringIO()
    # The writer quotes a cell for the characters of its own line's end, and readers split at both of these.
    csv.writer(text, lineterminator="\r\n").writerow([_exact(value) for value in row])
    return text.getvalue().removesuffix("\r\n") + "\n"


def _semicolon_line(row: Sequence[object]) -> str:
    return ";".join(map(_between_semicolons, row)) + "\n"


def _between_semicolons(value: object) -> str:
    if isinstance(value, float):
        return repr(value).replace(".", ",")
    text = "" if value is None else str(_exact(value))
    # A comma in a name would make a table of commas of it, for who reads its first line.
    return '"{}"'.format(text.replace('"', '""')) if set(text) & set(';,"\r\n') else text


def _exact(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False)
    return value


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)


def _padded(text: str, width: int, *, right: bool) -> str:
    blank = " " * (width - _columns(text))
    return blank + text if right else text + blank
