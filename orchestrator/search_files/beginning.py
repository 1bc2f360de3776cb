"""How the file of a search begins, by which commands know it: of no weight to import."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

BEGINNING = b'{"crc":"'
_FIRST = b'"n":0,"event":"Began"'


def is_search_file(path: Path) -> bool:
    """Whether a search seems to be kept there, by its beginning."""
    with suppress(OSError):
        # To open a pipe would be to wait for whoever writes to it.
        if path.is_file():
            with path.open("rb") as file:
                beginning = file.read(100)
            return beginning.startswith(BEGINNING) and _FIRST in beginning
    return False
