"""What no worker can ever have is not evaluated: that is learned as of a trial that failed."""

from __future__ import annotations

from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.trials import settle
from orchestrator.scheduler.room import why_too_large
from orchestrator.scheduler.transitions import Cause


def refuse_what_fits_nowhere(step: Step) -> None:
    """Of the queue, once all of an answer stand in it: what was there before fits somewhere."""
    state = step.state
    if state.policy.evaluations.slots is None or state.waiting.fitting == len(state.trials):
        return
    new = [number for number in state.waiting.queue if number > state.waiting.fitting]
    state.waiting.fitting = len(state.trials)
    for number in new:
        trial = state.trials[number]
        if why := why_too_large(state.policy, trial):
            settle(step, trial, Cause.TOO_LARGE, why)
