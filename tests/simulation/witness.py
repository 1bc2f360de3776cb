"""Who sees everything, and complains: what must hold after every step, and across every death.

It keeps books of its own, simpler than the scheduler's, from what the journal holds and from what anybody
outside has ever been shown: workers, by messages; the optimiser, by what it is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import formulas
import hunches
from books import Books, Fact
from each_event import check
from virtual_world import Broken, World

from orchestrator.runtime.requests.kinds import Amend, Approve, Budgets, Request, Verdict
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import AdoptRefit, Ask, Command, Rebuild
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.wire.messages import Acknowledge, Evaluate, FromOrchestrator

BUDGET_SPENT = "every trial of the budget is settled"
COST_SPENT = "the trials have cost what the budget pays for"


class WatchedScheduler(Scheduler):
    """The scheduler, with its witness beside it."""

    def __init__(self, policy: Policy, witness: Witness) -> None:
        super().__init__(policy)
        self._witness = witness
        self.books = Books(
            budget=policy.budget.trials,
            cost=policy.budget.cost,
            enough=policy.budget.expected_gain,
            held=policy.where.held,
            fixed=policy.where.held,
            spec=witness.spec,
            way=formulas.given(witness.spec),
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Scheduler:
        """For whoever looks ahead; what comes of that is nobody's business."""
        alike = Scheduler(self.state.policy)
        alike.state = deepcopy(self.state, memo)
        return alike

    def handle(self, event: ev.Event) -> list[Command]:
        before, decided = self._fence(event), self._decided(event)
        commands = super().handle(event)
        if isinstance(event, ev.Decision) and event.request and decided != self._decided(event):
            self.books.decide(event)
        self._witness.handled(event, commands, self.state, self.books)
        if before is not None and before != self._fence(event):
            raise Broken(f"{event} is of a lease that is over, and changed its trial")
        return commands

    def _decided(self, event: ev.Event) -> object:
        """What a person's request about one trial may change."""
        if not isinstance(event, ev.Decision):
            return None
        approves = isinstance(event, ev.TrialApproved | ev.TrialRefused)
        trial = self.state.trials.get((event.trial if approves else trial_of(event.lease)) or 0)
        return None if trial is None else (trial.state, trial.approved, trial.attempts.failed)

    def _fence(self, event: ev.Event) -> object:
        """What an event of a lease that is over must not change; None if the event may change anything."""
        if not isinstance(event, OF_A_LIVE_LEASE):
            return None
        trial = self.state.trials.get(trial_of(event.lease) or 0)
        if trial is None or (trial.lease == event.lease and not trial.settled):
            return None
        return trial.state, trial.lease, trial.attempts.failed, trial.worker, trial.value


OF_A_LIVE_LEASE = (ev.FailureArrived, ev.LeaseExpired, ev.TrialFoundHopeless, ev.TrialFoundUnlikely)


