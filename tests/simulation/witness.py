"""Who sees everything, and complains: what must hold after every step, and across every death.

It keeps books of its own, simpler than the scheduler's, from what the journal holds and from what anybody
outside has ever been shown: workers, by messages; the optimiser, by what it is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from virtual_child import objective
from virtual_world import Broken, World

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import AdoptRefit, Ask, Command, Evaluate, Tell
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.machine import Scheduler, trial_of
from orchestrator.scheduler.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.wire.messages import Acknowledge, FromOrchestrator
from orchestrator.wire.messages import Evaluate as EvaluateMessage


@dataclass
class Books:
    """What follows from the events of one reading of the journal, as the witness reckons."""

    events: list[ev.Event] = field(default_factory=list)
    given: dict[str, tuple[str, int]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    settled: dict[int, tuple[TrialState, float | None]] = field(default_factory=dict)
    told: list[Tell | AdoptRefit] = field(default_factory=list)
    told_before_ask: dict[int, int] = field(default_factory=dict)


class WatchedScheduler(Scheduler):
    """The scheduler, with its witness beside it."""

    def __init__(self, policy: Policy, witness: Witness) -> None:
        super().__init__(policy)
        self._witness = witness
        self.books = Books()

    def handle(self, event: ev.Event) -> list[Command]:
        before = self._fence(event)
        commands = super().handle(event)
        self._witness.handled(event, commands, self.state, self.books)
        if before is not None and before != self._fence(event):
            raise Broken(f"{event} is of a lease that is over, and changed its trial")
        return commands

    def _fence(self, event: ev.Event) -> object:
        """What an event of a lease that is over must not change; None if the event may change anything."""
        if not isinstance(event, ev.FailureArrived | ev.LeaseExpired | ev.TrialFoundHopeless):
            return None
        trial = self.state.trials.get(trial_of(event.lease) or 0)
        if trial is None or (trial.lease == event.lease and not trial.settled):
            return None
        return trial.state, trial.lease, trial.failures, trial.worker, trial.value


class Witness:
    """One for a whole run, through all its lives.

    Attributes:
        books: of the present life; ``last_life`` those of the one before it.
        state: the scheduler's, of the present life.
        events: how many events were handled, in all lives.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.books = Books()
        self.last_life = Books()
        self.events = 0
        self._scheduler: Scheduler | None = None
        self._safe = b""
        self._acknowledged: set[str] = set()
        self._given: dict[str, EvaluateMessage] = {}
        self._told: list[Tell | AdoptRefit] = []

    @property
    def state(self) -> State:
        assert self._scheduler is not None
        return self._scheduler.state

    # -- the orchestrator's lives -----------------------------------------------------------------------

    def new_scheduler(self, policy: Policy) -> Scheduler:
        """The scheduler of a new life."""
        scheduler = WatchedScheduler(policy, self)
        self._scheduler = scheduler
        if self.books.events:
            self.last_life = self.books
        self.books = scheduler.books
        return scheduler

    def begun_anew(self) -> None:
        """There was nothing to resume: then nobody may have been shown anything."""
        shown = [*self._acknowledged, *self._given, *self._told]
        if shown:
            raise Broken(f"the run begins anew, and somebody was shown {shown[0]}")
        self._safe = b""

    def committed(self, journal: bytes) -> None:
        """The journal was made safe, as far as its writer knows."""
        self._safe = journal

    def recovered(self, journal: bytes) -> None:
        """A new life has read the journal: everything that anybody was shown must be in it."""
        if not journal.startswith(self._safe):
            at = next(
                (k for k, (a, b) in enumerate(zip(journal, self._safe, strict=False)) if a != b), len(journal)
            )
            raise Broken(
                f"of the {len(self._safe)} bytes of journal that were committed, {at} are what they were"
            )
        books = self.books
        for lease in sorted(self._acknowledged - books.answered):
            raise Broken(f"the result of lease {lease} was acknowledged, and the journal does not know it")
        for lease, message in self._given.items():
            if books.given.get(lease, ("", 0))[1] != message.trial:
                raise Broken(f"lease {lease} was given to a worker, and the journal does not know it")
            if self.state.trials[message.trial].parameters != message.parameters:
                raise Broken(
                    f"trial {message.trial} was evaluated at {message.parameters}, and is another now"
                )
        if books.told[: len(self._told)] != self._told:
            raise Broken("the optimiser was told what the journal does not say, or in another order")

    # -- every event ------------------------------------------------------------------------------------

    def handled(self, event: ev.Event, commands: list[Command], state: State, books: Books) -> None:
        """The scheduler has handled an event."""
        self.events += 1
        books.events.append(event)
        if isinstance(event, ev.ResultArrived | ev.FailureArrived):
            books.answered.add(event.lease)
        if isinstance(event, ev.ResultArrived):
            self._check_result(event, state, books)
        for command in commands:
            if isinstance(command, Tell | AdoptRefit):
                books.told.append(command)
            elif isinstance(command, Ask):
                books.told_before_ask[command.ask] = len(books.told)
            elif isinstance(command, Evaluate):
                if command.lease in books.given:
                    raise Broken(f"lease {command.lease} was given twice")
                if command.trial in books.settled:
                    raise Broken(f"trial {command.trial} is settled, and runs again")
                books.given[command.lease] = command.worker, command.trial
        self._check_settled(state, books)
        broken = violations(state)
        if broken:
            raise Broken(f"after {event}: {'; '.join(broken)}")

    @staticmethod
    def _check_result(event: ev.ResultArrived, state: State, books: Books) -> None:
        """The first result of a lease that was given counts, if its trial is not settled; no other does."""
        number = books.given.get(event.lease, ("", 0))[1]
        trial = state.trials.get(number)
        if trial is None or number in books.settled:
            return
        if trial.value != event.value or trial.state is not TrialState.COMPLETED:
            raise Broken(f"{event} is the first result of trial {number}, and does not count")

    @staticmethod
    def _check_settled(state: State, books: Books) -> None:
        for number, trial in state.trials.items():
            known = books.settled.get(number)
            if known is not None:
                if known != (trial.state, trial.value):
                    raise Broken(
                        f"trial {number} was settled as {known}, and is {trial.state}, {trial.value}"
                    )
            elif trial.settled:
                books.settled[number] = trial.state, trial.value
                if trial.value is not None and trial.value != objective(trial.parameters["x"]):
                    raise Broken(
                        f"trial {number} at {trial.parameters} has a value of another: {trial.value}"
                    )
        values = [tell.trial for tell in books.told if isinstance(tell, Tell)]
        if len(values) != len(set(values)):
            raise Broken(f"the optimiser is told of a trial twice: {values}")

    # -- what is shown to anybody outside ---------------------------------------------------------------

    def said(self, message: FromOrchestrator) -> None:
        """The orchestrator sends a message to a worker."""
        if isinstance(message, Acknowledge):
            self._acknowledged.add(message.lease)
        elif isinstance(message, EvaluateMessage):
            if message.lease in self._given:
                raise Broken(f"lease {message.lease} is given out a second time")
            self._given[message.lease] = message

    def told(self, before: list[Tell | AdoptRefit], command: Tell | AdoptRefit) -> None:
        """An optimiser's process is told something, after all that it was told ``before``."""
        place = len(before)
        if place == len(self._told):
            self._told.append(command)
        elif self._told[place] != command:
            raise Broken(f"the optimiser is told {command} where another was told {self._told[place]}")
        if place >= len(self.books.told) or self.books.told[place] != command:
            raise Broken(f"the optimiser is told {command}, which is not what the journal says")

    def answers(self, before: list[Tell | AdoptRefit], ask: Ask) -> None:
        """An optimiser's process answers an ask, knowing what it was told."""
        wanted = self.books.told_before_ask.get(ask.ask)
        if wanted is None or len(before) < wanted:
            raise Broken(f"ask {ask.ask} is answered from {len(before)} of the {wanted} facts before it")

    # -- the end ----------------------------------------------------------------------------------------

    def ended(self) -> None:
        """The run is over: nothing is left open."""
        state = self.state
        if state.unsettled or state.queue:
            raise Broken(f"the run ended as {state.ending!r}, and trials {list(state.unsettled)} are open")
