"""A run whose journal was mended: what could be saved of it, and nobody at work."""

from __future__ import annotations

from collections import deque

from orchestrator.scheduler.handling.course import take_up
from orchestrator.scheduler.handling.slots import forget
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.trials import (
    add_trial,
    give_back,
    put_people_first,
    settle,
    withdraw_each,
)
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.transitions import Cause
from orchestrator.scheduler.trial import Trial


def journal_mended(step: Step, event: JournalMended) -> None:
    """The trials of the saved lines, after what the sound ones led to."""
    state = step.state
    take_up(step)
    for worker in list(state.crew.workers.values()):
        forget(state, worker)
    for trial in list(state.unsettled.values()):
        if trial.lease is not None:
            give_back(step, trial, failure=None)
    # The queue is in the order of the trials, as if nothing of it had been handed out.
    state.waiting.queue = deque(sorted(state.waiting.queue))
    optimiser = state.optimiser
    optimiser.asking = None
    # It may not follow from what was saved, and a trial in it may be forgotten by now.
    optimiser.insight = {name: told for name, told in optimiser.insight.items() if name != "preferred"}
    optimiser.asks = max(optimiser.asks, event.asks) + event.lost
    state.requests.update(event.requests)
    state.amended.lost = event.lost_amendments
    state.others = state.others.beside(event.others)
    for saved in event.trials:
        if saved.number > len(state.trials):
            add_trial(step, saved.suggested, saved.ask)
            if saved.held is not None:
                state.trials[saved.number].held = saved.held
            state.trials[saved.number].evaluated_as = saved.evaluated_as
        _restore(step, state.trials[saved.number], saved)
    state.apparatus.last_leased = state.trials.get(event.last_given, state.apparatus.last_leased)
    put_people_first(state)
    waiting = [state.trials[number] for number in state.waiting.queue]
    # Asked for where parameters were held before, or within other bounds.
    stays = state.may_wait if event.within_bounds else lambda trial: state.where_held(trial.parameters)
    withdraw_each(step, [trial for trial in waiting if not stays(trial)])
    for trial in state.unsettled.values():
        # Leases given in lines that are lost: none is given again, and their results are believed.
        trial.attempts.given += event.lost
        if state.policy.evaluations.approval and state.started.approves_attempts:
            # One may have failed there. What a person approved behind the damage is said again.
            trial.approved = False


def _restore(step: Step, trial: Trial, saved: SavedTrial) -> None:
    if trial.settled:
        return
    if saved.value is not None or saved.carried_out:
        trial.value, trial.variance, trial.factors = saved.value, saved.variance, saved.factors
        trial.extras, trial.elapsed, trial.worker = saved.extras, saved.elapsed, saved.worker
        trial.curve, trial.not_finite_at = saved.curve, saved.not_finite_at
        trial.broken, trial.own = (*trial.broken, *saved.broken), saved.own
        trial.block, trial.continued = saved.block or trial.block, saved.continued
        trial.evaluated_as = saved.evaluated_as
        settle(step, trial, Cause.SUCCEEDED, "", saved.by)
    elif saved.forecast is not None:
        trial.forecast, trial.curve = saved.forecast, saved.curve
        settle(step, trial, Cause.FOUND_UNLIKELY, saved.message)
    elif saved.message:
        settle(step, trial, Cause.REFUSED, saved.message, saved.by)
