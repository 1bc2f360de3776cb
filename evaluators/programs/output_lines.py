"""What a program prints, piece by piece as it comes, cut into lines."""

from __future__ import annotations

from typing import Final

KEPT: Final = 10_000
"""Bytes of a line that has not ended; the rest of a longer one is dropped."""


class OutputLines:
    """One stream. A carriage return ends a line as well: programs rewrite their last line with it."""

    def __init__(self) -> None:
        self._begun = b""

    def take(self, data: bytes) -> list[str]:
        """The lines that this piece ends. What is no text in them is replaced."""
        whole, end, begun = data.replace(b"\r", b"\n").rpartition(b"\n")
        if not end:
            self._begun = (self._begun + begun)[:KEPT]
            return []
        lines = (self._begun + whole).decode("utf-8", "replace").split("\n")
        self._begun = begun[:KEPT]
        return lines

    def take_last(self) -> list[str]:
        """The line without an end, if there is one: nothing more will come."""
        return self.take(b"\n") if self._begun else []
