"""The scheduler of a search whose trials somebody else asks for and evaluates: it only follows."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.scheduler.events import SuggestionsMade, TrialRefused
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.trials import add_trial, pay_back, settle
from orchestrator.scheduler.machine import HANDLERS, Handlers, Scheduler
from orchestrator.scheduler.transitions import Cause


def suggestions_taken(step: Step, event: SuggestionsMade) -> None:
    """As many as were asked for there, whatever was asked for here, and what was ``held`` for them alone."""
    step.state.optimiser.asks, step.state.optimiser.asking = event.ask, None
    for suggested in event.suggestions:
        add_trial(step, suggested, event.ask)
        step.state.trials[len(step.state.trials)].held = suggested.why.get("held", {})


def trial_abandoned(step: Step, event: TrialRefused) -> None:
    """Nothing comes of it, which says nothing of its point."""
    if (trial := step.state.unsettled.get(event.trial)) is not None:
        pay_back(step.state, trial)
        settle(step, trial, Cause.LEFT_OUT, event.reason)


class AskedElsewhere(Scheduler):
    """The same state machine otherwise. The commands that it gives are nobody's concern."""

    handlers: ClassVar[Handlers] = {
        **HANDLERS,
        SuggestionsMade: suggestions_taken,
        TrialRefused: trial_abandoned,
    }
