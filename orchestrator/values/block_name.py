"""What a block of results is called, such as a plate: as a result says it, or a person, or a column."""

from __future__ import annotations

import re

from orchestrator.values.finite import is_finite

BY_WORKER = "worker"
"""What a spec calls blocks that are who evaluated."""
BY_DAY = "day"
"""What it calls blocks that are days, each by its date, as 2026-11-28."""
OF_NO_BLOCK = ""
"""Where none is said: results that say none are of one block more."""
_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:\.0+|,00?)")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d.*")
_WITH_POINTS = re.compile(r"(\d\d?)\. ?(\d\d?)\. ?(\d{4})( .*)?")


def block_name(told: object, blocks: str | None = None) -> str:
    """A text as it is, and a number as it is written, 7.0 as 7, in a text too, and there 7,0; what is neither
    says none. Where ``blocks`` are days, a time in ISO 8601 says its date, as that is written there, and so
    does a date with points, 28.11.2026, as spreadsheets write one that they were given in ISO 8601.
    """
    if isinstance(told, bool):
        return OF_NO_BLOCK
    if isinstance(told, str):
        name = _day(told.strip()) if blocks == BY_DAY else told.strip()
        # Data frames write whole numbers so, where some of a column are not there; a comma before three of
        # them may be one of thousands.
        whole = _WHOLE.fullmatch(name)
        return name if whole is None else whole[1]
    if isinstance(told, int | float) and is_finite(told):
        return str(int(told)) if told == int(told) else repr(told)
    return OF_NO_BLOCK


def _day(name: str) -> str:
    """The date, if it says one."""
    if (time := _TIME.fullmatch(name)) is not None:
        return time[1]
    if (date := _WITH_POINTS.fullmatch(name)) is not None:
        return f"{date[3]}-{date[2]:0>2}-{date[1]:0>2}"
    return name
