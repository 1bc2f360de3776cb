"""What one life of a run starts from: its folder and spec, what the journal rebuilt, and a clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.model import Spec


class Clock:
    """Seconds since the run began, over all its lives; a life begins where the last one was heard of."""

    def __init__(self, offset: float = 0.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._zero = monotonic() - offset

    def now(self) -> float:
        """The time of an event that happens now."""
        return self._monotonic() - self._zero


@dataclass(frozen=True, slots=True)
class Life:
    """One life of a run."""

    folder: RunFolder
    spec: Spec
    scheduler: Scheduler
    history: OptimiserHistory
    journal: JournalWriter
    clock: Clock

    def found(self) -> RunFolder | None:
        """Its folder as it is called now; None where it was moved, and the system does not tell where to."""
        place = self.journal.place
        return None if place is None else RunFolder(place.parent)

    def whereabouts(self) -> RunFolder:
        """The same; the folder as it was, where the system does not tell."""
        return self.found() or self.folder
