"""From a run's folder back to its scheduler: the events of the journal through the same state machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.amendment_events import PointsAdded
from orchestrator.scheduler.commands import Ask, Command, EstimateGain, OptimiserCommand, Rebuild, TakeStock
from orchestrator.scheduler.events import (
    Event,
    RemainingGainEstimated,
    RunResumed,
    StockTaken,
    SuggestionsMade,
)
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of

if TYPE_CHECKING:
    pass


@dataclass(slots=True)
class OptimiserHistory:
    """What the optimiser was told and asked, in order; enough to bring a new one to the same state.

    An ask that was answered changed nothing, so only the one without an answer is kept, ``asked`` (0: none),
    and likewise of what is left to gain. What it believes is kept to be asked until it said so, or another
    life, which asks for itself what it wants to know, begins. Where it began anew, nothing before that
    counts.
    """

    commands: list[OptimiserCommand]
    asked: int = 0

    def note(self, commands: Iterable[Command]) -> None:
        """Keep what concerns the optimiser among the commands of an event."""
        for command in commands:
            if isinstance(command, Rebuild):
                self.commands.clear()
                self.asked = 0
            if isinstance(command, EstimateGain):
                self.estimated(command.refit)
            if isinstance(command, Ask):
                if self.asked:
                    # One is under way at a time: the answer to that is not awaited any more.
                    self.answered(self.asked)
                self.asked = command.ask
            if isinstance(command, OptimiserCommand):
                self.commands.append(command)

    def answered(self, ask: int) -> None:
        """Forget an ask. Refits that a later one has replaced are kept: they are cheap."""
        if ask != self.asked:
            return
        self.asked = 0
        for index in range(len(self.commands) - 1, -1, -1):
            command = self.commands[index]
            if isinstance(command, Ask) and command.ask == ask:
                del self.commands[index]
                return

    def estimated(self, refit: int) -> None:
        """Forget that it was to say what is left to gain by a refit, or by one before."""
        self.commands[:] = [
            command
            for command in self.commands
            if not isinstance(command, EstimateGain) or command.refit > refit
        ]

    @property
    def wants_stock(self) -> bool:
        """Whether it was asked what it believes, and has not said so."""
        return any(isinstance(command, TakeStock) for command in self.commands)

    @property
    def _model(self) -> int:
        """How often it began anew."""
        return max((one.model for one in self.commands if isinstance(one, Rebuild)), default=0)

    def settle(self, event: Event) -> None:
        """Forget what an event of the optimiser's has answered, or nobody waits for any more."""
        if isinstance(event, SuggestionsMade):
            self.answered(event.ask)
        elif isinstance(event, JournalMended | PointsAdded):
            # The answer may be among the lines that are lost, and where points are added nobody waits for it:
            # what is wanted by now is asked for anew.
            self.answered(self.asked)
        elif isinstance(event, StockTaken):
            if event.model == self._model and self.wants_stock:
                self.commands.remove(next(one for one in self.commands if isinstance(one, TakeStock)))
        elif isinstance(event, RunResumed):
            self.commands[:] = [one for one in self.commands if not isinstance(one, TakeStock)]
        elif isinstance(event, RemainingGainEstimated):
            self.estimated(event.refit)


@dataclass(slots=True)
class Replay:
    """A scheduler brought forward by a journal; `follow` takes in what was appended since."""

    spec: Spec
    scheduler: Scheduler
    reader: JournalReader
    history: OptimiserHistory

    @classmethod
    def of(cls, folder: RunFolder) -> Replay:
        """A run's scheduler, before any event."""
        spec = read_spec(folder).spec
        return cls(spec, Scheduler(policy_of(spec)), JournalReader(folder.journal), OptimiserHistory([]))

    def follow(self) -> Iterator[Event]:
        """Handle the events that the journal holds beyond those handled, one at a time, and give each."""
        for event in self.reader:
            commands = self.scheduler.handle(event)
            self.history.settle(event)
            self.history.note(commands)
            yield event

    def catch_up(self) -> None:
        """Handle all of them. None is kept: what is not in the scheduler's state costs no memory."""
        for _ in self.follow():
            pass
