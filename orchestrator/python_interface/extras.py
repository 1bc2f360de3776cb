"""What a mapping has beside the value and its outcomes: kept and shown with a trial, and seen by no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from orchestrator.values.foreign import in_a_line
from orchestrator.values.plain import plain_throughout

LONGEST_EXTRA = 100_000
"""Characters of one as JSON. What is longer belongs in a file of the caller's."""


def extras_of(told: Mapping[Any, Any]) -> dict[str, Any]:
    """As JSON has it, NaN as None. What JSON does not have, or what is too long, is kept as a line that says
    what it is: a search of hours is not to fail for it.
    """
    return {_named(name): _kept(value) for name, value in told.items()}


def _named(name: object) -> str:
    try:
        text = str(name)
    except Exception:  # as objects of other libraries raise what they like
        text = _in_a_line(name)
    # Half a character of UTF-16, as of the name of a file, is no text that a file can hold.
    return text.encode(errors="replace").decode()


def _kept(value: object) -> Any:
    try:
        text = msgspec.json.encode(plain_throughout(value))
        return _in_a_line(value) if len(text) > LONGEST_EXTRA else msgspec.json.decode(text)
    except Exception:  # likewise
        return _in_a_line(value)


def _in_a_line(value: object) -> str:
    try:
        return in_a_line(value)
    except Exception:  # likewise
        return f"a value of type {type(value).__name__}"
