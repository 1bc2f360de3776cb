"""A run of a spec in this process: the scheduler, a journal on disk, and the optimiser's own code."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path

from served_here import ServedHere

from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.optimiser.messages import (
    Answer,
    Reply,
)
from orchestrator.runtime.optimiser.replies import event_of
from orchestrator.runtime.recovery.recover import OptimiserHistory, Replay, policy_of
from orchestrator.runtime.requests.left_amendments import take_up_amendments
from orchestrator.runtime.results.first_event import first_event
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Ask, CancelLease, Evaluate, FinishRun, OptimiserCommand
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.load import LoadedSpec

WORKER = "w"
NOON = "2026-11-30T12:00:00+00:00"


class BrokenRun(AssertionError):
    """What a run promises does not hold."""


class LivedRun:
    """In one life after the other; ``step_s`` is how long each evaluation takes.

    Attributes:
        evaluations: those that were handed out, and have not ended.
        ended: whether the run has come to its end.
    """

    def __init__(self, loaded: LoadedSpec, folder: Path, slots: int, step_s: float) -> None:
        self.spec, self.slots, self.step_s = loaded.spec, slots, step_s
        self.folder = RunFolder(folder)
        folder.mkdir()
        self.folder.write_spec(loaded.text)
        self.evaluations: list[Evaluate] = []
        self.ended = False
        self._scheduler, self._history = Scheduler(policy_of(self.spec)), OptimiserHistory([])
        self._journal = JournalWriter.create(self.folder.journal, "test", spec=loaded.text)
        self._optimiser = ServedHere(self.spec)
        self._due: deque[OptimiserCommand] = deque()
        self.happen(first_event(self.spec, self.folder.name, NOON, {}), self._joined())

    @property
    def state(self) -> State:
        return self._scheduler.state

    def _joined(self) -> ev.WorkerJoined:
        """Also to the next life, with what it is at."""
        held = tuple(one.lease for one in self.evaluations)
        return ev.WorkerJoined(at=self.state.at, worker=WORKER, slots=self.slots, held=held)

    def happen(self, *events: ev.Event) -> None:
        """On disk first, and all that follows at once. Raises BrokenRun."""
        for event in events:
            self._journal.append([event])
            self._journal.commit()
            commands = self._scheduler.handle(event)
            if broken := violations(self.state):
                raise BrokenRun(f"after {event}: {broken}")
            self._history.settle(event)
            self._history.note(commands)
            self.ended = self.ended or any(isinstance(one, FinishRun) for one in commands)
            cancelled = {one.lease for one in commands if isinstance(one, CancelLease)}
            self.evaluations += [one for one in commands if isinstance(one, Evaluate)]
            self.evaluations = [one for one in self.evaluations if one.lease not in cancelled]
            self._due += [one for one in commands if isinstance(one, OptimiserCommand)]

    def think(self) -> None:
        """The optimiser takes what it was sent, and says what it has to say, until there is no more."""
        while self._due:
            command = self._due.popleft()
            if isinstance(command, Ask) and (done := self._optimiser.refit()) is not None:
                self._due.appendleft(command)
                self._hear(done)
                # It is adopted before the ask that waits for it.
                self._due.rotate(1)
                continue
            self._optimiser.take(command)
            for reply in self._optimiser.taken():
                self._hear(reply)

    def _hear(self, reply: Reply) -> None:
        event = event_of(reply, self.state, self.state.at)
        if isinstance(event, ev.SuggestionsMade) and not self._scheduler.awaits(event):
            return
        if event is not None:
            self.happen(event)
        for one in event.suggestions if isinstance(event, ev.SuggestionsMade) else ():
            if not (self.state.inside(one.parameters) and self.state.where_held(one.parameters)):
                raise BrokenRun(f"{one} is out of the bounds, or not where parameters are held, by now")

    def answered_alike(self) -> None:
        """Whether another optimiser, that was told what the journal holds, answers what is asked as this one
        will. Raises BrokenRun where it does not.
        """
        replay = Replay.of(self.folder)
        replay.catch_up()
        other = ServedHere(self.spec)
        for command in replay.history.commands:
            other.take(command)
        asked = [one for one in other.taken() if isinstance(one, Answer)]
        for command in [one for one in self._due if not isinstance(one, Ask)]:
            self._optimiser.take(command)
            self._due.remove(command)
        for command in [one for one in self._due if isinstance(one, Ask)]:
            if self._optimiser.refit() is not None:
                return
            self._optimiser.take(command)
            self._due.remove(command)
        own = self._optimiser.taken()
        answers = [one for one in own if isinstance(one, Answer)]
        if [one.suggestions for one in asked] != [one.suggestions for one in answers]:
            raise BrokenRun(f"after a resumption is asked for {asked}, and for {answers} without one")
        for reply in own:
            self._hear(reply)

    def die(self) -> None:
        """As by SIGKILL: what is on disk is left, and the worker goes on."""
        self._journal.close()
        self._due.clear()

    def live_again(self) -> Sequence[str]:
        """Take up what was left meanwhile, and go on; what is said of that."""
        replay = Replay.of(self.folder)
        replay.catch_up()
        said = take_up_amendments(self.folder, replay)
        replay = Replay.of(self.folder)
        replay.catch_up()
        if broken := violations(replay.scheduler.state):
            raise BrokenRun(f"as the journal has it: {broken}")
        self._scheduler, self._history = replay.scheduler, replay.history
        self._journal = JournalWriter(
            self.folder.journal, length=replay.reader.length, next_number=replay.reader.lines
        )
        self._optimiser = ServedHere(self.spec)
        self.ended = not self.state.resumable
        if not self.ended:
            for command in self._history.commands:
                self._due.append(command)
            self.happen(ev.RunResumed(at=self.state.at, wall=NOON, approves_again=True), self._joined())
        return said
