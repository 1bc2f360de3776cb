"""Evaluations that were to go on from what an earlier one left, which their workers did not have."""

from __future__ import annotations

from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.leases import trial_under
from orchestrator.scheduler.state import State


def begun_anew(result: ResultArrived, state: State) -> str:
    """That a result is of an evaluation that began from nothing, where it was to go on; or nothing."""
    trial = trial_under(state, result.lease)
    if trial is None or not trial.continues or result.continued or result.lease in trial.heard:
        return ""
    if state.begun(trial) is None:
        return f"trial {trial.number} began from nothing: what trial {trial.continues} left is forgotten"
    return (
        f"trial {trial.number} began from nothing: {result.worker} does not have what trial {trial.continues}"
        " left; workers on several machines need a folder that they share, `--trials`"
    )
