"""What a program prints, piece by piece as it comes, cut into lines."""

from __future__ import annotations

import codecs
from typing import Final

from evaluators.programs.decoded import encoding_of, tells_its_encoding

KEPT: Final = 10_000
"""Bytes of a line that has not ended; the rest of a longer one is dropped."""


class OutputLines:
    """One stream. A carriage return ends a line as well: programs rewrite their last line with it."""

    def __init__(self) -> None:
        self._begun = b""
        # Until it is known how all is encoded.
        self._first: bytes | None = b""
        self._of_utf_16: codecs.IncrementalDecoder | None = None

    def take(self, data: bytes) -> list[str]:
        """The lines that this piece ends. What is no text in them is replaced."""
        return self._ended(self._in_utf_8(data))

    def take_last(self) -> list[str]:
        """The line without an end, if there is one: nothing more will come, or something else."""
        left = self._told(self._first) if self._first else b""
        lines = self._ended(left) if left else []
        lines += self._ended(b"\n") if self._begun else []
        self._first, self._of_utf_16 = b"", None
        return lines

    def _ended(self, data: bytes) -> list[str]:
        whole, end, begun = data.replace(b"\r", b"\n").rpartition(b"\n")
        if not end:
            self._begun = (self._begun + begun)[:KEPT]
            return []
        lines = (self._begun + whole).decode("utf-8", "replace").split("\n")
        self._begun = begun[:KEPT]
        return lines

    def _in_utf_8(self, data: bytes) -> bytes:
        if self._first is None:
            return data if self._of_utf_16 is None else self._of_utf_16.decode(data).encode()
        self._first += data
        return self._told(self._first) if tells_its_encoding(self._first) else b""

    def _told(self, first: bytes) -> bytes:
        """What came first, by which it is known how all is encoded."""
        self._first, encoding = None, encoding_of(first)
        if encoding == "utf-8-sig":
            return first.removeprefix(codecs.BOM_UTF8)
        self._of_utf_16 = codecs.getincrementaldecoder(encoding)("replace")
        return self._of_utf_16.decode(first).encode()
