"""Names with their values on lines of a terminal: where there is no room for both, the name is shortened."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

LEAST = 8
"""Characters that are left of a name, or more."""
MOST_COLUMNS = 4


def in_columns(values: Sequence[tuple[str, str]], width: int) -> list[Text]:
    """In as many columns as the longest allows, read across."""
    items = [f"{shortened(name, width - len(f'   = {text}'))} = {text}" for name, text in values]
    longest = max(map(len, items), default=1)
    columns = max(1, min(MOST_COLUMNS, width // (longest + 2)))
    lines: list[Text] = []
    for start in range(0, len(items), columns):
        row = items[start : start + columns]
        lines.append(Text("  " + "  ".join(item.ljust(longest) for item in row).rstrip()))
    return lines


def in_a_row(values: Sequence[tuple[str, str]], width: int) -> str:
    """One behind another, all names of at most the length that has them fit."""
    row = ""
    for most in range(max((len(name) for name, _ in values), default=0), LEAST - 1, -1):
        row = "  ".join(f"{shortened(name, most)} {text}" for name, text in values)
        if len(row) <= width:
            break
    return row


def shortened(name: str, most: int) -> str:
    """A name of at most so many characters, `LEAST` or more, without its middle: of many that begin alike the
    ends tell which it is.
    """
    most = max(most, LEAST)
    if len(name) <= most:
        return name
    behind = (most - 1) // 2
    return f"{name[: most - 1 - behind]}…{name[-behind:]}"
