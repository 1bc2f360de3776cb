"""What is wrong, shown where it is wrong: `file:line:column: sentence`, the line, and a caret under it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from orchestrator.errors import SpecError
from orchestrator.spec.document.tree import Place

LINE_SHOWN = 100
"""Characters; of a longer line the part about the caret is shown."""

MOST_SHOWN = 30
"""Errors; a wrong column of a CSV file would otherwise bury the rest."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One error: its place, and a sentence that says what was expected and what came."""

    place: Place
    sentence: str

    def __str__(self) -> str:
        """Three lines; one where the source has no such line."""
        place = self.place
        head = f"{place.source.name}:{place.line}:{place.column}: {_printable(self.sentence)}"
        if not 0 < place.line <= len(place.source.lines):
            return head
        line = _printable(place.source.lines[place.line - 1])
        start = 0 if len(line) <= LINE_SHOWN else max(0, place.column - 1 - LINE_SHOWN // 2)
        shown, before = line[start : start + LINE_SHOWN], line[start : place.column - 1]
        return f"{head}\n  {shown}\n  {_blank(before)}^"


def _printable(text: str) -> str:
    """The text without what a terminal would obey rather than show."""
    return "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text.replace("\n", " "))


def _blank(text: str) -> str:
    """As wide on a terminal as the text: tabs stay tabs, and characters of two columns take two."""
    return "".join(
        "\t" if c == "\t" else "  " if unicodedata.east_asian_width(c) in "WF" else " "
        for c in text
        if not unicodedata.combining(c)
    )


class Refusal(SpecError):
    """A SpecError that still knows its complaints, so that they can be shown together with others."""

    def __init__(self, text: str, complaints: tuple[Complaint, ...]) -> None:
        super().__init__(text)
        self.complaints = complaints


def refusal(complaints: Iterable[Complaint]) -> Refusal:
    """One error whose text is all of the complaints, in the order of the text, each said once."""
    unique = {str(c): c for c in complaints}
    ordered = sorted(unique.values(), key=lambda c: (c.place.source.name, c.place.line, c.place.column))
    texts = [str(complaint) for complaint in ordered[:MOST_SHOWN]]
    if len(ordered) > MOST_SHOWN:
        texts.append(f"and {len(ordered) - MOST_SHOWN} more errors")
    return Refusal("\n".join(texts), tuple(ordered))
