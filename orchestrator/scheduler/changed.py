"""What a machine changes for its trials, where changing its settings takes time."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.values.change import taken_by


def note_changed(state: State, trial: Trial) -> None:
    """A trial is given to the machine, which stands where the one before it left it."""
    takes = taken_by(state.policy.where.changes, state.stands, trial.parameters)
    if takes:
        trial.changed = _both(trial.changed, takes)
        state.apparatus.changing_s += sum(takes.values())


def changed_for(state: State, trial: Trial) -> Mapping[str, float]:
    """The seconds that settings take to change for a trial, whoever chose it: those that were changed and, of
    one that waits, those that will be, from where the one before it leaves the machine.
    """
    if trial.state is not TrialState.QUEUED or not state.policy.where.changes:
        return trial.changed
    turn = state.waiting.queue.index(trial.number)
    before = state.trials[state.waiting.queue[turn - 1]].parameters if turn else state.stands
    return _both(trial.changed, taken_by(state.policy.where.changes, before, trial.parameters))


def _both(one: Mapping[str, float], other: Mapping[str, float]) -> Mapping[str, float]:
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}