class Witness:
    """One for a whole run, through all its lives.

    Attributes:
        books: of the present life; ``last_life`` those of the one before it.
        state: the scheduler's, of the present life.
        events: how many events were handled, in all lives.
        handed_out: the points that a person was given to evaluate, by trial.
    """

    def __init__(self, world: World, spec: Spec) -> None:
        self.world = world
        self.spec = spec
        self.books = Books()
        self.last_life = Books()
        self.events = 0
        self.handed_out: dict[int, Mapping[str, Any]] = {}
        self._scheduler: Scheduler | None = None
        self._repeats = False
        self._safe = b""
        self._acknowledged: set[str] = set()
        self._given: dict[str, Evaluate] = {}
        self._told: dict[int, list[Fact]] = {}
        self._accepted: dict[Path, tuple[Request, str]] = {}
        self._answers: set[tuple[str, Path]] = set()
        self._finished = False
        self._taken_before: set[str] = set()

    @property
    def scheduler(self) -> Scheduler:
        """Of the present life."""
        assert self._scheduler is not None
        return self._scheduler

    @property
    def state(self) -> State:
        return self.scheduler.state

    @property
    def is_finished(self) -> bool:
        """Whether everybody was sent away, as nothing is left to do, or a person stopped the run."""
        return self._finished

    # -- the orchestrator's lives -----------------------------------------------------------------------

    def new_scheduler(self, policy: Policy) -> Scheduler:
        """The scheduler of a new life."""
        scheduler = WatchedScheduler(policy, self)
        self._scheduler = scheduler
        if self.books.events:
            self.last_life = self.books
        self.books = scheduler.books
        self._repeats = True
        return scheduler

    def begun_anew(self) -> None:
        """There was nothing to resume: then nobody may have been shown anything."""
        shown = [*self._acknowledged, *self._given, *self._told, *self._accepted]
        if shown:
            raise Broken(f"the run begins anew, and somebody was shown {shown[0]}")
        self._safe = b""

    def committed(self, journal: bytes) -> None:
        """The journal was made safe, as far as its writer knows."""
        self._safe = journal
        # Now, and not before, a person reads of it: another life may give the number to another point.
        for number, trial in self.state.unsettled.items():
            if trial.worker == PERSON:
                self.handed_out[number] = trial.parameters

    def recovered(self, journal: bytes) -> None:
        """A new life has read the journal: everything that anybody was shown must be in it."""
        if self._finished and self.state.phase is not Phase.FINISHED:
            raise Broken("the run was said to be over, and the journal says that it goes on")
        self._finished = False
        self._taken_before = self.books.decided | {name for name, _ in self.books.amendments}
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
        for model, told in self._told.items():
            if books.told.get(model, [])[: len(told)] != told:
                raise Broken("the optimiser was told what the journal does not say, or in another order")
        for path, (request, said) in self._accepted.items():
            if not self._is_taken(path, request, said):
                raise Broken(f"request {path} was accepted, and the journal does not know it: {request}")

    def _is_taken(self, path: Path, request: Request, said: str = "") -> bool:
        """Whether everything that was asked for is in the journal, but for what was ``said`` to be so."""
        if isinstance(request, Amend):
            kinds = _kinds(request)
            taken = [
                (path.stem, kind) in self.books.amendments for kind in kinds if not _so_already(kind, said)
            ]
            return bool(kinds) and all(taken)
        if path.stem in self.books.decided or said.endswith(" already"):
            return True
        # Two may have asked for it at once. What was begun was approved, though it may wait for that again.
        trial = self.state.trials[request.trial]
        return isinstance(request, Approve) and (trial.approved or trial.attempts.given > 0)

    def handled(self, event: ev.Event, commands: list[Command], state: State, books: Books) -> None:
        """The scheduler has handled an event."""
        self.events += 1
        self._repeats = self._repeats and self._is_repeated(event, len(books.events))
        check(event, commands, state, books, repeated=self._repeats)
        for number in event.trials if isinstance(event, ev.ObservationsForgotten) else ():
            if number in state.trials:
                self.world.note("the %s trial %d is forgotten", state.trials[number].state, number)

    def _is_repeated(self, event: ev.Event, place: int) -> bool:
        """Whether the last life handled the same event in this place."""
        before = self.last_life.events
        return place < len(before) and before[place] == event

    # -- what is shown to anybody outside ---------------------------------------------------------------

    def said(self, message: FromOrchestrator) -> None:
        """The orchestrator sends a message to a worker."""
        if isinstance(message, Acknowledge):
            self._acknowledged.add(message.lease)
        elif isinstance(message, Evaluate):
            if message.lease in self._given:
                raise Broken(f"lease {message.lease} is given out a second time")
            self._given[message.lease] = message

    def answered(self, life: str, path: Path, request: Request, reply: Verdict) -> None:
        """A person reads what became of a request."""
        if (life, path) in self._answers:
            raise Broken(f"request {path} is answered once more, with {reply}")
        self._answers.add((life, path))
        if path.stem in self._taken_before:
            kind = "an amendment" if isinstance(request, Amend) else "a decision"
            self.world.note("%s that an earlier life took is answered", kind)
        if reply.accepted:
            self._accepted[path] = request, reply.sentence
            if not self._is_taken(path, request, reply.sentence):
                raise Broken(f"request {path} is said to be done, and is not: {reply}")
        elif path.stem in self.books.decided or (
            isinstance(request, Amend) and self._is_taken(path, request)
        ):
            raise Broken(f"request {path} is refused, and was taken: {reply}")

    def told(self, before: list[Fact], fact: Fact) -> None:
        """An optimiser's process is told something, after all that its model was told ``before``."""
        model, place = _model([*before, fact]), len(before)
        said = self._told.setdefault(model, [])
        if place == len(said):
            said.append(fact)
        elif said[place] != fact:
            raise Broken(f"the optimiser is told {fact} where another was told {said[place]}")
        journalled = self.books.told.get(model, [])
        if place >= len(journalled) or journalled[place] != fact:
            raise Broken(f"the optimiser is told {fact}, which is not what the journal says")

    def wonders(self, before: list[Fact], refit: int) -> None:
        """An optimiser's process is asked what is left to gain by a refit, which it has adopted last."""
        adopted = [fact.number for fact in before if isinstance(fact, AdoptRefit)]
        if adopted[-1:] != [refit]:
            raise Broken(f"what is left to gain by refit {refit} is asked for, and {adopted} were adopted")

    def takes_stock(self, before: list[Fact]) -> None:
        """An optimiser's process says what it believes at the end, after all that its model was told."""
        # One that another follows, as what is amended then has it begin anew, may be under way still.
        wanted = self.books.told_before_stock
        if len(before) < wanted.get(_model(before), len(before) + 1):
            raise Broken(
                f"stock is taken by model {_model(before)} of {len(before)} facts, and was to be by some that"
                f" knew {wanted}"
            )

    def answers(self, before: list[Fact], ask: Ask, wondered: int) -> None:
        """An optimiser's process answers an ask, knowing what its model was told.

        ``wondered``: the last refit by which it was to say what is left to gain. One that was asked for, and
        that no process of any life has said, is asked of the next.
        """
        model, wanted = self.books.told_before_ask.get(ask.ask, (-1, 0))
        if model != _model(before) or len(before) < wanted:
            raise Broken(
                f"ask {ask.ask} is answered by model {_model(before)} from {len(before)} facts, and is for "
                f"model {model} that knows {wanted}"
            )
        due = self.books.wondered_before_ask[ask.ask]
        said = self.books.gains[-1][0] if self.books.gains else 0
        if due == self.books.wondered and due[1] > max(said, wondered) and self.books.enough is not None:
            raise Broken(f"what is left to gain by refit {due[1]} was asked for, and is not any more")

    # -- the end ----------------------------------------------------------------------------------------

    def finished(self) -> None:
        """An orchestrator sends everybody away: there is nothing left to do."""
        self._finished = True

    def ended(self) -> None:
        """The run is over: nothing is left open."""
        state = self.state
        if state.unsettled or state.waiting.queue:
            raise Broken(f"the run ended as {state.end.why!r}, and trials {list(state.unsettled)} are open")
        books = self.books
        hunches.check_none_is_lost(books.events, state)
        if state.end.why == BUDGET_SPENT and (books.budget is None or books.made < books.budget):
            raise Broken(f"the run ended as {state.end.why!r}, with {books.made} of {books.budget}")
        cost = state.policy.budget.cost
        if state.end.why == COST_SPENT and (cost is None or state.tally.spent < cost):
            raise Broken(f"the run ended as {state.end.why!r}, with {state.tally.spent} of {cost}")


