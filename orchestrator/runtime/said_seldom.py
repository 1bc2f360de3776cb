"""When to say again what happens again and again."""

from __future__ import annotations


def next_said_at(count: int) -> int:
    """The count at which a thing is said next that was said at ``count``: at 1, 10, 100 and so on."""
    return 10 ** len(str(count)) if count else 1
