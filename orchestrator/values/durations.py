"""Durations as people write them: ``60 s``, ``5 min``, ``1 h 30 min``, ``2 d``; a bare number is seconds."""

from __future__ import annotations

import math
import re
from typing import Any

from orchestrator.values.finite import is_number

_SECONDS = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0}
_SECONDS |= {"hr": 3600.0, "hour": 3600.0, "d": 86400.0, "day": 86400.0}
_PART = r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|sec(?:ond)?s?|s|min(?:ute)?s?|h(?:(?:ou)?rs?)?|d(?:ays?)?)"
WRITTEN = rf"\s*{_PART}(?:\s*{_PART})*\s*"
"""The pattern of one with units."""


def duration_of(value: Any) -> float:
    """In seconds, above 0. Raises ValueError, which says what was expected, for anything else."""
    total = math.nan
    if is_number(value):
        total = float(value)
    elif isinstance(value, str) and re.fullmatch(WRITTEN, value):
        total = sum(float(number) * _unit(unit) for number, unit in re.findall(_PART, value))
    if not (total > 0 and math.isfinite(total)):
        raise ValueError("a duration above 0, such as `60 s`, `5 min`, `2 h` or `1 d`")
    return total


def seconds_of_unit(unit: str) -> float | None:
    """How long ``h`` or ``hours`` is; None for what is no unit of time."""
    return _SECONDS.get(unit, _SECONDS.get(unit.removesuffix("s")))


def _unit(unit: str) -> float:
    found = seconds_of_unit(unit)
    assert found is not None
    return found
