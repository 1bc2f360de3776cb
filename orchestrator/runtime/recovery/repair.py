"""A journal made of what can be saved of a damaged one.

Every line before the first damage is kept to the letter. What the scheduler did behind it cannot be replayed;
but every line says which trial it is about, so the values are not lost with it: they are gathered (`salvage`)
into one event that takes the place of the rest. The damaged file is kept beside the mended one, and all that
is dropped is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.journal import FORMAT, Header, encode_line
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.days_lost import days_lost
from orchestrator.runtime.recovery.fsck import Examination
from orchestrator.runtime.recovery.judged_anew import judged_anew, valued_by_what_is_left, valued_words
from orchestrator.runtime.recovery.other_bearers import LostLines
from orchestrator.runtime.recovery.rules_left import rules_left
from orchestrator.runtime.recovery.salvage import Salvage, rules_behind, salvage
from orchestrator.runtime.recovery.trials_behind import AtTheDamage
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.scheduler.amendment_events import BlockBegan, HeldAmended
from orchestrator.scheduler.events import Event, RunStarted
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.places import Places, written
from orchestrator.scheduler.state import State
from orchestrator.spec.document.yaml_tree import read_tree
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.results.known_results import files_named
from orchestrator.system.disk import DISK, Disk, remedy
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.block_name import BY_DAY
from orchestrator.version import __version__


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """What a repair would do: the lines of the mended journal after its sound part, and what is dropped.

    ``spec`` is the text for a header, where that is lost; ``after`` is the state of the mended run.
    """

    found: Examination
    rebuilt: tuple[Event, ...]
    saved: Salvage
    wall: str
    spec: str
    after: State

    @property
    def ending(self) -> str:
        """How the mended run has ended, empty where a resume goes on with it."""
        return "" if self.after.resumable else self.after.end.why

    def with_lost_amendments(self, sentences: Sequence[str]) -> RepairPlan:
        """The same, and the mended journal says that these are lost as well."""
        before = self.saved.event
        event = replace(before, lost_amendments=(*sentences, *before.lost_amendments))
        rebuilt = tuple(event if one is before else one for one in self.rebuilt)
        return replace(self, rebuilt=rebuilt, saved=replace(self.saved, event=event))


def plan_repair(folder: RunFolder, found: Examination, now: datetime) -> RepairPlan:
    """Work out what can be saved. Raises `JournalError` if nothing can be, with the reason."""
    loaded = read_spec(folder)
    scheduler = Scheduler(policy_of(loaded.spec))
    for event in found.sound:
        scheduler.handle(event)
    rebuilt: list[Event] = []
    begun = next((event for event in found.behind if isinstance(event, RunStarted)), None)
    if not found.sound:
        # Without its first event, the run is begun again from the spec; it holds the same points, and the
        # same values but for those of a file.
        started = begun if begun is not None else _started(folder, found, loaded.spec)
        rebuilt.append(started)
        scheduler.handle(started)
    wall = now.isoformat(timespec="seconds")
    behind = [event for event in found.behind if event is not begun]
    at = AtTheDamage.of(scheduler.state)
    rules = rules_behind(behind)
    for rule in rules:
        scheduler.handle(rule)
    held = scheduler.state.policy.where.held
    left = list(rules_left(loaded.spec, scheduler.state, behind))
    for rule in left:
        scheduler.handle(rule)
    rules += left
    saved = salvage(scheduler.state, behind, at=at, lost=LostLines(found.lost, found.unheard), wall=wall)
    saved, otherwise = judged_anew(saved, loaded.spec, scheduler.state)
    known = _known_results_lost(folder, loaded.text) if rebuilt and begun is None else []
    dropped = (*days_lost(loaded.spec, found, folder.path), *known, *saved.dropped)
    saved = replace(saved, dropped=dropped)
    if found.hole:
        known_before = scheduler.state.tally.known
        proven = [] if saved.budget is None else [saved.budget]
        rebuilt += [*rules, *proven, saved.event, *saved.decisions]
        # That it can be replayed is proved before anything is written.
        for event in (*proven, saved.event, *saved.decisions):
            scheduler.handle(event)
        if (valued := valued_by_what_is_left(loaded.spec, scheduler.state)) is not None:
            rebuilt.append(valued)
            scheduler.handle(valued)
            otherwise += valued_words(valued, known_before)
        if (measured := measured_anew([saved.event], loaded.spec, scheduler.state)) is not None:
            rebuilt.append(measured)
            scheduler.handle(measured)
    plan = RepairPlan(found, tuple(rebuilt), saved, wall, loaded.text, scheduler.state)
    amended = [*_amendments_lost(found, loaded.spec), *otherwise, *_chosen_now(left, held)]
    return plan.with_lost_amendments(amended)


def _known_results_lost(folder: RunFolder, spec: str) -> list[str]:
    """Those of files that the text of the spec names."""
    files = files_named(read_tree(spec, str(folder.spec)))
    if not files:
        return []
    together: dict[str, list[str]] = {}
    for file in files:
        together.setdefault(file.where_typed, []).append(file.name)
    commands = []
    for where, names in together.items():
        words = [word for name in names for word in ("--known", name)]
        words += ["--where", where] if where else []
        commands.append(shell_line("amend", folder.path, *words))
    return [
        f"the known results of {' and '.join(file.name for file in files)}, which only the first event held;"
        f" to give them again: {'; '.join(commands)}"
    ]


def _amendments_lost(found: Examination, spec: Spec) -> list[str]:
    """What damaged lines were, by their looks."""
    # A day begins by itself.
    by_itself = BlockBegan.__name__ if spec.blocks == BY_DAY else None
    return [
        f"by its looks, an amendment: {bad.amendment}"
        for bad in found.bad
        if bad.amendment and bad.amendment.split()[0] != by_itself
    ]


def _chosen_now(left: Sequence[Event], held: Places) -> list[str]:
    """What was held and is no longer, as it would be out of the bounds that are ``left``."""
    return [
        f"what amended where {name} is held, or its bounds: {name} = {written(held[name])} by what is left is"
        " outside of them, and it is chosen now"
        for rule in left
        if isinstance(rule, HeldAmended)
        for name in rule.freed
    ]


def _started(folder: RunFolder, found: Examination, spec: Spec) -> RunStarted:
    if not found.behind:
        raise JournalError(
            f"{found.path}: expected an event that can be read, got none. Nothing can be saved; start the "
            f"run again: {shell_line('run', folder.spec)}"
        )
    return first_event(spec, folder.name, wall="", evaluated_by={})


def repair(plan: RepairPlan, disk: Disk = DISK) -> Path:
    """Write the mended journal in the place of the damaged one, of which a copy is kept; the copy's path.
    What was last said of the run goes with the damaged one.

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
        # On a full disk each try would leave another one.
        for half in (kept, draft):
            with suppress(OSError):
                half.unlink()
        raise JournalError(
            f"expected to write beside {path}, got: {error.strerror}. The journal is as it was. "
            f"{remedy(error)}, and try again."
        ) from None
    with suppress(OSError):
        # It knew of values that are dropped now.
        RunFolder(path.parent).standing.unlink()
    try:
        disk.sync_directory(path.parent)
    except OSError as error:
        raise JournalError(
            f"expected to make {path} safe on disk, got: {error.strerror}. It is mended, but the damaged "
            f"one, of which {kept} is a copy, may be back after a power failure. Look to the disk first."
        ) from None
    return kept


def _mended(plan: RepairPlan) -> bytes:
    found = plan.found
    header = Header(FORMAT, f"orchestrator {__version__}", plan.spec)
    made_anew = [] if found.header else [encode_line(0, header)]
    behind = enumerate(plan.rebuilt, start=len(found.sound) + 1)
    return b"".join([*made_anew, *found.kept, *(encode_line(number, event) for number, event in behind)])
