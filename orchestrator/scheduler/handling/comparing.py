"""What people say of trials that have no value: that they were carried out, and which of two is better."""

from __future__ import annotations

from orchestrator.scheduler.commands import (
    Acknowledge,
    Ask,
    FinishRun,
    Rebuild,
    TakeStock,
    TellComparison,
)
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.comparisons import comparable, compared_by_now
from orchestrator.scheduler.handling.slots import release
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import rebuild, tell_comparison
from orchestrator.scheduler.handling.trials import settle
from orchestrator.scheduler.standing import stock_due
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Cause, Phase
from orchestrator.scheduler.trial import Trial


def trial_carried_out(step: Step, event: TrialCarriedOut) -> None:
    """It can be compared from now on."""
    if event.trial in step.state.unsettled and step.state.takes(event):
        _carry_out(step, step.state.unsettled[event.trial], event.by)


def comparison_told(step: Step, event: ComparisonTold) -> None:
    """What was compared must have been carried out."""
    state = step.state
    if not state.takes(event):
        return
    for number in (event.trial, event.other):
        if (trial := state.unsettled.get(number)) is not None and trial.lease is not None:
            _carry_out(step, trial, event.by)
    state.compared.append(event)
    tell_comparison(step, event)


def comparison_taken_back(step: Step, event: ComparisonTakenBack) -> None:
    """The optimiser begins anew without it."""
    state = step.state
    if not state.takes(event):
        return
    both = {event.trial, event.other}
    state.compared = [one for one in state.compared if {one.trial, one.other} != both]
    rebuild(step)


def hear_of_comparisons(step: Step) -> None:
    """Have the optimiser say which trial is preferred by now, where its answer to an ask will not."""
    if not step.state.policy.results.compared or any(
        isinstance(one, Ask | TakeStock) for one in step.commands
    ):
        return
    if any(isinstance(one, TellComparison | Rebuild) for one in step.commands):
        step.command(TakeStock(held=step.state.places))


def hear_again_of_what_was_told(step: Step) -> None:
    """A life may have ended before the optimiser said what follows from the last comparison: have it said
    now, unless an answer that is awaited says it; in a run that is over as well, where none is awaited any
    more, and likewise of the last values.
    """
    state = step.state
    over = state.phase is Phase.FINISHED
    if (state.compared and (over or state.optimiser.asking is None)) or (over and stock_due(state)):
        step.command(TakeStock(held=state.places))
    if over:
        step.command(FinishRun(reason=state.end.why, failed=state.end.badly))


def to_compare_with(state: State, number: int) -> int | None:
    """The trial that another one is best compared with: the one believed best; or the last that was compared;
    or the first; None where there is none.
    """
    others = [one.number for one in comparable(state) if one.number != number]
    best = state.optimiser.insight.get("preferred", {}).get("trial")
    if best in others or not others:
        return best if others else None
    told = compared_by_now(state)
    return next((one for one in reversed(others) if one in told), others[0])


def _carry_out(step: Step, trial: Trial, by: str) -> None:
    state, lease, worker = step.state, trial.lease, trial.worker
    assert lease is not None
    assert worker is not None
    step.command(Acknowledge(worker=worker, lease=lease, counted=True))
    trial.elapsed = state.at - (state.at if trial.started_at is None else trial.started_at)
    state.optimiser.pace.evaluated(trial.elapsed)
    if (known := state.crew.workers.get(worker)) is not None:
        known.completed += 1
        known.failed_in_a_row = 0
    release(state, trial)
    settle(step, trial, Cause.SUCCEEDED, "", by)
