"""What trials leave to others of the same settings that look more closely, and go on from it.

Beside what an attempt printed lies a file that says which settings it was of, and in which directory it left
what it did: once it has come to its end, and not before. By that a directory is known to be the right one,
whatever else was evaluated there under that number, as on another machine or before a journal was mended.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

SUFFIX: Final = ".left.json"


class _Left(msgspec.Struct, frozen=True):
    """``parameters`` as they were given; ``directory`` within the trial's, empty for that itself."""

    parameters: dict[str, Any]
    directory: str = ""


def note_left(trial: Path, attempt: int, parameters: Mapping[str, Any], directory: str) -> None:
    """Say that an attempt came to its end, in a directory of its ``trial``'s. Raises OSError."""
    trial.mkdir(parents=True, exist_ok=True)
    left = msgspec.json.encode(_Left(dict(parameters), directory))
    (trial / f"attempt-{attempt}{SUFFIX}").write_bytes(left)


def forget_shared(trial: Path) -> None:
    """Another attempt at a ``trial`` begins, and may write over what those before it left."""
    for path, left in _noted(trial):
        if not left.directory:
            with contextlib.suppress(OSError):
                path.unlink()


def found_left(trial: Path, parameters: Mapping[str, Any], accumulates: str) -> Path | None:
    """The directory that an attempt at a ``trial`` left which differs in what ``accumulates`` alone, if at
    all; None where there is none.
    """
    wanted = {name: value for name, value in parameters.items() if name != accumulates}
    for _, left in _noted(trial):
        own = {name: value for name, value in left.parameters.items() if name != accumulates}
        directory = trial / left.directory
        if own == wanted and directory.is_dir():
            return directory
    return None


def _noted(trial: Path) -> Iterator[tuple[Path, _Left]]:
    for path in sorted(trial.glob(f"attempt-*{SUFFIX}"), reverse=True):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            yield path, msgspec.json.decode(path.read_bytes(), type=_Left)
