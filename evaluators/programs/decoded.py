"""What a program printed or wrote as text, whichever way it is encoded."""

from __future__ import annotations

import codecs
import re
from typing import Final

_IN_UTF_16: Final = re.compile(rb"(?:[^\0]\0){8}")
"""As some programs of Windows write without a mark of it."""
_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(output: bytes) -> str:
    """What is no text in it is replaced."""
    return output.decode(encoding_of(output), "replace")


def encoding_of(output: bytes) -> str:
    """By how it begins."""
    if output.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Programs of Windows begin a file with a mark of its encoding, which is none of its text.
    return "utf-16-le" if _IN_UTF_16.match(output) else "utf-8-sig"


def tells_its_encoding(begun: bytes) -> bool:
    """Whether `encoding_of` would say the same whatever follows."""
    if any(len(begun) < len(mark) and mark.startswith(begun) for mark in _MARKS):
        return False
    return begun.startswith(_MARKS) or begun[1:2] not in (b"", b"\0") or len(begun) >= 16
