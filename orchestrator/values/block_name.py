"""What a block of results is called, such as a plate: as a result says it, or a person, or a column."""

from __future__ import annotations

import re

from orchestrator.values.finite import is_finite

BY_WORKER = "worker"
"""What a spec calls blocks that are who evaluated."""
OF_NO_BLOCK = ""
"""Where none is said: results that say none are of one block more."""
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)\.0+")


def block_name(told: object) -> str:
    """A text as it is, and a number as it is written, 7.0 as 7, in a text too; what is neither says none."""
    if isinstance(told, bool):
        return OF_NO_BLOCK
    if isinstance(told, str):
        text = told.strip()
        # Data frames write whole numbers so, where some of a column are not there.
        return text.partition(".")[0] if _WHOLE.fullmatch(text) else text
    if isinstance(told, int | float) and is_finite(told):
        return f"{told:.0f}" if told == int(told) else repr(told)
    return OF_NO_BLOCK
