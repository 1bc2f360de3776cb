"""Names with their values on lines of a terminal: where there is no room for both, the name is shortened."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from orchestrator.report.words.wording import shortened

LEAST = 8
"""Characters that are left of a name, or more."""
MOST_COLUMNS = 4


def in_columns(values: Sequence[tuple[str, str]], width: int) -> list[Text]:
    """In as many columns as the longest allows, read across."""
    items = [f"{shortened(name, max(LEAST, width - 5 - len(text)))} = {text}" for name, text in values]
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
    longest = max((len(name) for name, _ in values), default=0)
    for most in range(max(LEAST, longest), LEAST - 1, -1):
        row = "  ".join(f"{shortened(name, most)} {text}" for name, text in values)
        if len(row) <= width:
            break
    return row
