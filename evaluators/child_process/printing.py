"""The streams that an evaluator prints to: what they cannot take costs no result."""

from __future__ import annotations

import io
import sys
from typing import Any


class _Output(io.FileIO):
    """Drops what its disk does not take."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def let_anything_be_printed() -> None:
    """From now on printing raises nothing: neither on a full disk, nor for a character that the locale
    lacks, or half of one, as names of files may have it.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            output = _Output(stream.fileno(), "w", closefd=False)
            printed = io.TextIOWrapper(
                output if stream.write_through else io.BufferedWriter(output),
                stream.encoding,
                "backslashreplace",
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
            setattr(sys, name, printed)
