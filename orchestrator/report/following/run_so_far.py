"""A run as its journal tells it from outside: what tables and models of results are made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.report.following.run_clock import time_in_run
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import policy_of
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec


@dataclass(slots=True)
class RunSoFar:
    """A run up to the last `catch_up`. It writes nothing and disturbs nobody."""

    folder: RunFolder
    spec: Spec
    scheduler: Scheduler
    reader: JournalReader
    _length: int = field(init=False, default=-1)

    @classmethod
    def open(cls, folder: RunFolder) -> RunSoFar:
        """A run, its journal not yet read."""
        spec = read_spec(folder).spec
        return cls(folder, spec, Scheduler(policy_of(spec)), JournalReader(folder.journal))

    @property
    def state(self) -> State:
        """The scheduler's, after the events read so far."""
        return self.scheduler.state

    def catch_up(self) -> list[Event]:
        """Take in what was appended since. Raises `JournalError`."""
        length = self.folder.journal.stat().st_size if self.folder.journal.exists() else -1
        if length == self._length:
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
        told = time_in_run(self.folder, self.folder.holder()) if held else None
        return max(self.state.at, told or 0.0)


def run_so_far(folder: RunFolder) -> RunSoFar:
    """A run with every event that its journal holds now."""
    run = RunSoFar.open(folder)
    run.catch_up()
    return run
