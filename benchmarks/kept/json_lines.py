"""A file of JSON lines that is only added to, so that a crash costs one line at most."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

Read = TypeVar("Read")


def add_line(path: Path, told: Mapping[str, Any]) -> None:
    """Add a line, and make the file and its folder if they are not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The line break comes first, so that a line torn by a crash spoils no other.
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if file.tell() else "") + json.dumps(told))


def lines_of(path: Path, read: Callable[[Any], Read]) -> list[Read]:
    """What ``read`` makes of each line's value, in order; nothing where there is no file.

    A torn line, or one that ``read`` refuses with ValueError, KeyError or TypeError, is left out, with a
    warning.
    """
    found = []
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            found.append(read(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            warnings.warn(f"{path}:{number} is no record ({error}) and is left out", stacklevel=2)
    return found
