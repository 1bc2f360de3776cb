"""A number that a program printed amid other text, where one alone was looked for: how it would be read."""

from __future__ import annotations

import re
from typing import Final

from evaluators.programs.pattern_result import in_another_notation

_AMID: Final = re.compile(r"(?<![\w.,+-])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w.])(?!,\d)")
_MARKS: Final = re.compile(r"[.^$*+?{}\[\]\\|()]")
_LONGEST: Final = 60
"""Characters before the number that a pattern is shown with."""


def how_to_read(line: str) -> str:
    """What to say, or to have written, so that a number in a line is read, as the end of a sentence on that
    line; empty where there is none.
    """
    if otherwise := in_another_notation(line):
        return otherwise
    found = _AMID.search(line)
    if found is None or found.start() > _LONGEST:
        return ""
    # Numbers are aligned by spaces, as many as are left.
    before = re.sub("  +| $", " +", _MARKS.sub(r"\\\g<0>", line[: found.start()])).replace("'", "''")
    ends_at_space = not line[found.end() :][:1].strip()
    group = r"(\S+)" if ends_at_space else r"([-+.\dDdEe]+)"
    pattern = f"{before or '^ *'}{group}"
    return f"; if {found[0]} is meant, say `output: {{pattern: '{pattern}'}}`"
