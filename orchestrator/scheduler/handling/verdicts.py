"""What workers and people say of a trial: a value, a failure, hopeless, unlikely, approved, refused."""

from __future__ import annotations

from orchestrator.scheduler.commands import Acknowledge
from orchestrator.scheduler.events import (
    FailureArrived,
    ResultArrived,
    TrialApproved,
    TrialFoundHopeless,
    TrialFoundUnlikely,
    TrialRefused,
)
from orchestrator.scheduler.handling.queueing import worker_of_job_worked
from orchestrator.scheduler.handling.slots import call_off, note_heard, release, unsettled_trial
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import rebuild
from orchestrator.scheduler.handling.trials import give_back, settle
from orchestrator.scheduler.leases import is_read_otherwise
from orchestrator.scheduler.transitions import Cause


def result_arrived(step: Step, event: ResultArrived) -> None:
    """The first value of an unsettled trial counts, of whichever of its leases; every one is acknowledged."""
    state = step.state
    note_heard(state, event.lease)
    worker_of_job_worked(state, event.worker)
    trial = None if is_read_otherwise(state, event.lease) else unsettled_trial(state, event.lease)
    counts = trial is not None and state.takes(event)
    step.command(Acknowledge(worker=event.worker, lease=event.lease, counted=counts))
    if trial is None or not counts:
        state.tally.late += 1
        return
    trial.value, trial.variance, trial.factors = event.value, event.variance, event.factors
    trial.extras, trial.elapsed = event.extras, event.elapsed
    # What was added since it began may be broken as well.
    trial.broken = (*trial.broken, *event.broken)
    trial.curve, trial.not_finite_at = event.curve, event.not_finite_at
    trial.continued, trial.evaluated_as = event.continued, 0
    trial.own = event.own or (trial.own if event.worker == trial.worker else {})
    state.optimiser.pace.evaluated(event.elapsed)
    sender = state.crew.workers.get(event.worker)
    if sender is not None:
        sender.completed += 1
        sender.failed_in_a_row = 0
    if trial.lease != event.lease:
        # The worker that finished it has nothing left to cancel, but whoever works on it under a later lease.
        call_off(step, trial, "the trial is settled")
    release(state, trial)
    trial.worker = event.worker
    settle(step, trial, Cause.SUCCEEDED, "", event.by)


def failure_arrived(step: Step, event: FailureArrived) -> None:
    """A failure counts under the live lease only: an earlier one's was counted when that ended."""
    state = step.state
    note_heard(state, event.lease)
    worker_of_job_worked(state, event.worker)
    trial = unsettled_trial(state, event.lease)
    live = trial is not None and trial.lease == event.lease and state.takes(event)
    step.command(Acknowledge(worker=event.worker, lease=event.lease, counted=live))
    if trial is None or not live:
        state.tally.late += 1
        return
    sender = state.crew.workers.get(event.worker)
    if sender is not None:
        sender.failed += 1
        sender.failed_in_a_row += 1
    trial.own, trial.extras = event.own or trial.own, event.extras or trial.extras
    give_back(step, trial, failure=f"{event.kind}: {event.message}", by=event.by)


def trial_found_hopeless(step: Step, event: TrialFoundHopeless) -> None:
    """No attempt can end well, and none more is made."""
    trial = unsettled_trial(step.state, event.lease)
    if trial is not None and trial.lease == event.lease:
        settle(step, trial, Cause.FOUND_HOPELESS, event.reason)


def trial_found_unlikely(step: Step, event: TrialFoundUnlikely) -> None:
    """It is stopped where it is, and what it would have come to is learned in place of a value."""
    trial = unsettled_trial(step.state, event.lease)
    if trial is not None and trial.lease == event.lease:
        trial.forecast, trial.curve = event.forecast, event.curve
        settle(step, trial, Cause.FOUND_UNLIKELY, event.reason)


def trial_approved(step: Step, event: TrialApproved) -> None:
    """A person lets a trial go to a worker."""
    trial = step.state.unsettled.get(event.trial)
    if trial is not None and step.state.takes(event):
        trial.approved = True


def trial_refused(step: Step, event: TrialRefused) -> None:
    """A person does not want a trial evaluated, or not any longer."""
    trial = step.state.unsettled.get(event.trial)
    if trial is None or not step.state.takes(event):
        return
    if event.forgotten:
        trial.forgotten = event.reason
        # A round that ends by it has nothing told to a model that is no more.
        step.state.untold.clear()
    settle(step, trial, Cause.REFUSED, f"refused: {event.reason}", event.by)
    if event.forgotten:
        rebuild(step)
