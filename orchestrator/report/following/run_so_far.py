"""A run as its journal tells it from outside, or a search from Python as its file does: what tables and
models of results are made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from orchestrator.report.following.run_clock import time_in_run
from orchestrator.report.searches.search_reader import SearchReader
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.asked_elsewhere import AskedElsewhere
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of

if TYPE_CHECKING:
    from orchestrator.report.searches.kept_search import KeptSearch

Kept: TypeAlias = "RunFolder | KeptSearch"
"""What commands look at: where it lies, what it is called, and who works on it."""


class Reader(Protocol):
    """Iterates over events; iterate again for those that came since. ``length``: how far it has read."""

    length: int

    @property
    def size(self) -> int:
        """How far it could read now."""
        ...

    def __iter__(self) -> Iterator[Event]: ...


def parts_of(kept: Kept) -> tuple[Kept, Spec, Scheduler, Reader]:
    """What is followed, its spec, a scheduler before any event, and all of these."""
    if not isinstance(kept, RunFolder):
        return kept, kept.spec, AskedElsewhere(kept.policy), SearchReader(tuple(kept.run_events()))
    spec = read_spec(kept).spec
    return kept, spec, Scheduler(policy_of(spec)), JournalReader(kept.journal)


@dataclass(slots=True)
class RunSoFar:
    """A run up to the last `catch_up`. It writes nothing and disturbs nobody."""

    folder: Kept
    spec: Spec
    scheduler: Scheduler
    reader: Reader
    _length: int = field(init=False, default=-1)

    @classmethod
    def open(cls, kept: Kept) -> RunSoFar:
        """A run, its journal not yet read."""
        return cls(*parts_of(kept))

    @property
    def state(self) -> State:
        """The scheduler's, after the events read so far."""
        return self.scheduler.state

    def catch_up(self) -> list[Event]:
        """Take in what was appended since. Raises `JournalError`."""
        if self.reader.size == self._length:
            return []
        events: list[Event] = []
        for event in self.reader:
            self._take(event)
            events.append(event)
        # What is half written now is read when it is whole.
        self._length = self.reader.length
        return events

    def _take(self, event: Event) -> None:
        self.scheduler.handle(event)

    def now(self, held: bool) -> float:
        """The time of the run: of its last event, or what whoever works on it is known to have reached."""
        if not isinstance(self.folder, RunFolder):
            # Where nothing is evaluated nobody waits.
            by_clock = self.state.policy.where.clock is not None
            going_on = held and self.state.running and not by_clock
            return self.state.at + (self.folder.since_last() if going_on else 0.0)
        told = time_in_run(self.folder, self.folder.holder()) if held else None
        return max(self.state.at, told or 0.0)


def run_so_far(kept: Kept) -> RunSoFar:
    """A run with every event that its journal holds now."""
    run = RunSoFar.open(kept)
    run.catch_up()
    return run
