"""A run of a spec in this process: the scheduler, a journal on disk, and the optimiser's own code."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from broken_promises import in_no_round
from served_here import ServedHere

from orchestrator.runtime.evaluations.early_stopping import EarlyStopping
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.optimiser.messages import (
    Answer,
    Reply,
)
from orchestrator.runtime.optimiser.replies import event_of
from orchestrator.runtime.recovery.recover import OptimiserHistory, Replay
from orchestrator.runtime.requests.desk import Desk, Waiting
from orchestrator.runtime.requests.front_desk import FrontDesk
from orchestrator.runtime.requests.kinds import Amend, Verdict
from orchestrator.runtime.requests.left_amendments import take_up_amendments
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Ask, CancelLease, Evaluate, FinishRun, OptimiserCommand, Rebuild
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.load import LoadedSpec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.sections.evaluation import PERSON

WORKER = "w"
NOON = "2026-11-30T12:00:00+00:00"


class BrokenRun(AssertionError):
    """What a run promises does not hold."""


class HeardDesk:
    """The desk of a run, at which it is heard what is refused."""

    def __init__(self, desk: Desk, refused: list[str]) -> None:
        self._desk, self._refused = desk, refused

    def waiting(self) -> list[Waiting]:
        return self._desk.waiting()

    def answer(self, path: Path, reply: Verdict) -> str:
        if not reply.accepted:
            self._refused.append(reply.sentence)
        return self._desk.answer(path, reply)


class LivedRun:
    """In one life after the other; ``step_s`` is how long each evaluation takes.

    Attributes:
        evaluations: those that were handed out, and have not ended.
        watched: what is reported by those of this life.
        ended: whether the run has come to its end.
        refused: what people were told of what they had asked for in vain.
    """

    def __init__(self, loaded: LoadedSpec, folder: Path, slots: int, step_s: float) -> None:
        self.spec, self.slots, self.step_s = loaded.spec, slots, step_s
        self.by_hand = self.spec.evaluation.evaluator == PERSON
        self.worker = PERSON if self.by_hand else WORKER
        self.folder = RunFolder(folder)
        folder.mkdir()
        self.folder.write_spec(loaded.text)
        self.evaluations: list[Evaluate] = []
        self.ended = False
        self.refused: list[str] = []
        self._scheduler, self._history = Scheduler(policy_of(self.spec)), OptimiserHistory([])
        self._journal = JournalWriter.create(self.folder.journal, "test", spec=loaded.text)
        self._due: deque[OptimiserCommand] = deque()
        self._begin()
        self._happen_in_turn(first_event(self.spec, self.folder.name, NOON, {}), self._joined())

    def _begin(self) -> None:
        """A life, with an optimiser of its own, and somebody at the desk."""
        self._optimiser = ServedHere(self.spec)
        self.watched = EarlyStopping(self.spec.evaluation.stop_when)
        self._now = self.state.at
        clock = Clock(offset=self.state.at, monotonic=lambda: max(self.state.at, self._now))
        life = Life(self.folder, self.spec, self._scheduler, self._history, self._journal, clock)
        self._inbox: Inbox[ev.Event] = Inbox()
        self._desk = HeardDesk(Desk(self.folder), self.refused)
        self._front_desk = FrontDesk(life, self._desk, self._inbox, note=lambda _: None)

    @property
    def state(self) -> State:
        return self._scheduler.state

    def _joined(self) -> ev.WorkerJoined:
        """Also to the next life, with what it is at; a person is handed that out again."""
        if self.by_hand:
            return ev.WorkerJoined(at=self.state.at, worker=PERSON, slots=self.slots, local=True)
        held = tuple(one.lease for one in self.evaluations)
        return ev.WorkerJoined(at=self.state.at, worker=WORKER, slots=self.slots, held=held)

    def _happen_in_turn(self, *events: ev.Event) -> None:
        """On disk, and whoever asked for them is answered."""
        self.happen(*events)
        self._front_desk.committed(events)

    def pass_time(self) -> None:
        """As long as an evaluation takes."""
        self._now = self.state.at + self.step_s

    def take_up(self) -> None:
        """All that people left at the desk, judged beside it as in a run."""
        while True:
            new = [self._judged(one) for one in self._front_desk.new_among(self._desk.waiting())]
            self._front_desk.take_up(new)
            if not (events := self._inbox.take()):
                return
            self._happen_in_turn(*events)

    def _judged(self, one: Waiting) -> Waiting:
        if not isinstance(one.request, Amend):
            return one
        return replace(one, judged=rehearse(one.request, self.spec, Beforehand.of(self.state)))

    def happen(self, *events: ev.Event) -> None:
        """On disk first, and all that follows at once. Raises BrokenRun."""
        for event in events:
            self._journal.append([event])
            self._journal.commit()
            commands = self._scheduler.handle(event)
            if broken := [*violations(self.state), *in_no_round(self.state)]:
                raise BrokenRun(f"after {event}: {broken}")
            self._history.settle(event)
            self._history.note(commands)
            self.ended = self.ended or any(isinstance(one, FinishRun) for one in commands)
            cancelled = {one.lease for one in commands if isinstance(one, CancelLease)}
            self.evaluations += [one for one in commands if isinstance(one, Evaluate)]
            self.evaluations = [one for one in self.evaluations if one.lease not in cancelled]
            if self.by_hand:
                # Nobody is told to stop: what a person does is theirs to know.
                live = {trial.lease for trial in self.state.unsettled.values()}
                self.evaluations = [one for one in self.evaluations if one.lease in live]
            if any(isinstance(one, Rebuild) for one in commands):
                self._due = deque(one for one in self._due if not isinstance(one, Ask))
            self._due += [one for one in commands if isinstance(one, OptimiserCommand)]
            if self.state.optimiser.asking is None:
                self._due = deque(one for one in self._due if not isinstance(one, Ask))
        if (measured := measured_anew(events, self.spec, self.state)) is not None:
            self.happen(measured)

    def think(self) -> None:
        """The optimiser takes what it was sent, and says what it has to say, until there is no more."""
        while self._due:
            command = self._due.popleft()
            if isinstance(command, Ask) and (done := self._optimiser.refit()) is not None:
                # It is adopted before the ask that waits for it.
                behind = [command, *self._due]
                self._due.clear()
                self._hear(done)
                self._due += behind
                continue
            self._optimiser.take(command)
            for reply in self._optimiser.taken():
                self._hear(reply)
            if (gain := self._optimiser.gain()) is not None:
                self._hear(gain)

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
        """As by SIGKILL: what is on disk is left, and the worker goes on. Raises BrokenRun where that is not
        how it stood.
        """
        self._journal.close()
        self._due.clear()
        replay = Replay.of(self.folder)
        replay.catch_up()
        if replay.scheduler.state != self.state:
            raise BrokenRun("what the journal says is not how the run stood")

    def live_again(self) -> Sequence[str]:
        """Take up what was left meanwhile, and go on; what is said of that."""
        self.refused.clear()
        replay = Replay.of(self.folder)
        replay.catch_up()
        said: list[str] = []
        if replay.scheduler.state.phase is Phase.FINISHED:
            said = take_up_amendments(self.folder, replay)
            replay = Replay.of(self.folder)
            replay.catch_up()
        if broken := violations(replay.scheduler.state):
            raise BrokenRun(f"as the journal has it: {broken}")
        self._scheduler, self._history = replay.scheduler, replay.history
        self._journal = JournalWriter(
            self.folder.journal, length=replay.reader.length, next_number=replay.reader.lines
        )
        self._begin()
        # Of a journal whose end is lost it may be that it has not begun.
        self.ended = not self.state.resumable or self.state.phase is Phase.WAITING
        if not self.ended:
            self._due += self._history.commands
            self._resume()
        return [*said, *self.refused]

    def _resume(self) -> None:
        """What was amended meanwhile holds before anybody is given anything."""
        resumed = ev.RunResumed(at=self.state.at, wall=NOON, approves_again=not self.by_hand)
        judged = self._front_desk.judge_left(self._desk.waiting(), [resumed])
        self._inbox.leave(resumed)
        self._front_desk.take_up_left(judged)
        if self.by_hand:
            self.evaluations.clear()
        self._inbox.leave(self._joined())
        self._happen_in_turn(*self._inbox.take())
        self.take_up()
