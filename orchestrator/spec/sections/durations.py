"""Durations as people write them: ``60 s``, ``5 min``, ``1 h 30 min``, ``2 d``; a bare number is seconds."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from orchestrator.spec.document.section import refuse, shown
from orchestrator.values.finite import is_number

_SECONDS = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0}
_SECONDS |= {"hr": 3600.0, "hour": 3600.0, "d": 86400.0, "day": 86400.0}
UNITS = ("s", "min", "h", "d")
"""What people are told to write."""
_PART = r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|sec(?:ond)?s?|s|min(?:ute)?s?|h(?:(?:ou)?rs?)?|d(?:ays?)?)"
_WHOLE = rf"\s*{_PART}(?:\s*{_PART})*\s*"


def seconds(value: Any) -> float:
    """A duration in seconds, above 0. Raises pydantic's error with a sentence for anything else."""
    total = math.nan
    if is_number(value):
        total = float(value)
    elif isinstance(value, str) and re.fullmatch(_WHOLE, value):
        total = sum(float(number) * _unit(unit) for number, unit in re.findall(_PART, value))
    if not (total > 0 and math.isfinite(total)):
        raise refuse(
            f"expected a duration above 0, such as `60 s`, `5 min`, `2 h` or `1 d`, got {shown(value)}"
        )
    return total


def seconds_of_unit(unit: str) -> float | None:
    """How long ``h`` or ``hours`` is; None for what is no unit of time."""
    return _SECONDS.get(unit, _SECONDS.get(unit.removesuffix("s")))


def _unit(unit: str) -> float:
    found = seconds_of_unit(unit)
    assert found is not None
    return found


Duration = Annotated[
    float,
    BeforeValidator(seconds),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0},
                {"type": "string", "pattern": f"^{_WHOLE}$"},
            ],
            "examples": ["60 s", "5 min", "2 h", "1 d"],
        }
    ),
]
"""A float of seconds, read from a number or from text with units."""
