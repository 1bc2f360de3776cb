"""Texts of others as a terminal shows them, and does not obey them: names, notes, what evaluations say."""

from __future__ import annotations


def printable(text: str) -> str:
    """A line of text, with a space for whatever is no letter, digit, sign or space."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def printable_lines(text: str) -> str:
    """The same of each of several lines."""
    return "\n".join(map(printable, text.splitlines()))
