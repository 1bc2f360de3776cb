"""Evaluations that were to go on from what an earlier one left, which their workers did not have."""

from __future__ import annotations

from orchestrator.runtime.said_seldom import next_said_at
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.leases import is_of_another, trial_under
from orchestrator.scheduler.state import State


class BegunAnew:
    """Hears each result as it came. Where workers share no folder that happens again and again."""

    def __init__(self) -> None:
        self._count = 0
        self._say_at = next_said_at(0)

    def heard(self, result: ResultArrived, state: State) -> str:
        """That it is of an evaluation that began from nothing, where it was to go on; or nothing."""
        trial = trial_under(state, result.lease)
        if trial is None or result.continued or result.lease in trial.attempts.heard:
            return ""
        source = trial.suggested.continues
        if not source:
            return ""
        if is_of_another(state, result.lease):
            return ""
        if state.begun(trial) is None:
            return f"trial {trial.number} began from nothing: what trial {source} left is forgotten"
        self._count += 1
        if self._count < self._say_at:
            return ""
        self._say_at = next_said_at(self._count)
        often = "" if self._count == 1 else f", the {self._count}th that was to go on and did"
        return (
            f"trial {trial.number} began from nothing{often}: {result.worker} does not have what trial"
            f" {source} left; workers on several machines need a folder that they share, `--trials`"
        )
