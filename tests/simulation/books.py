"""What follows from one reading of the journal, as the witness reckons, apart from the scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, get_args

from virtual_world import Broken

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import AdoptRefit, Rebuild, Tell
from orchestrator.scheduler.transitions import TrialState

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
    facts precede an ask. ``made`` counts the trials that cost budget.
    """

    events: list[ev.Event] = field(default_factory=list)
    given: dict[str, tuple[str, int]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    settled: dict[int, tuple[TrialState, float | None]] = field(default_factory=dict)
    told: dict[int, list[Fact]] = field(default_factory=lambda: {0: []})
    told_before_ask: dict[int, tuple[int, int]] = field(default_factory=dict)
    model: int = 0
    learned: list[Learned] = field(default_factory=list)
    known: int = 0
    amendments: set[tuple[str, str]] = field(default_factory=set)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    forgotten: set[int] = field(default_factory=set)
    paused: bool = False
    budget: int | None = None
    made: int = 0

    def counts(self, one: Learned) -> bool:
        """Whether the optimiser is to know of it."""
        return one.trial not in self.forgotten and self.inside(one.parameters)

    def inside(self, parameters: Mapping[str, Any]) -> bool:
        """Whether a point lies within the bounds as amended."""
        return all(low <= parameters[name] <= high for name, (low, high) in self.bounds.items())

    def take(self, event: ev.Event) -> Iterator[Learned]:
        """What a person changes, and the results known from elsewhere that an event brings."""
        if isinstance(event, get_args(ev.Amendment)):
            self._amend(event)
        if isinstance(event, ev.RunStarted | ev.ResultsAdded):
            for one in event.known if isinstance(event, ev.RunStarted) else event.results:
                yield Learned(-self.known, one.parameters, one.value)
                self.known += 1

    def _amend(self, event: ev.Amendment) -> None:
        name = event.request, type(event).__name__
        if name in self.amendments:
            raise Broken(f"the amendment {name} is in the journal twice")
        self.amendments.add(name)
        match event:
            case ev.BoundsAmended():
                self.bounds |= event.bounds
            case ev.BudgetAmended() if "trials" in event.lifted:
                self.budget = None
            case ev.BudgetAmended() if event.trials is not None:
                # Trials that were made between the request and this cost what they cost.
                self.budget = max(event.trials, self.made)
            case ev.ObservationsForgotten():
                self.forgotten |= set(event.trials)
            case ev.RunPaused():
                self.paused = True
            case ev.RunContinued():
                self.paused = False
            case _:
                pass
