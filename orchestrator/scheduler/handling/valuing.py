"""Values that are computed, or read, anew of what evaluations returned, once a person says how."""

from __future__ import annotations

from orchestrator.scheduler.amendment_events import ValuesAmended
from orchestrator.scheduler.commands import TakeStock
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.front import scores
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import rebuild
from orchestrator.scheduler.handling.trials import withdraw_what_was_held_safe
from orchestrator.scheduler.standing import stock_due
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Cause, Phase, TrialState, next_trial_state
from orchestrator.scheduler.trial import Trial


def value_anew(step: Step, event: ValuesAmended) -> None:
    """Every trial has the value that it is said to have, and the optimiser learns all of them anew."""
    state = step.state
    state.amended.values = state.amended.values.after(event.objective, event.output)
    observed = {trial.number: trial for trial in state.observed}
    for one in event.anew:
        if (trial := observed.get(one.trial)) is not None:
            _take(state, trial, one)
    if event.output is not None:
        for trial in state.unsettled.values():
            # What a worker of before still sends was read as it is not any more.
            trial.attempts.read_otherwise = trial.attempts.given
        withdraw_what_was_held_safe(step, "results are read otherwise by which it was held to be safe")
    # Which is the best is said anew; that it was said has it asked for at the end.
    believed = {name: None for name in ("believed_best", "best_now") if name in state.optimiser.insight}
    state.optimiser.insight = {**state.optimiser.insight, **believed}
    rebuild(step)
    if state.phase is Phase.FINISHED and stock_due(state):
        step.command(TakeStock(held=state.places))


def _take(state: State, trial: Trial, anew: ValuedAnew) -> None:
    trial.values_before = (*trial.values_before, trial.value)
    now = TrialState.FAILED if anew.message else TrialState.COMPLETED
    if trial.state is not now:
        cause = Cause.FOUND_UNUSABLE if anew.message else Cause.FOUND_USABLE
        trial.state = next_trial_state(trial.state, cause)
        if trial.number > 0:
            gained = 1 if now is TrialState.COMPLETED else -1
            state.tally.completed += gained
            state.tally.failed -= gained
        # Whatever made them fail, somebody has seen to it.
        state.tally.out_of_attempts = 0
    trial.value, trial.message = anew.value, anew.message
    if anew.read is not None:
        trial.variance, trial.factors = anew.read.variance, anew.read.factors
        trial.extras, trial.broken = anew.read.extras, anew.read.broken
    if state.policy.sought.further:
        trial.scores = scores(state.policy, trial)
