"""An amendment that was decided a moment ago, by what came before it in the same turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.runtime.requests.amended_constraints import broken_by_trials
from orchestrator.scheduler.events import ConstraintsAmended, Event, PointsAdded, SuggestionsMade
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec


def by_now(event: Event, before: Sequence[Event], spec: Spec, state: State) -> Event:
    """The event as it is to be handled, where the optimiser's answer has made trials since it was decided."""
    if isinstance(event, PointsAdded):
        return replace(event, first_trial=len(state.trials) + 1)
    if isinstance(event, ConstraintsAmended) and any(isinstance(one, SuggestionsMade) for one in before):
        return replace(event, added=broken_by_trials(event.added, spec, state))
    return event
