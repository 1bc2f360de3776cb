"""How the file of a search begins, by which commands know it, and which take it: of no weight to import."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from orchestrator.spelling import listed
from orchestrator.system.shell_lines import shell_line

BEGINNING = b'{"crc":"'
_FIRST = b'"n":0,"event":"Began"'
TAKEN_BY = (
    "status",
    "trials",
    "best",
    "export",
    "explain",
    "report",
    "sensitivity",
    "predict",
    "compare",
    "tolerance",
    "spread",
    "posterior",
    "runs",
)
"""The commands that show a search."""


def is_search_file(path: Path) -> bool:
    """Whether a search seems to be kept there, by its beginning."""
    with suppress(OSError):
        # To open a pipe would be to wait for whoever writes to it.
        if path.is_file():
            with path.open("rb") as file:
                beginning = file.read(100)
            return beginning.startswith(BEGINNING) and _FIRST in beginning
    return False


def instead_of(expected: str, path: Path | str) -> str:
    """What is said where a search stands in the place of what was ``expected``."""
    return (
        f"expected {expected}, got {path}, a search from Python: its program alone asks and tells it, and it"
        f" goes on where that is run again. How it stands: {shell_line('status', str(path))}; it is taken by"
        f" {listed(TAKEN_BY, 'and')}"
    )
