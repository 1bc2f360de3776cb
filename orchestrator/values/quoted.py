"""A name that came where another was expected, as a message has it."""

from __future__ import annotations

LONGEST = 100
"""Characters of a name that are shown: no name that is meant has more."""


def quoted(name: object) -> str:
    """In backquotes; of a longer one its beginning."""
    text = str(name)
    return f"`{text}`" if len(text) <= LONGEST else f"`{text[: LONGEST - 3]}...`"