def _model(facts: Sequence[Fact]) -> int:
    return facts[0].model if facts and isinstance(facts[0], Rebuild) else 0


def _so_already(kind: str, said: str) -> bool:
    """Whether it was answered that nothing had to be done for this part of a request."""
    words = {
        "ValuesAmended": "that is so already",
        "RunPaused": "the run is paused already",
        "RunContinued": "the run is not paused",
        "ObservationsForgotten": "is forgotten already",
        "ConstraintsAmended": "already",
        "HeldAmended": "is chosen already",
        "BlockBegan": " already",
    }
    changes = {
        "ObservationsForgotten": "the model learns anew without",
        "ConstraintsAmended": "constraints are amended",
        "BlockBegan": " begins",
    }
    return kind in words and words[kind] in said and changes.get(kind, said + ".") not in said


def _kinds(request: Amend) -> list[str]:
    """The events that a request asks for."""
    asked = {
        "BoundsAmended": bool(request.bounds),
        "HeldAmended": bool(request.held or request.free),
        "BlockBegan": bool(request.block),
        "ConstraintsAmended": bool(request.constraints or request.withdrawn),
        "ValuesAmended": request.values_trials,
        "BudgetAmended": request.budgets != Budgets(),
        "ResultsAdded": bool(request.results),
        "PointsAdded": bool(request.points),
        "ObservationsForgotten": bool(request.forget),
        "RunPaused": request.paused is True,
        "RunContinued": request.paused is False,
    }
    return [kind for kind, wanted in asked.items() if wanted]
