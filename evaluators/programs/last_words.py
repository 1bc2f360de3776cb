"""What a program printed last, and which of it tells most of a failure."""

from __future__ import annotations

import re
from typing import Final

from evaluators.programs.program import Ended

_LINES: Final = 8
_LINE: Final = 300
"""Characters that are shown of one."""
_TELLS_NOTHING: Final = re.compile(
    r"""\s* (?: \#\d+\s.*               # a frame of a stack, as gfortran, gdb and OpenFOAM print them,
            | at\s\S+:\d+               # and where that is in the source
            | .*\bbacktrace\b.*:        # what is said above them
            | (?:error\s)?stop(?:\s\d+)?   # Fortran's, which repeats the exit code
            | \W* )""",
    re.IGNORECASE | re.VERBOSE,
)


def last_words(ended: Ended) -> str:
    """Of a program that failed, what follows in a sentence about it: `` and printed nothing``, or ``: ``
    with the last lines, on standard error if any there tell something, and the last of them first.
    """
    streams = [_lines(ended.stderr), _lines(ended.stdout)]
    telling = [[line for line in lines if not _TELLS_NOTHING.fullmatch(line)] for lines in streams]
    lines = next((lines[-_LINES:] for lines in (*telling, *streams) if lines), None)
    if lines is None:
        return " and printed nothing"
    # Of a failure that is told in a line, the last one says most.
    first = f": {lines[-1].strip()}"
    return first if len(lines) == 1 else "\n".join([first, *lines])


def last_line(output: bytes) -> str:
    """How what a program printed or wrote ends, in words."""
    lines = _lines(output)
    return f"its last line is {lines[-1]!r}" if lines else "it printed nothing"


def _lines(output: bytes) -> list[str]:
    """Those at the end that are not empty."""
    text = output[-8000:].decode("utf-8", "replace")
    return [line[:_LINE] for line in text.splitlines() if line.strip()]
