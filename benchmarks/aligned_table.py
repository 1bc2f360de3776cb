"""A table in Markdown that can be read as text as well."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Lines of cells, each column as wide as its widest; each line of ``body`` has as many as ``head``."""
    widths = [max(len(line[i]) for line in (head, *body)) for i in range(len(head))]
    first, *rest = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in (head, *body)
    ]
    return "\n".join([first, "|" + "|".join("-" * (width + 2) for width in widths) + "|", *rest])
