"""`orchestrator fsck`: which lines of a journal can be believed, and a journal made of what can be saved.

Lines that only stand in another order are put back. Every one before the first damage is kept to the letter.
Behind it the history has a hole, and what the scheduler did there cannot be replayed; but every line says
which trial it is about, so the values are not lost with it: they are gathered (`salvage`) into one event that
takes the place of the rest. The damaged file is kept beside the mended one, and everything that is dropped is
said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from orchestrator import __version__
from orchestrator.disk import DISK, Disk
from orchestrator.errors import JournalError
from orchestrator.runtime.begun_spec import read_spec
from orchestrator.runtime.counted_parameters import first_points
from orchestrator.runtime.journal import FORMAT, Damage, Header, UnknownEvent, decode_line, encode_line
from orchestrator.runtime.journal_order import Line, lines_in_order, number_borne
from orchestrator.runtime.known_events import known_events
from orchestrator.runtime.recover import policy_of
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.runtime.salvage import Readable, Salvage, budgets_behind, salvage
from orchestrator.scheduler.events import Event, RunStarted
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.known_results import file_named
from orchestrator.spec.model import Spec
from orchestrator.spec.yaml_tree import read_tree


@dataclass(frozen=True, slots=True)
class BadLine:
    """A stretch of the file that cannot be believed: its line number from 1, bytes, and why."""

    line: int
    offset: int
    length: int
    why: str


@dataclass(slots=True)
class Examination:
    """What a journal's lines are worth.

    ``sound`` are the events before the first damage, ``kept`` their lines and the header's; ``behind`` the
    events of whole lines after it. ``header`` says whether the header is there, ``hole`` whether any event is
    not. ``repeated`` counts those of the ``bad`` lines that are there twice, ``misplaced`` those that only
    stand too late; ``missing`` lines that are not in the file, by their numbers; ``torn`` bytes at the end
    that a resume would cut.
    """

    path: Path
    header: bool = False
    hole: bool = False
    sound: list[Event] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)
    behind: list[Readable] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    repeated: int = 0
    misplaced: int = 0
    missing: int = 0
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
            break
        written, event = _believed(line.content[:-1], due)
        if event is None:
            found.bad.append(_bad(line, str(written)))
            found.hole = found.hole or due > 0
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
            found.hole = found.hole or written > max(due, 1)
        due = written + 1
        if isinstance(event, Header):
            _refuse_other_format(path, event)
            found.header = True
        elif found.hole:
            found.behind.append(Readable(line.number, event))
            continue
        else:
            found.sound.append(event)
        found.kept.append(line.content)
    return found


def _bad(line: Line, why: str) -> BadLine:
    return BadLine(line.number, line.offset, len(line.content), why)


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


@dataclass(frozen=True, slots=True)
class Plan:
    """What a repair would do: the lines of the mended journal after its sound part, and what is dropped.

    ``spec`` is the text for a header, where that is lost.
    """

    found: Examination
    rebuilt: tuple[Event, ...]
    saved: Salvage
    wall: str
    spec: str


def plan_repair(folder: RunFolder, found: Examination, now: datetime) -> Plan:
    """Work out what can be saved. Raises `JournalError` if nothing can be, with the reason."""
    loaded = read_spec(folder)
    scheduler = Scheduler(policy_of(loaded.spec))
    for event in found.sound:
        scheduler.handle(event)
    rebuilt: list[Event] = []
    begun = next((readable for readable in found.behind if isinstance(readable.event, RunStarted)), None)
    if not found.sound:
        # Without its first event, the run is begun again from the spec; it holds the same points, and the
        # same values but for those of a file.
        started = begun.event if begun is not None else _started(folder, found, loaded.spec)
        rebuilt.append(started)
        scheduler.handle(started)
    wall = now.isoformat(timespec="seconds")
    behind = [readable for readable in found.behind if readable is not begun]
    budgets = budgets_behind(behind)
    for budget in budgets:
        scheduler.handle(budget)
    saved = salvage(scheduler.state, behind, lost=found.lost, wall=wall)
    if rebuilt and begun is None and (file := file_named(read_tree(loaded.text, str(folder.spec)))):
        lost = (
            f"the known results of {file}, which only the first event held; to give them again: "
            f"orchestrator amend {folder.path} --known {file}"
        )
        saved = replace(saved, dropped=(lost, *saved.dropped))
    if found.hole:
        proven = [] if saved.budget is None else [saved.budget]
        rebuilt += [*budgets, *proven, saved.event, *saved.decisions]
        # That it can be replayed is proved before anything is written.
        for event in (*proven, saved.event, *saved.decisions):
            scheduler.handle(event)
    return Plan(found, tuple(rebuilt), saved, wall, loaded.text)


def _started(folder: RunFolder, found: Examination, spec: Spec) -> RunStarted:
    if not found.behind:
        raise JournalError(
            f"{found.path}: expected an event that can be read, got none. Nothing can be saved; start the "
            f"run again: orchestrator run {folder.spec}"
        )
    known = known_events(spec.initial.results, spec)
    return RunStarted(at=0.0, run=folder.name, wall="", points=first_points(spec), known=known, in_turn=True)


def repair(plan: Plan, disk: Disk = DISK) -> Path:
    """Write the mended journal in the place of the damaged one, of which a copy is kept; the copy's path.

    All or nothing: until the new file is whole and on the device, the old one stands. The run's lock must
    be held. Raises `JournalError` if the disk refuses, which says which of both it is.
    """
    path = plan.found.path
    stamp = "".join(character for character in plan.wall if character.isdigit())[:14]
    kept = path.with_name(f"{path.name}.damaged-{stamp}")
    draft = path.with_name(f"{path.name}.mended")
    try:
        disk.copy(path, kept)
        descriptor = disk.open(kept)
        disk.sync(descriptor)
        disk.close(descriptor)
        descriptor = disk.open(draft, empty=True, at_end=True)
        try:
            block = memoryview(_mended(plan))
            while block:
                block = block[disk.append(descriptor, block) :]
            disk.sync(descriptor)
        finally:
            disk.close(descriptor)
        disk.replace(path, draft)
    except OSError as error:
        raise JournalError(
            f"expected to write beside {path}, got: {error.strerror}. The journal is as it was. Make room, "
            "and try again."
        ) from None
    try:
        disk.sync_directory(path.parent)
    except OSError as error:
        raise JournalError(
            f"expected to make {path} safe on disk, got: {error.strerror}. It is mended, but the damaged "
            f"one, of which {kept} is a copy, may be back after a power failure. Look to the disk first."
        ) from None
    return kept


def _mended(plan: Plan) -> bytes:
    found = plan.found
    header = Header(FORMAT, f"orchestrator {__version__}", plan.spec)
    made_anew = [] if found.header else [encode_line(0, header)]
    behind = enumerate(plan.rebuilt, start=len(found.sound) + 1)
    return b"".join([*made_anew, *found.kept, *(encode_line(number, event) for number, event in behind)])
