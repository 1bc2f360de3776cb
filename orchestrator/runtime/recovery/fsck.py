"""`orchestrator fsck`: which lines of a journal can be believed, whatever happened to the file.

Lines that only stand in another order count in theirs. Every one before the first damage is sound; behind it
the history has a hole, and a line says no more than what stands in it. `repair` makes a journal of both.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.journal import FORMAT, Header, UnknownEvent, decode_line
from orchestrator.runtime.recovery.journal_order import Line, lines_in_order, number_borne
from orchestrator.scheduler.amendment_events import Amendment, PointsAdded
from orchestrator.scheduler.events import Event, SuggestionsMade
from orchestrator.system.checked_lines import Damage
from orchestrator.system.disk import DISK
from orchestrator.version import __version__

AMENDMENTS = tuple(kind.__name__ for kind in typing.get_args(Amendment))
SHOWN = 400
"""Characters of a damaged line."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A stretch of the file that cannot be believed: its line number from 1, bytes, and why.

    ``amendment`` is what stands in it, where it looks like something that a person amended.
    """

    line: int
    offset: int
    length: int
    why: str
    amendment: str = ""


@dataclass(slots=True)
class Examination:
    """What a journal's lines are worth.

    ``sound`` are the events before the first damage, ``kept`` their lines and the header's; ``behind`` the
    events of whole lines after it. ``header`` says whether the header is there, ``hole`` whether any event is
    not. ``repeated`` counts those of the ``bad`` lines that are there twice, ``misplaced`` those that only
    stand too late; ``missing`` lines that are not in the file, by their numbers, and ``unheard`` those that
    are lost, or torn, since one said how many trials there were; ``torn`` bytes at the end that a resume
    would cut.
    """

    path: Path
    header: bool = False
    hole: bool = False
    sound: list[Event] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)
    behind: list[Event] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    repeated: int = 0
    misplaced: int = 0
    missing: int = 0
    unheard: int = 0
    torn: int = 0

    @property
    def damaged(self) -> bool:
        """Whether a resume would refuse the journal."""
        return bool(self.bad) or self.missing > 0

    @property
    def begun(self) -> bool:
        """Whether any event can be read."""
        return bool(self.sound or self.behind)

    @property
    def unreadable(self) -> int:
        """Lines that cannot be read."""
        return len(self.bad) - self.repeated - self.misplaced

    @property
    def lost(self) -> int:
        """Lines that cannot be read, or are not there."""
        return self.unreadable + self.missing


def examine(path: Path) -> Examination:
    """Judge every line. Raises `JournalError` if the file cannot be read, or is of another version."""
    try:
        file, _ = DISK.reader(path)
    except OSError as error:
        raise JournalError(f"expected a journal at {path}, got: {error.strerror}") from None
    with file:
        content = file.read()
    found = Examination(path)
    due = 0
    for line in lines_in_order(content):
        last = line.offset + len(line.content) == len(content)
        if not line.content.endswith(b"\n") or (last and b"\0" in line.content):
            found.torn = len(line.content)
            found.unheard += 1
            break
        written, event = _believed(line.content[:-1], due)
        if event is None:
            found.bad.append(_bad(line, str(written), _amendment_in(line.content)))
            found.hole = found.hole or due > 0
            found.unheard += 1
            due += 1
            continue
        assert isinstance(written, int)
        # One damaged line may have been counted as several.
        if written < due - found.unreadable:
            found.bad.append(_bad(line, "it is there before"))
            found.repeated += 1
            continue
        if line.before is not None:
            found.bad.append(_bad(line, f"it belongs before line {line.before}"))
            found.misplaced += 1
        if written > due:
            found.missing += written - due
            found.unheard += written - due
            found.hole = found.hole or written > max(due, 1)
        due = written + 1
        if isinstance(event, SuggestionsMade | PointsAdded) and event.first_trial:
            found.unheard = 0
        if isinstance(event, Header):
            _refuse_other_format(path, event)
            found.header = True
        elif found.hole:
            found.behind.append(event)
            continue
        else:
            found.sound.append(event)
        found.kept.append(line.content)
    return found


def _bad(line: Line, why: str, amendment: str = "") -> BadLine:
    return BadLine(line.number, line.offset, len(line.content), why, amendment)


def _amendment_in(line: bytes) -> str:
    """``HeldAmended {...}`` of a damaged line, as far as it can be read; empty if it looks otherwise."""
    text = line.decode(errors="replace")
    kind = next((name for name in AMENDMENTS if f'"{name}"' in text), "")
    told = text.partition('"data":')[2].rstrip("}\n") or text.rstrip("\n")
    shown = "".join(character if character.isprintable() else "?" for character in told[:SHOWN])
    return f"{kind} {shown}" if kind else ""


def _believed(line: bytes, due: int) -> tuple[int | str, Event | Header | None]:
    """The number that a line bears and its event; or why it cannot be believed."""
    try:
        return due, decode_line(line, due)
    except Damage as damage:
        why = str(damage)
    if (written := number_borne(line)) is None:
        return why, None
    try:
        return written, decode_line(line, written)
    except UnknownEvent as unknown:
        raise JournalError(
            f"expected a journal of this version ({__version__}), got one that holds a {unknown.kind}. "
            "Use the version that wrote it."
        ) from None
    except Damage:
        return why, None


def _refuse_other_format(path: Path, header: Header) -> None:
    if header.format != FORMAT:
        raise JournalError(
            f"{path}: expected journal format {FORMAT}, got {header.format}, written by {header.software}. "
            "Use that version to look at it."
        )
