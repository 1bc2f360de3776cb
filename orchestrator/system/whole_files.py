"""A file that is written whole, or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """In the place of what is there, which stays where the disk does not take all of it. Raises OSError."""
    place = Path(os.path.realpath(path))
    there = os.path.lexists(path)
    # What is no file, as a pipe, cannot be replaced, and what is protected must not be.
    replaceable = path.is_file() and place.exists() and os.access(place, os.W_OK)
    if (there and not replaceable) or not os.access(place.parent, os.W_OK):
        path.write_text(text, encoding="utf-8")
        return
    draft = place.with_name(f"{place.name}.draft")
    try:
        draft.write_text(text, encoding="utf-8")
        if there:
            shutil.copymode(place, draft)
        draft.replace(place)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
