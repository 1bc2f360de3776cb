"""What was measured at the reference settles the limits that are relative to it, or moves them."""

from __future__ import annotations

from orchestrator.scheduler.commands import TakeStock
from orchestrator.scheduler.handling.amending import reconsider_the_end
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import rebuild
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.standing import stock_due
from orchestrator.scheduler.transitions import Phase


def reference_measured(step: Step, event: ReferenceMeasured) -> None:
    """Every value is judged by the limits as they are now, and the optimiser learns all of them anew."""
    state = step.state
    breaking = {text: frozenset(trials) for text, trials in event.broken.items()}
    amended = state.amended
    if not amended.constraints.levels:
        # What was evaluated while nobody knew it was not meant to satisfy them.
        amended.broken_before = {**amended.broken_before, **breaking}
    amended.constraints = amended.constraints.relative_to(event.levels)
    for trial in state.observed:
        others = [text for text in trial.broken if text not in breaking]
        own = [text for text, trials in breaking.items() if trial.number in trials]
        trial.broken = (*others, *own)
    rebuild(step)
    reconsider_the_end(step)
    if state.phase is Phase.FINISHED and stock_due(state):
        step.command(TakeStock(held=state.places))
