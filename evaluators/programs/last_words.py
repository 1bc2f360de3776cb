"""What a program printed last, and which of it tells most of a failure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evaluators.programs.decoded import decoded
from evaluators.programs.program import Ended

_LINES: Final = 8
_LINE: Final = 300
"""Characters that are shown of one."""
_END: Final = 60
"""Characters that are shown of the end of one that is very long."""
_LOOKED_AT: Final = 8_000
"""Characters of the end of what is printed."""
_COLOURS: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""And what else terminals are told between the characters."""
NOTHING_PRINTED: Final = "it printed nothing"
_TELLS_NOTHING: Final = re.compile(
    r"""\s* (?: \#\d+\s.*               # a frame of a stack, as gfortran, gdb and OpenFOAM print them,
            | at\s\S+:\d+               # and where that is in the source
            | at\s\S+\([^()]*\) | at\s.*\(\S+:\d+:\d+\)    # the same of Java and of Node
            | note:\srun\swith\s.*BACKTRACE.*   # Rust's, below what is wrong
            | .*\bbacktrace\b.*:        # what is said above them
            | (?:error\s)?stop(?:\s\d+)?   # Fortran's, which repeats the exit code
            | error:\scalled\sfrom | \S+\sat\sline\s\d+\scolumn\s\d+   # Octave's, below what is wrong
            | \W* )""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMES_AN_ERROR: Final = re.compile(
    r"""\W* (?: (?:\d[-\d/.]*[\sT])? \d\d?:\d\d\S* \W+       # when it was, as in a log
        | \S+:\d+: \s* )?                                    # where, as compilers say
        (?: (?:fatal|foam|io|fortran|internal|input|parse|runtime|syntax) \s+ )*
        [\w.]* (?:error|fehler|erreur|errore|erro) \b
        (?! [^:]*=? \s* :? \s* [-+.\d]+ (?:e[-+]?\d+)? \s* $ )     # but not how large one is""",
    re.IGNORECASE | re.VERBOSE,
)
_COUNTS_ERRORS: Final = re.compile(r".*\b(?:was|were|found|got) \d+ errors?\b.*", re.IGNORECASE)
"""What stands above says which."""
_LINES_ABOVE_A_COUNT: Final = 40


def last_words(ended: Ended) -> str:
    """Of a program that failed, what follows in a sentence about it: `` and printed nothing``, or ``: ``
    with the last lines, on standard error if any there tell something, and first the one that names an error,
    or else the last of them.
    """
    streams = [_lines(ended.stderr), _lines(ended.stdout)]
    telling = [[line for line in lines if not _TELLS_NOTHING.fullmatch(line)] for lines in streams]
    named = [(lines, line) for lines in telling if (line := _error_among(lines))]
    # Of a failure that no line names, the last one says most.
    last = [(lines, lines[-1].strip()) for lines in (*telling, *streams) if lines]
    if not (told := [*named, *last]):
        return " and printed nothing"
    lines, line = told[0]
    return f": {line}" if len(lines) == 1 else "\n".join([f": {line}", *lines[-_LINES:]])


def _error_among(lines: Sequence[str]) -> str:
    """The last line that names an error, with the one behind it where it only announces that; or none.

    What programs say below it is where that was, where help is, or that they quit; Python says it last.
    """
    if any(line.startswith("Traceback (most recent") for line in lines):
        return lines[-1].strip()
    only_counted, looked_through = "", _LINES
    for place in reversed(range(len(lines))):
        if len(lines) - place > looked_through:
            break
        line = lines[place].strip()
        if not _NAMES_AN_ERROR.match(line):
            continue
        if line[-1] == ":" and lines[place + 1 :]:
            line = f"{line} {lines[place + 1].strip()}"
        if not _COUNTS_ERRORS.fullmatch(line):
            return line
        only_counted, looked_through = only_counted or line, _LINES_ABOVE_A_COUNT
    return only_counted


def last_line(output: bytes, nothing: str = NOTHING_PRINTED) -> str:
    """How what a program printed or wrote ends, in words; ``nothing`` where it is empty."""
    lines = _lines(output)
    if not lines:
        return nothing
    end = decoded(output).rstrip()[-_LOOKED_AT:]
    if len(end) == _LOOKED_AT and "\n" not in end:
        return f"its last line is longer than {_LOOKED_AT:,} characters, and ends with {end[-_END:]!r}"
    return f"its last line is {lines[-1]!r}"


def line_at_the_end(output: bytes) -> str:
    """The last line that is not empty, as far as sentences show it; empty where there is none."""
    lines = _lines(output)
    return lines[-1].strip() if lines else ""


def shown_line(line: str) -> str:
    """A line in a sentence, in quotation marks."""
    return repr(line.strip()[:_LINE])


def _lines(output: bytes) -> list[str]:
    """Those at the end that are not empty."""
    text = _COLOURS.sub("", decoded(output)[-_LOOKED_AT:])
    return [line[:_LINE] for line in text.splitlines() if line.strip()]
