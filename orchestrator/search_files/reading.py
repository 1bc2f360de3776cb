"""What the file of a search holds, for whoever goes on there and for whoever only looks.

It may be read while its program writes it: a last line that is not whole has not happened yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from orchestrator.errors import StoreError
from orchestrator.search_files.beginning import BEGINNING
from orchestrator.search_files.events import FORMAT, Began, Event, Opened, UnknownEvent, decode_event
from orchestrator.search_files.problem import differences
from orchestrator.system.checked_lines import Damage
from orchestrator.system.disk import DISK
from orchestrator.system.file_locks import is_held

_OF_A_RUN = b'"n":0,"event":"Header"'
_ANOTHER = "Nothing was changed. Name another file, for a search of its own"
_VALUED_ANEW = (
    ". What this one was told another one learns, and computes all values anew: learn_all(this.results())"
)


class DamagedStoreError(StoreError):
    """Lines of the file are not what was written."""


def is_written(path: Path) -> bool:
    """Whether a process has it open now. Raises `OSError` where that cannot be seen."""
    with path.open("rb") as file:
        return is_held(file)


def whole_lines(path: Path) -> list[bytes]:
    """Its whole lines, with their line feeds. Raises `OSError`, and StoreError for another kind of file."""
    file, size = DISK.reader(path)
    with file:
        lines = file.read(size).splitlines(keepends=True)
    if lines and (not lines[0].startswith(BEGINNING[: len(lines[0])]) or _OF_A_RUN in lines[0][:100]):
        came = "the journal of a run" if _OF_A_RUN in lines[0][:100] else "another one"
        raise StoreError(
            f"expected at {path} a file that a search was kept in, or none, got {came}. {_ANOTHER}"
        )
    # Parts of a line that never reached the disk read as zeros.
    if lines and (not lines[-1].endswith(b"\n") or b"\0" in lines[-1]):
        del lines[-1]
    return lines


def events_in(lines: Sequence[bytes], path: Path) -> tuple[Began | None, tuple[Event, ...]]:
    """The first of a file's whole lines, if there is any, and the others. Raises StoreError where one is
    damaged or not known.
    """
    events: list[Event] = []
    for number, line in enumerate(lines):
        try:
            events.append(decode_event(line.removesuffix(b"\n"), number))
        except UnknownEvent as unknown:
            raise StoreError(
                f"{path}: line {number + 1}: {unknown}. Nothing was changed. Use the version that wrote it"
            ) from None
        except Damage as damage:
            raise DamagedStoreError(
                f"{path}: line {number + 1} is damaged: {damage}. Nothing was changed. The lines before it"
                f" are a search that can be gone on with: head -n {number} FILE > ANOTHER"
            ) from None
    if not events:
        return None, ()
    began, *others = events
    if not isinstance(began, Began) or began.format != FORMAT:
        raise StoreError(f"expected at {path} a search in format {FORMAT}, got another file. {_ANOTHER}")
    return began, tuple(others)


def refuse_another(path: Path, began: Began | None, problem: Mapping[str, Any]) -> None:
    """Raises StoreError where the search that began in a file is one of another problem."""
    if began is not None and (found := list(differences(began.problem, problem))):
        known = began.problem.keys() | problem.keys()
        otherwise = {name for name in known if began.problem.get(name) != problem.get(name)}
        anew = _VALUED_ANEW if otherwise <= {"value", "fit", "covariance"} else ""
        came = f"{path} keeps the search of another problem: {'; '.join(found)}"
        raise StoreError(f"{came}. {_ANOTHER}, or say the same{anew}")


def last_opened(path: Path) -> Opened | None:
    """Who had it opened last, as far as that can be read."""
    with suppress(OSError, Damage):
        lines = path.read_bytes().splitlines()
        for number in reversed(range(len(lines))):
            if b'"event":"Opened"' in lines[number]:
                opened = decode_event(lines[number], number)
                return opened if isinstance(opened, Opened) else None
    return None
