"""Workers come, work and go, and what they held goes to others."""

from __future__ import annotations

from orchestrator.scheduler.commands import CancelLease, Evaluate
from orchestrator.scheduler.events import LeaseExpired, WorkerBeganDraining, WorkerJoined, WorkerLeft
from orchestrator.scheduler.handing_out import next_to_lease
from orchestrator.scheduler.handling.queueing import worker_of_job_joined, worker_of_job_left
from orchestrator.scheduler.handling.slots import (
    call_off,
    drain,
    forget,
    note_free,
    run_under,
    unsettled_trial,
)
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.trials import give_back, is_last_attempt, withdraw
from orchestrator.scheduler.leases import is_read_otherwise, lease_name, own_leases
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import UNDER_WAY, Cause, Phase, TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.worker import Worker
from orchestrator.values.travel import too_far

SENT_IN_VAIN = 5
"""Leases of a trial that no worker had, and that cost no attempt: more are not the fault of the wire."""
CUT_SHORT_IN_VAIN = 5
"""Leases of a trial that workers gave back as they left, and that cost no attempt: it may take longer than
their jobs may, and would be begun again for ever."""


def worker_joined(step: Step, event: WorkerJoined) -> None:
    """A new one, or one that is known under its name and connects again."""
    state = step.state
    known = state.crew.workers.get(event.worker)
    worker = Worker(
        name=event.worker,
        slots=event.slots,
        local=event.local,
        joined_at=known.joined_at if known else event.at,
        draining=event.draining,
        own=event.own,
    )
    if known is not None:
        worker.busy_s, worker.failed_in_a_row = known.busy_s, known.failed_in_a_row
        worker.idle_since = known.idle_since
        forget(state, known)
    worker.completed, worker.failed = state.crew.parted.pop(worker.name, (0, 0))
    state.crew.workers[worker.name] = worker
    worker_of_job_joined(state, worker)
    # Of the leases this name held, some may be finished, and their results about to be sent again:
    # those that turn out to be lost expire.
    for trial in state.unsettled.values():
        if trial.worker == worker.name and trial.lease is not None:
            worker.running[trial.lease] = trial.number
            worker.taken += trial.slots
    ours = own_leases(event)
    for lease in event.held:
        if lease not in worker.running:
            _readopt(step, worker, lease, is_ours=lease in ours)
    state.crew.slots += worker.capacity
    note_free(state, worker)


def _readopt(step: Step, worker: Worker, lease: str, *, is_ours: bool) -> None:
    # What comes of one that is read as results are not any more would not count.
    takes = is_ours and not is_read_otherwise(step.state, lease)
    trial = unsettled_trial(step.state, lease) if takes else None
    phases = UNDER_WAY if step.state.started.takes_back else UNDER_WAY - {Phase.DRAINING}
    if trial is not None and trial.state is TrialState.QUEUED and step.state.phase in phases:
        step.state.waiting.queue.remove(trial.number)
        trial.approved = True
        run_under(step.state, trial, worker, lease, Cause.READOPTED)
    else:
        step.command(
            CancelLease(worker=worker.name, lease=lease, reason="the trial is settled or runs elsewhere")
        )


def worker_began_draining(step: Step, event: WorkerBeganDraining) -> None:
    """It finishes what it has; what waits is for others."""
    worker = step.state.crew.workers.get(event.worker)
    if worker is not None and not worker.draining:
        drain(step.state, worker)


def worker_left(step: Step, event: WorkerLeft) -> None:
    """It said so, or was not heard of any more; the second counts against the trials it held.

    What is lost to a trial for good has some time to come back: such a lease lives on, until it expires.
    """
    state = step.state
    worker = state.crew.workers.get(event.worker)
    if worker is None:
        return
    held = [state.trials[number] for number in worker.running.values()]
    forget(state, worker)
    worker_of_job_left(state, worker)
    reason = event.reason or f"{worker.name} was lost"
    lost = event.lost and not (state.started.counts_given_back and worker.draining)
    may_return = state.started.takes_back and lost and not worker.local
    for trial in held:
        if not lost:
            give_back(step, trial, failure=_given_back_too_often(state, trial, reason))
        elif not (may_return and is_last_attempt(state, trial)):
            give_back(step, trial, failure=reason)


def _given_back_too_often(state: State, trial: Trial, reason: str) -> str | None:
    """Why it counts that a worker left in the midst of a trial, if it does. Where people stop a run they end
    its workers.
    """
    if not state.started.counts_given_back or state.phase is not Phase.ACTIVE:
        return None
    trial.attempts.given_back += 1
    if trial.attempts.given_back <= CUT_SHORT_IN_VAIN:
        return None
    return (
        f"cut short {trial.attempts.given_back} times as its workers left, the last time: {reason}; may they"
        " stay for as long as an evaluation takes?"
    )


def lease_expired(step: Step, event: LeaseExpired) -> None:
    """Its time is over: the worker is to stop, and the trial is another's."""
    trial = unsettled_trial(step.state, event.lease)
    if trial is None or trial.lease != event.lease:
        return
    call_off(step, trial, event.reason)
    if event.waited:
        worker = step.state.crew.workers.get(trial.worker or "")
        give_back(step, trial, failure=None)
        if worker is not None:
            # Behind those that are free, however long it seemed to be.
            step.state.crew.idle.pop(worker.name, None)
            note_free(step.state, worker)
        return
    trial.attempts.undelivered += not event.counts
    counts = event.counts or trial.attempts.undelivered > SENT_IN_VAIN
    give_back(step, trial, failure=event.reason if counts else None)


def lease_out(step: Step) -> None:
    """Hand the queue to those who wait for work, but for what is too far from where the machine stands by
    now: it was chosen before a person had something else tried.
    """
    state = step.state
    while (found := next_to_lease(state)) is not None:
        trial, worker = found
        if too_far(state.policy.where.travel, state.stands, trial.parameters):
            withdraw(step, trial)
            continue
        state.waiting.queue.remove(trial.number)
        # It may have waited: its time is that at which it is handed out, each time that it is.
        trial.parameters = {**trial.parameters, **state.shown_by_clock(state.at)}
        trial.attempts.given += 1
        lease = lease_name(trial.number, trial.attempts.given)
        begun = state.begun(trial)
        run_under(state, trial, worker, lease, Cause.LEASED)
        step.command(
            Evaluate(
                worker=worker.name,
                lease=lease,
                trial=trial.number,
                attempt=trial.attempts.given,
                parameters=trial.parameters,
                continues=0 if begun is None else begun.files_number,
                slots=trial.slots,
            )
        )
