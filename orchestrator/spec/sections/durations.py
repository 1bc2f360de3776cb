"""Durations in a spec: ``60 s``, ``5 min``, ``1 h 30 min``, ``2 d``; a bare number is seconds."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from orchestrator.spec.document.section import refuse, shown
from orchestrator.values.durations import WRITTEN, duration_of
from orchestrator.values.durations import seconds_of_unit as seconds_of_unit

UNITS = ("s", "min", "h", "d")
"""What people are told to write."""


def seconds(value: Any) -> float:
    """A duration in seconds, above 0. Raises pydantic's error with a sentence for anything else."""
    try:
        return duration_of(value)
    except ValueError as error:
        raise refuse(f"expected {error}, got {shown(value)}") from None


SCHEMA = {
    "anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string", "pattern": f"^{WRITTEN}$"}],
    "examples": ["60 s", "5 min", "2 h", "1 d"],
}
"""Of one, for editors."""
Duration = Annotated[float, BeforeValidator(seconds), WithJsonSchema(SCHEMA)]
"""A float of seconds, read from a number or from text with units."""
