"""Who works on what: a lease takes slots of a worker, mostly one, and its end frees them."""

from __future__ import annotations

from orchestrator.scheduler.changed import note_changed
from orchestrator.scheduler.commands import CancelLease
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.leases import is_of_another, trial_under, was_given
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Cause, next_trial_state
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.worker import Worker


def unsettled_trial(state: State, lease: str) -> Trial | None:
    """The unsettled trial of a lease that was really given, and to this one."""
    trial = trial_under(state, lease)
    if trial is None or trial.settled or is_of_another(state, lease):
        return None
    return trial if was_given(state, lease) else None


def note_heard(state: State, lease: str) -> None:
    """An outcome of a lease came."""
    trial = trial_under(state, lease)
    if trial is not None and lease not in trial.attempts.heard:
        trial.attempts.heard += (lease,)


def run_under(state: State, trial: Trial, worker: Worker, lease: str, cause: Cause) -> None:
    """Begin a lease: the trial runs, and takes slots of the worker."""
    trial.state = next_trial_state(trial.state, cause)
    trial.lease = trial.attempts.last = lease
    trial.worker, trial.place, trial.started_at = worker.name, worker.place, state.at
    trial.own, trial.evaluated_as = worker.own, 0
    if cause is not Cause.READOPTED:
        trial.block = state.block
        note_changed(state, trial)
    state.apparatus.last_leased, state.apparatus.put_at = trial, {}
    worker.running[lease] = trial.number
    worker.taken += trial.slots
    # Taken from the front and put back at the end: the longest idle is the next to be served.
    state.crew.idle.pop(worker.name, None)
    note_free(state, worker)


def release(state: State, trial: Trial) -> None:
    """End a trial's live lease, if any, and free its slots."""
    if trial.lease is not None and trial.worker is not None:
        worker = state.crew.workers.get(trial.worker)
        if worker is not None and worker.running.pop(trial.lease, None) is not None:
            if trial.started_at is not None:
                worker.busy_s += (state.at - trial.started_at) * trial.slots
            worker.taken -= trial.slots
            # Slots that became free are closed where their worker drains.
            state.crew.slots -= trial.slots * worker.draining
            note_free(state, worker)
    trial.lease = None


def call_off(step: Step, trial: Trial, reason: str) -> None:
    """Have the worker that holds the live lease, if it is connected, stop working on it."""
    if trial.lease is not None and trial.worker is not None and trial.worker in step.state.crew.workers:
        step.command(CancelLease(worker=trial.worker, lease=trial.lease, reason=reason))


def forget(state: State, worker: Worker) -> None:
    """It is not connected any more. The leases it held are whoever's concern that asks for this."""
    if state.crew.workers.pop(worker.name, None) is not None:
        state.crew.slots -= worker.capacity
        if worker.completed or worker.failed:
            state.crew.parted[worker.name] = (worker.completed, worker.failed)
    state.crew.idle.pop(worker.name, None)


def note_free(state: State, worker: Worker) -> None:
    """Whether a worker waits for work, after its slots have changed."""
    if worker.free > 0:
        state.crew.idle.setdefault(worker.name, worker)
    else:
        state.crew.idle.pop(worker.name, None)
    if worker.running:
        worker.idle_since = None
    elif worker.idle_since is None:
        worker.idle_since = state.at


def drain(state: State, worker: Worker) -> None:
    """It finishes what it has; what waits is for others."""
    state.crew.slots -= worker.free
    worker.draining = True
    note_free(state, worker)
