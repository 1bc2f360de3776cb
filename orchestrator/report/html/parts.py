"""What pages are put together from: sections, tables and pairs, as HTML that no text can break."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final
from urllib.parse import quote

from orchestrator.report.words.wording import number
from orchestrator.values.printable import printable

KEPT_WHOLE: Final = " class='v'"


@dataclass(frozen=True, slots=True)
class Link:
    """Words in a cell that lead to a file, by its path from where the page lies."""

    words: str
    path: str


def section(title: str, inside: str) -> str:
    """A titled block; ``inside`` is HTML."""
    return f"<section><h2>{said(title)}</h2>{inside}</section>"


def pairs(told: Sequence[tuple[str, str]]) -> str:
    """Names with what belongs to each."""
    # Between the two there is a blank: a line breaks there, and not amid a number.
    shown = "".join(f"<div><dt>{said(name)}</dt> <dd>{said(text)}</dd></div>" for name, text in told)
    return f"<dl>{shown}</dl>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, unbroken: bool = False) -> str:
    """Rows under their titles, scrolled where they are wider than the page. A cell of None is empty.
    ``unbroken``: each cell stands in one line, and each word of a title.
    """
    body = "".join(_row(cells, unbroken=unbroken) for cells in rows)
    return f"<div class='scroll'><table>{_row(head, 'th', unbroken=unbroken)}{body}</table></div>"


def soft(text: str) -> str:
    """A paragraph of less weight."""
    return f"<p class='soft'>{said(text)}</p>"


def said(text: str) -> str:
    """Any text, as HTML on one line."""
    return escape(printable(text))


def _row(cells: Sequence[object], tag: str = "td", *, unbroken: bool = False) -> str:
    told = "".join(
        f"<{tag}{KEPT_WHOLE if unbroken else _kept_whole(cell)}>{_text(cell)}</{tag}>" for cell in cells
    )
    return f"<tr>{told}</tr>"


def _text(cell: object) -> str:
    if isinstance(cell, Link):
        return f'<a href="{escape(quote(os.fsencode(cell.path)))}">{said(cell.words)}</a>'
    return "" if cell is None else said(number(cell))


def _kept_whole(cell: object) -> str:
    """Of numbers the class that keeps 1e-05 from being broken at its sign, but on paper."""
    return KEPT_WHOLE if isinstance(cell, int | float) else ""
