"""What a machine changes for its trials, where changing its settings takes time."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.values.change import taken_by


def note_changed(state: State, trial: Trial) -> None:
    """A trial is given to the machine, which stands where the one before it left it."""
    takes = taken_by(state.policy.changes, state.stands, trial.parameters)
    for name, seconds in takes.items():
        trial.changed = {**trial.changed, name: trial.changed.get(name, 0.0) + seconds}
        state.changing_s += seconds


def changed_for(state: State, trial: Trial) -> Mapping[str, float]:
    """The seconds that settings take to change for a trial, whoever chose it: those that were changed and, of
    one that waits, those that will be, from where the one before it leaves the machine.
    """
    if trial.state is not TrialState.QUEUED or not state.policy.changes:
        return trial.changed
    turn = state.queue.index(trial.number)
    before = state.trials[state.queue[turn - 1]].parameters if turn else state.stands
    return taken_by(state.policy.changes, before, trial.parameters)
