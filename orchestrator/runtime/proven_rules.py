"""What the trials behind the damage of a journal prove of amendments whose lines are lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orchestrator.runtime.trials_behind import TrialsBehind
from orchestrator.scheduler.bounds import Bounds, outside
from orchestrator.scheduler.events import (
    BoundsAmended,
    BudgetAmended,
    Event,
    HeldAmended,
    ResultsAdded,
    SuggestionsMade,
)
from orchestrator.scheduler.places import away, place_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.story import bounds_words


def proven_budget(before: State, trials: TrialsBehind, at: float, dropped: list[str]) -> BudgetAmended | None:
    """The budget that there must have been, where the line that raised it is lost: no value goes for that."""
    budget, cost = before.policy.trials, before.policy.cost
    needed = before.budgeted + trials.made_and_valued()
    raised = None if budget is None or needed <= budget else needed
    if raised is not None:
        dropped.append(
            f"whatever raised the budget of {budget}: there are values of more trials, so a budget of"
            f" {needed} trials is taken for granted"
        )
    paid = before.spent + trials.cost_of_valued()
    # The last one may exceed what was left, by less than an evaluation at full fidelity.
    costlier = None if cost is None or paid < cost + 1.0 else paid
    if costlier is not None:
        dropped.append(
            f"whatever raised the budget of a cost of {cost:g}: there are values that cost more, so a budget"
            f" of {paid:g} is taken for granted"
        )
    if raised is None and costlier is None:
        return None
    return BudgetAmended(at=at, trials=raised, cost=costlier, by="fsck")


def proven_bounds(
    before: State, own: Bounds, behind: Sequence[Event], trials: TrialsBehind, dropped: list[str]
) -> BoundsAmended | None:
    """The bounds that there must have been, where the line that widened them is lost: a model of narrower
    ones could not be told of trials and known results outside, nor hold anything there. ``own`` are those of
    the spec.

    Of a parameter whose bounds a line ``behind`` the damage amends, that line holds.
    """
    known = {name for event in behind if isinstance(event, BoundsAmended) for name in event.bounds}
    now = {name: pair for name, pair in {**own, **before.bounds}.items() if name not in known}
    wider: dict[str, tuple[float, float]] = {}
    told = [made.suggested.parameters for made in trials.made.values()]
    told += [
        known.parameters for event in behind if isinstance(event, ResultsAdded) for known in event.results
    ]
    for parameters in [*told, before.policy.held]:
        for name in outside({**now, **wider}, parameters):
            low, high = wider.get(name, now[name])
            wider[name] = min(low, parameters[name]), max(high, parameters[name])
    if not wider:
        return None
    dropped.append(
        f"whatever widened the bounds: there are points outside, so {bounds_words(wider)} is taken for"
        " granted"
    )
    return BoundsAmended(at=before.at, bounds=wider, by="fsck")


def held_in_doubt(held: Mapping[str, Any], behind: Iterable[Event]) -> str:
    """A sentence where the last point that was asked for is not where parameters are ``held`` by the lines
    that are left; empty otherwise. Whether it was held there, or chosen, is not known.
    """
    asked: Mapping[str, Any] = {}
    for event in behind:
        match event:
            case HeldAmended():
                asked = {}
            case SuggestionsMade(suggestions=[*_, last]):
                asked = last.parameters
    elsewhere = away(held, asked) if asked else ()
    if not elsewhere:
        return ""
    at = place_words({name: asked[name] for name in elsewhere if name in asked})
    where = f"at {at}" if at else "elsewhere"
    return (
        f"whatever amended what is held: the last point was asked for {where}, and"
        f" {place_words({name: held[name] for name in elsewhere})} is held from now on, unless it is amended"
        " again"
    )
