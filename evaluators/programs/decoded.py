"""What a program printed or wrote as text, whichever way it is encoded."""

from __future__ import annotations

import codecs
import re
from typing import Final

_IN_UTF_16: Final = re.compile(rb"(?:[^\0]\0){8}")
"""As some programs of Windows write without a mark of it."""


def decoded(output: bytes) -> str:
    """What is no text in it is replaced."""
    return output.decode(encoding_of(output), "replace")


def encoding_of(output: bytes) -> str:
    """By how it begins."""
    if output.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Programs of Windows begin a file with a mark of its encoding, which is none of its text.
    return "utf-16-le" if _IN_UTF_16.match(output) else "utf-8-sig"
