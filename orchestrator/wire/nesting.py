"""How deep what a worker sends may nest, at both ends: what one can write, the other must be able to read."""

from __future__ import annotations

from typing import Any

DEPTH_LIMIT = 64
"""Objects and lists within one another, the outermost counted."""


def is_too_deep(value: object) -> bool:
    """Whether objects and lists lie within one another more than `DEPTH_LIMIT` deep, ``value`` counted."""
    level: list[Any] = [value]
    # Level by level, because calls within one another would meet Python's own limit first.
    for _ in range(DEPTH_LIMIT + 1):
        level = [outer for outer in level if isinstance(outer, dict | list | tuple)]
        if not level:
            return False
        level = [inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)]
    return True
