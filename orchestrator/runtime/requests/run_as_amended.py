"""How a run will be once an amendment is taken: its spec, what is held, how it travels, its budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

import msgspec

from orchestrator.runtime.requests.amended_changes import changes_told
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amended_travel import travels_told
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.scheduler.amended_policy import amended_policy, amended_travel
from orchestrator.scheduler.amendment_events import (
    Amendment,
    BoundsAmended,
    BudgetAmended,
    CandidatesAdded,
    ChangesAmended,
    ConstraintsAmended,
    HeldAmended,
    TravelAmended,
)
from orchestrator.scheduler.rules.added_candidates import Columns, with_rows
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints
from orchestrator.scheduler.rules.places import Places
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.amended import Bounds
from orchestrator.spec.model import Spec


class Signed(TypedDict):
    """What every event of a request says: when it was taken, who asked for it, and what it is called."""

    at: float
    by: str
    request: str


@dataclass(frozen=True, slots=True)
class RunAsAmended:
    """By a request called ``name``, ``at`` seconds, of a run whose spec was ``given``. What was taken of it
    already is in the ``state``, and counts once.
    """

    request: Amend
    given: Spec
    state: State
    at: float
    name: str

    def untaken(self, kind: type[Amendment]) -> bool:
        """Whether the part of the request that such an event says is still to be taken."""
        return (self.name, kind.__name__) not in self.state.requests

    @property
    def signed(self) -> Signed:
        """What the events that the request causes say alike."""
        return {"at": self.at, "by": self.request.by, "request": self.name}

    @property
    def spec(self) -> Spec:
        """The spec: results may lie where the bounds of the same request allow, and bounds may leave out what
        it holds no longer.
        """
        return amended(self.given, self.travelling, self.bounds, self.held, self.constraints, self.candidates)

    @property
    def bounds(self) -> Bounds | None:
        """Those that will come to be."""
        return self.request.bounds if self.untaken(BoundsAmended) else None

    @property
    def held(self) -> Places:
        """What will be held."""
        held = self.state.policy.where.held
        return self.request.held_after(held) if self.untaken(HeldAmended) else held

    @property
    def candidates(self) -> Columns:
        """The rows that will have been added."""
        now = self.state.amended.candidates
        return with_rows(now, self.request.rows) if self.untaken(CandidatesAdded) else now

    @property
    def constraints(self) -> AmendedConstraints:
        """What will have been added and withdrawn."""
        now, request = self.state.amended.constraints, self.request
        untaken = self.untaken(ConstraintsAmended)
        return now.after(request.constraints, request.withdrawn) if untaken else now

    @property
    def travel(self) -> TravelAmended:
        """The event that says how far the machine will travel, and where it stands."""
        request = self.request
        now = amended(self.given, self.state, self.bounds, self.held)
        told = travels_told(request, now, self.state) if self.untaken(TravelAmended) else {}
        return TravelAmended(travel=told, freed=tuple(request.anywhere), stands=request.stands, **self.signed)

    @property
    def changes(self) -> ChangesAmended:
        """The event that says what settings will take to change."""
        request = self.request
        now = amended(self.given, self.travelling, self.bounds, self.held)
        told = changes_told(request, now, self.state) if self.untaken(ChangesAmended) else {}
        return ChangesAmended(changes=told, freed=tuple(request.at_once), **self.signed)

    @property
    def budget(self) -> BudgetAmended:
        """The event that says which budgets there will be."""
        return BudgetAmended(**msgspec.structs.asdict(self.request.budgets), **self.signed)

    @property
    def travelling(self) -> State:
        """The state with how far the machine may travel, and where it stands, as it will be."""
        request, state = self.request, self.state
        if not (request.moves_machine and self.untaken(TravelAmended)):
            return state
        event = self.travel
        put_at = {**state.apparatus.put_at, **event.stands}
        apparatus = replace(state.apparatus, put_at=put_at)
        return replace(state, policy=amended_travel(state, event), apparatus=apparatus)

    @property
    def policed(self) -> State:
        """The same with the budget, and what is held, as they will be."""
        state = self.travelling
        policy = state.policy
        if self.request.budgets != Budgets() and self.untaken(BudgetAmended):
            policy = amended_policy(state, self.budget)
        where = replace(policy.where, held=self.held)
        return replace(state, policy=replace(policy, where=where))
