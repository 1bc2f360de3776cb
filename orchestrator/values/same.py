"""When two values of a parameter are the same."""

from __future__ import annotations

from typing import Any


def alike(a: Any, b: Any) -> bool:
    """Equal, and neither is a boolean where the other is a number: YAML's `true` is not 1."""
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)
