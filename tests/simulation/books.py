"""What follows from one reading of the journal, as the witness reckons, apart from the scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, get_args

from formulas import value_of
from tying import breaks
from virtual_child import objective
from virtual_world import Broken

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.commands import AdoptRefit, Rebuild, Tell
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED, AmendedConstraints
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.model import Spec

Fact: TypeAlias = Tell | AdoptRefit | Rebuild
"""What an optimiser's process is told. A rebuild is the first of its model."""


@dataclass(frozen=True)
class Learned:
    """What became of a trial, or was known from elsewhere."""

    trial: int
    parameters: Mapping[str, Any]
    value: float | None


@dataclass
class Books:
    """Kept event by event.

    ``told`` are the facts of each model of the optimiser, ``told_before_ask`` the model and how many of its
    facts precede an ask, ``told_before_stock`` how many of a model's precede its taking stock, and
    ``next_of_ask`` the number of the next trial that comes of an ask. ``made`` counts the trials that
    cost budget, ``cost`` is what they may cost together. ``gains`` are what the present model expected to be
    left, after which refit; ``wondered`` how often it was asked that, last after which, and
    ``wondered_before_ask`` the same when an ask was made. ``decided`` are the requests that changed a trial.
    ``held`` is what people hold, ``fixed`` that of which the present model was to know no other value, and
    ``asked_where`` what was held when a trial was asked for. ``running`` are the points under a lease.
    ``way`` is how values come in the run of ``spec``, attempts up to ``read_otherwise`` were read by another
    one, and those ``unread`` are to be forgotten by the same request. ``said`` is what settled trials say.
    ``draining`` are workers that said so. ``waiting`` is what was learned of a round that goes on.
    """

    events: list[ev.Event] = field(default_factory=list)
    given: dict[str, tuple[str, int]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    settled: dict[int, tuple[TrialState, float | None]] = field(default_factory=dict)
    told: dict[int, list[Fact]] = field(default_factory=lambda: {0: []})
    told_before_ask: dict[int, tuple[int, int]] = field(default_factory=dict)
    told_before_stock: dict[int, int] = field(default_factory=dict)
    next_of_ask: dict[int, int] = field(default_factory=dict)
    model: int = 0
    learned: list[Learned] = field(default_factory=list)
    known: int = 0
    amendments: set[tuple[str, str]] = field(default_factory=set)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    forgotten: set[int] = field(default_factory=set)
    paused: bool = False
    budget: int | None = None
    cost: float | None = None
    made: int = 0
    enough: float | None = None
    gains: list[tuple[int, float]] = field(default_factory=list)
    wondered: tuple[int, int] = (0, 0)
    wondered_before_ask: dict[int, tuple[int, int]] = field(default_factory=dict)
    ends_for_gain: bool = False
    decided: set[str] = field(default_factory=set)
    held: Mapping[str, Any] = field(default_factory=dict)
    constraints: AmendedConstraints = NOTHING_AMENDED
    fixed: Mapping[str, Any] = field(default_factory=dict)
    asked_where: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    running: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    draining: set[str] = field(default_factory=set)
    waiting: list[Learned] = field(default_factory=list)
    plate: str = ""
    plates: dict[int, str] = field(default_factory=dict)
    spec: Spec | None = None
    way: str = ""
    values: AmendedValues = AS_GIVEN
    said: dict[int, str] = field(default_factory=dict)
    unread: set[int] = field(default_factory=set)
    read_otherwise: dict[int, int] = field(default_factory=dict)

    def counts(self, one: Learned) -> bool:
        """Whether the optimiser is to know of it."""
        return one.trial not in self.forgotten and self.inside(one.parameters)

    def inside(self, parameters: Mapping[str, Any]) -> bool:
        """Whether a point lies within the bounds as amended."""
        return all(low <= parameters[name] <= high for name, (low, high) in self.bounds.items())

    def where_held(self, parameters: Mapping[str, Any]) -> bool:
        """Whether a point lies where people hold parameters now."""
        return all(parameters[name] == value for name, value in self.held.items())

    def is_news(self, one: Learned) -> bool:
        """Whether the present model was not to know of such a point."""
        return self.counts(one) and any(one.parameters[name] != at for name, at in self.fixed.items())

    def _fixed_anew(self) -> Mapping[str, Any]:
        """What another model may take for fixed: what is held, if all that it hears of lies there."""
        known = [one.parameters for one in self.learned if self.counts(one)]
        here = {one.trial for one in self.learned}
        known += [point for number, point in self.running.items() if number not in here]
        return self.held if all(map(self.where_held, known)) else {}

    def best(self, state: State) -> float | None:
        """The best value that counts, of those where people hold parameters."""
        values = [
            one.value
            for one in self.learned
            if one.value is not None and self.counts(one) and self.where_held(one.parameters)
            if not breaks(one.parameters, self.constraints.added)
            # What was stopped has none: it was foreseen.
            if one.trial <= 0 or self.settled[one.trial][0] is TrialState.COMPLETED
        ]
        return (max if state.policy.sought.goal == "maximise" else min)(values, default=None)

    def due(self, learned: Sequence[Learned], state: State, *, anew: bool) -> list[Rebuild | Learned]:
        """What the optimiser is to be told now: of rounds, all at once, in the order of the trials; ``anew``,
        or where it learns of what it was not to know of, all that ever was, by another model.
        """
        if anew:
            # What is refused and forgotten in one runs no more.
            now = {one.trial for one in learned}
            self.running = {number: point for number, point in self.running.items() if number not in now}
        due: list[Rebuild | Learned] = self._begin_anew(state) if anew else []
        in_rounds = state.policy.mode.kind == "synchronous"
        for one in learned:
            self.learned.append(one)
            if self.is_news(one):
                due += self._begin_anew(state)
            elif self.counts(one):
                (self.waiting if in_rounds and one.trial > 0 else due).append(one)
        if not state.unsettled:
            due += sorted(self.waiting, key=_round_by_round)
            self.waiting.clear()
        return due

    def _begin_anew(self, state: State) -> list[Rebuild | Learned]:
        """Another model of the optimiser, which has said nothing yet, and what it is told."""
        self.model += 1
        self.told[self.model] = []
        self.gains.clear()
        self.wondered = self.wondered[0], 0
        self.waiting.clear()
        self.fixed = self._fixed_anew()
        in_rounds = state.policy.mode.kind == "synchronous"
        everything = sorted(self.learned, key=_round_by_round) if in_rounds else self.learned
        beginning = Rebuild(
            model=self.model,
            bounds=self.bounds,
            fixed=self.fixed,
            constraints=self.constraints,
            values=self.values,
            trials=self.budget,
            cost=self.cost,
        )
        return [beginning, *filter(self.counts, everything)]

    @property
    def little_left(self) -> bool:
        """Whether this model's last two estimates, after different refits, fall short of what is enough."""
        enough, last = self.enough, self.gains[-2:]
        return enough is not None and len(last) == 2 and all(gain < enough for _, gain in last)

    def estimated(self, event: ev.RemainingGainEstimated) -> None:
        """An estimate that is in the journal; one of another model, or of an earlier refit, says nothing."""
        if event.model == self.model and event.refit > (self.gains[-1][0] if self.gains else 0):
            self.gains.append((event.refit, sum(event.draws) / len(event.draws)))

    def value_at(self, parameters: Mapping[str, Any]) -> float | None:
        """What the evaluation of a point comes to by now."""
        return objective(parameters) if self.spec is None else value_of(self.spec, self.way, parameters)

    def value_anew(self, event: ev.ValuesAmended, state: State) -> None:
        """Whatever was returned, or printed, has the value that it would have had; of what is forgotten
        nothing need be read.
        """
        anew, told = [], {one.trial for one in event.anew}
        for one in self.learned:
            before = self.settled.get(one.trial)
            if one.trial <= 0:
                computed = self.spec is not None and self.spec.objective.is_computed
                anew.append(replace(one, value=self.value_at(one.parameters)) if computed else one)
                continue
            assert before is not None
            trial = state.trials[one.trial]
            failed = before[0] is TrialState.FAILED and self.said[one.trial].startswith("invalid: ")
            if before[0] is not TrialState.COMPLETED and not failed:
                anew.append(one)
                continue
            value = self.value_at(one.parameters)
            if event.output is not None and one.trial not in told and trial.value != value:
                # It is forgotten already, or by the same request.
                self.unread.add(one.trial)
                value = trial.value
            if value is None:
                self.settled[one.trial], self.said[one.trial] = (TrialState.FAILED, None), "invalid: "
            else:
                self.settled[one.trial] = TrialState.COMPLETED, value
            anew.append(replace(one, value=value))
        self.learned = anew

    def decide(self, event: ev.Decision) -> None:
        """A person's request changed a trial."""
        if event.request in self.decided:
            raise Broken(f"request {event.request} is taken twice: {event}")
        self.decided.add(event.request)

    def take(self, event: ev.Event) -> Iterator[Learned]:
        """What a person changes, and the results known from elsewhere that an event brings."""
        if isinstance(event, get_args(Amendment)):
            self._amend(event)
        if isinstance(event, ev.TrialRefused) and event.forgotten and event.trial not in self.settled:
            self.forgotten.add(event.trial)
        if isinstance(event, ev.RemainingGainEstimated):
            self.estimated(event)
        if isinstance(event, ev.WorkerBeganDraining):
            self.draining.add(event.worker)
        elif isinstance(event, ev.WorkerJoined):
            self.draining = self.draining - {event.worker} | ({event.worker} if event.draining else set())
        if isinstance(event, ev.RunStarted | ev.ResultsAdded):
            for one in event.known if isinstance(event, ev.RunStarted) else event.results:
                yield Learned(-self.known, one.parameters, one.value)
                self.known += 1

    def _amend(self, event: Amendment) -> None:
        name = event.request, type(event).__name__
        if name in self.amendments:
            raise Broken(f"the amendment {name} is in the journal twice")
        self.amendments.add(name)
        match event:
            case ev.BoundsAmended():
                self.bounds |= event.bounds
            case ev.BlockBegan():
                self.plate = event.block
            case ev.HeldAmended():
                still = {name: at for name, at in self.held.items() if name not in event.freed}
                self.held = still | dict(event.held)
            case ev.ConstraintsAmended():
                self.constraints = self.constraints.after(event.added, event.withdrawn)
            case ev.BudgetAmended():
                if "trials" in event.lifted:
                    self.budget = None
                elif event.trials is not None:
                    # Trials that were made between the request and this cost what they cost.
                    self.budget = max(event.trials, self.made)
                if "expected_gain" in event.lifted:
                    self.enough = None
                elif event.expected_gain is not None:
                    self.enough = event.expected_gain
                if self.enough is None:
                    # What nobody wanted to know any more is not held against a run that wants to, later.
                    self.gains.clear()
            case ev.ValuesAmended():
                self.values = self.values.after(event.objective, event.output)
                self.way = event.objective.get("value") or event.output["pattern"]
            case ev.ObservationsForgotten():
                self.forgotten |= set(event.trials)
            case ev.RunPaused():
                self.paused = True
            case ev.RunContinued():
                self.paused = False
            case _:
                pass


def _round_by_round(one: Learned) -> int:
    return max(one.trial, 0)
