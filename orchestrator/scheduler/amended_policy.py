"""The rules of a run as people amended them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from orchestrator.scheduler.amendment_events import BudgetAmended, ChangesAmended, HeldAmended, TravelAmended
from orchestrator.scheduler.rules.budgets import BudgetName
from orchestrator.scheduler.rules.places import held_after
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State

Number = TypeVar("Number", int, float)


def amended_policy(state: State, event: BudgetAmended) -> Policy:
    """The rules with other budgets. Trials that are made are not unmade."""
    budget = state.policy.budget
    trials = None if event.trials is None else max(event.trials, state.budgeted)
    cost = None if event.cost is None else max(event.cost, state.tally.spent)

    def after(name: BudgetName, given: Number | None, before: Number | None) -> Number | None:
        if name in event.lifted:
            return None
        return before if given is None else given

    budget = replace(
        budget,
        trials=after("trials", trials, budget.trials),
        cost=after("cost", cost, budget.cost),
        time_s=after("time", event.time_s, budget.time_s),
        target=after("target", event.target, budget.target),
        patience=after("patience", event.patience, budget.patience),
        expected_gain=after("expected_gain", event.expected_gain, budget.expected_gain),
    )
    return replace(state.policy, budget=budget)


def amended_clock(state: State) -> Policy:
    """The rules with the clock's bounds as they were amended."""
    clock = state.policy.where.clock
    if clock is None or clock.parameter not in state.amended.bounds:
        return state.policy
    clock = replace(clock, bounds=state.amended.bounds[clock.parameter])
    return replace(state.policy, where=replace(state.policy.where, clock=clock))


def amended_held(state: State, event: HeldAmended) -> Policy:
    """The rules with other parameters held, or held elsewhere."""
    held = held_after(state.policy.where.held, event.held, event.freed)
    return replace(state.policy, where=replace(state.policy.where, held=held))


def amended_travel(state: State, event: TravelAmended) -> Policy:
    """The rules with other limits on how far settings may travel at once."""
    kept = {name: limit for name, limit in state.policy.where.travel.items() if name not in event.freed}
    return replace(state.policy, where=replace(state.policy.where, travel={**kept, **event.travel}))


def amended_changes(state: State, event: ChangesAmended) -> Policy:
    """The rules with other durations of what settings take to change."""
    kept = {name: change for name, change in state.policy.where.changes.items() if name not in event.freed}
    return replace(state.policy, where=replace(state.policy.where, changes={**kept, **event.changes}))
